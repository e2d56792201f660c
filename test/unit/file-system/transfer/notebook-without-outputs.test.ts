import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { withoutOutputs } from "../../../../src/file-system/transfer/notebook-without-outputs.ts";
import { transfersOf } from "../../../../src/file-system/transfer/transfer-progress.ts";
import { editor, nextMessage, TabInputNotebook, Uri, window } from "../../../harness/editor-stand-in/vscode.ts";

const notebook = {
  cells: [
    { cell_type: "markdown", id: "a", metadata: {}, source: "# Sales" },
    { cell_type: "code", id: "b", metadata: { x: 1 }, execution_count: 3, source: "1", outputs: [{ data: "big" }] },
  ],
  metadata: { title: "x" },
  nbformat: 4,
  nbformat_minor: 5,
};

describe("opening a large notebook without its outputs", () => {
  it("removes the outputs, and nothing else", () => {
    const [text, code] = notebook.cells;
    const bytes = withoutOutputs(Buffer.from(JSON.stringify(notebook)));
    const expected = { ...notebook, cells: [text, { ...code, outputs: [] }] };
    assert.deepEqual(JSON.parse(Buffer.from(bytes).toString()), expected);
  });

  it("leaves what is no notebook", () => {
    for (const content of ["{", '{"cells": 1}', ""]) {
      assert.equal(Buffer.from(withoutOutputs(Buffer.from(content))).toString(), content);
    }
  });

  it("is offered, closes the waiting editor, and shows a copy that can't be saved", async () => {
    const root: vscode.Uri = Uri.parse("platform-contents://sales.acme/");
    const tab = { input: new TabInputNotebook(Uri.parse("platform-contents://sales.acme/big.ipynb")), isDirty: false };
    const closed: unknown[] = [];
    const tabGroups = Object.assign(window.tabGroups, {
      close: async (given: unknown) => {
        closed.push(given);
        return true;
      },
    });
    editor.showTabs(tab);
    try {
      const shown = nextMessage();
      const admitted = transfersOf(root, async () => assert.fail("nothing is downloaded")).admit("big.ipynb", 60e6);
      const question = await shown;
      assert.deepEqual(question.items, ["Open", "Open Without Outputs", "Download…"]);
      question.choose("Open Without Outputs");
      const admission = await admitted;
      assert.deepEqual(closed, [tab]);
      assert.ok(admission.type === "download");
      await admission.save(Buffer.from(JSON.stringify(notebook)));
      const [command, uri, viewType] = editor.executed.at(-1) ?? [];
      assert.deepEqual([command, viewType], ["vscode.openWith", "jupyter-notebook"]);
      assert.match(String(uri), /^platform-server-version:\/\/sales\.acme\/big\.ipynb\?snapshot/);
    } finally {
      editor.showTabs();
      Object.assign(tabGroups, { close: undefined });
    }
  });
});
