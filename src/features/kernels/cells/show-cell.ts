import * as vscode from "vscode";
import { scheme } from "../../../tenants/workspace-uri.ts";
import { isUntitled } from "../untitled/untitled-notebook.ts";

/** Shows a cell in its notebook's editor, and selects it. */
export async function showCell(cell: vscode.NotebookCell): Promise<void> {
  const range = new vscode.NotebookRange(cell.index, cell.index + 1);
  const editor = await vscode.window.showNotebookDocument(cell.notebook, { selections: [range] });
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}

/**
 * True if the user sees the notebook: its editor is active, or it is visible as the console of a script, which keeps the
 * focus, and the window has the focus.
 */
export function isInFront(notebook: vscode.NotebookDocument): boolean {
  const { activeNotebookEditor, activeTextEditor, state, visibleNotebookEditors } = vscode.window;
  const isConsole = isUntitled(notebook) && activeTextEditor?.document.uri.scheme === scheme;
  return (
    state.focused &&
    (activeNotebookEditor?.notebook === notebook ||
      (isConsole && visibleNotebookEditors.some((editor) => editor.notebook === notebook)))
  );
}
