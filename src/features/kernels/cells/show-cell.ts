import * as vscode from "vscode";

/** Shows a cell in its notebook's editor, and selects it. */
export async function showCell(cell: vscode.NotebookCell): Promise<void> {
  const range = new vscode.NotebookRange(cell.index, cell.index + 1);
  const editor = await vscode.window.showNotebookDocument(cell.notebook, { selections: [range] });
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}

/** True if the user sees the notebook: its editor is active, and the window has the focus. */
export function isInFront(notebook: vscode.NotebookDocument): boolean {
  return vscode.window.state.focused && vscode.window.activeNotebookEditor?.notebook === notebook;
}
