import assert from "node:assert/strict";
import * as vscode from "vscode";
import { isInFront } from "../../../../../src/features/kernels/cells/show-cell.ts";
import { uriOf } from "../../../../../src/tenants/workspace-uri.ts";

describe("a notebook in front of the user", () => {
  const { activeNotebookEditor, activeTextEditor, state, visibleNotebookEditors } = vscode.window;
  afterEach(() =>
    Object.assign(vscode.window, { activeNotebookEditor, activeTextEditor, state, visibleNotebookEditors }),
  );

  const notebookAt = (uri: vscode.Uri) => ({ uri, notebookType: "jupyter-notebook" }) as vscode.NotebookDocument;
  const inConsole = notebookAt(vscode.Uri.from({ scheme: "untitled", path: "Untitled-1.ipynb" }));
  const ofWorkspace = notebookAt(uriOf("acme", "w", "report.ipynb"));
  const script = { document: { uri: uriOf("acme", "w", "load.py") } };
  const local = { document: { uri: vscode.Uri.file("/notes.py") } };

  it("is the active one, and the console beside the active script, while the window has the focus", () => {
    for (const [notebook, shown, expected] of [
      [ofWorkspace, { activeNotebookEditor: { notebook: ofWorkspace } }, true],
      [inConsole, { visibleNotebookEditors: [{ notebook: inConsole }], activeTextEditor: script }, true],
      [inConsole, { visibleNotebookEditors: [], activeTextEditor: script }, false],
      [inConsole, { visibleNotebookEditors: [{ notebook: inConsole }], activeTextEditor: local }, false],
      [inConsole, { visibleNotebookEditors: [{ notebook: inConsole }] }, false],
      [ofWorkspace, { visibleNotebookEditors: [{ notebook: ofWorkspace }], activeTextEditor: script }, false],
    ] as const) {
      const others = { activeNotebookEditor: undefined, activeTextEditor: undefined, visibleNotebookEditors: [] };
      Object.assign(vscode.window, { ...others, ...shown, state: { focused: true } });
      assert.equal(isInFront(notebook), expected, JSON.stringify(shown));
      Object.assign(vscode.window, { state: { focused: false } });
      assert.equal(isInFront(notebook), false);
    }
  });
});
