import * as vscode from "vscode";
import { scheme } from "../../../tenants/workspace-uri.ts";
import { notebookType } from "../notebook-metadata.ts";

/**
 * The metadata of a cell with the execution count that the cell shows. The editor copies the count there only for cells
 * whose success is known, and some time after they have ended. A cell that is executing shows no count.
 */
export function metadataWithCount(
  { executionSummary, metadata }: vscode.NotebookCell,
  isExecuting: boolean,
): vscode.NotebookCell["metadata"] {
  const { executionOrder } = executionSummary ?? {};
  return executionOrder === undefined || isExecuting || metadata.execution_count === executionOrder
    ? metadata
    : { ...metadata, execution_count: executionOrder };
}

/** Adds the execution counts that the cells show to the metadata that the editor saves. */
export function addExecutionCounts(
  event: vscode.NotebookDocumentWillSaveEvent,
  isExecuting: (cell: vscode.NotebookCell) => boolean,
): void {
  const { notebook } = event;
  if (notebook.uri.scheme !== scheme || notebook.notebookType !== notebookType) {
    return;
  }
  const edits = notebook.getCells().flatMap((cell) => {
    const metadata = metadataWithCount(cell, isExecuting(cell));
    return metadata === cell.metadata ? [] : [vscode.NotebookEdit.updateCellMetadata(cell.index, metadata)];
  });
  if (edits.length > 0) {
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook.uri, edits);
    event.waitUntil(Promise.resolve(edit));
  }
}
