import * as vscode from "vscode";
import { type JournalEntry, sourceHashOf } from "../../../api/kernels/executions/execution-journal.ts";
import { cellIdOf } from "../../../ui/resources/notebook-cells.ts";

/**
 * Finds the cell of a request by its id. Several cells can have the same id, or the cell may have lost its id: the source
 * then decides, and the place among cells with the same source.
 */
export function cellOfEntry(notebook: vscode.NotebookDocument, entry: JournalEntry): vscode.NotebookCell | undefined {
  const cells = notebook.getCells().filter(({ kind }) => kind === vscode.NotebookCellKind.Code);
  const withId = entry.cellId === undefined ? [] : cells.filter((cell) => cellIdOf(cell) === entry.cellId);
  if (withId.length === 1) {
    return withId[0];
  }
  const candidates = withId.length === 0 ? cells : withId;
  const withSource = candidates.filter((cell) => sourceHashOf(cell.document.getText()) === entry.sourceHash);
  // Without an id, a cell with another source is another cell.
  const [nearest] = (withSource.length === 0 ? withId : withSource).toSorted(
    (one, other) => Math.abs(one.index - entry.cellIndex) - Math.abs(other.index - entry.cellIndex),
  );
  return nearest;
}
