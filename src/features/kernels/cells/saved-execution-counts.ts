import * as vscode from "vscode";
import { scheme } from "../../../tenants/workspace-uri.ts";
import { notebookType } from "../notebook-metadata.ts";

/**
 * Adds the execution counts that the cells show to the metadata that the editor saves. The editor copies them there
 * only for cells whose success is known, and some time after they have ended. A cell that is executing shows no count.
 */
export function addExecutionCounts(
  event: vscode.NotebookDocumentWillSaveEvent,
  isExecuting: (cell: vscode.NotebookCell) => boolean,
): void {
  const { notebook } = event;
  if (notebook.uri.scheme !== scheme || notebook.notebookType !== notebookType) {
    return;
  }
  const edits = notebook.getCells().flatMap((cell) => {
    const { executionOrder } = cell.executionSummary ?? {};
    return executionOrder === undefined || isExecuting(cell) || cell.metadata.execution_count === executionOrder
      ? []
      : [vscode.NotebookEdit.updateCellMetadata(cell.index, { ...cell.metadata, execution_count: executionOrder })];
  });
  if (edits.length > 0) {
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook.uri, edits);
    event.waitUntil(Promise.resolve(edit));
  }
}
