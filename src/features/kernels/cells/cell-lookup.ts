import * as vscode from "vscode";
import { sourceHashOf } from "../../../api/kernels/connection/live-connection.ts";
import type { JournalEntry } from "../../../api/kernels/executions/execution-journal.ts";
import { cellIdOf } from "../notebook-metadata.ts";

/**
 * Finds the cell of a request by its id or its source. If several cells have the same source, returns the nearest one.
 */
export function cellOfEntry(notebook: vscode.NotebookDocument, entry: JournalEntry): vscode.NotebookCell | undefined {
  const cells = notebook.getCells().filter(({ kind }) => kind === vscode.NotebookCellKind.Code);
  const byId = entry.cellId === undefined ? undefined : cells.find((cell) => cellIdOf(cell) === entry.cellId);
  if (byId !== undefined) {
    return byId;
  }
  const [nearest] = cells
    .filter((cell) => sourceHashOf(cell.document.getText()) === entry.sourceHash)
    .toSorted((one, other) => Math.abs(one.index - entry.cellIndex) - Math.abs(other.index - entry.cellIndex));
  return nearest;
}
