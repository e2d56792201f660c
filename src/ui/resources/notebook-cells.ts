import type * as vscode from "vscode";

/** The id of a cell in the notebook file; undefined if the file has no ids. */
export function cellIdOf(cell: vscode.NotebookCell): string | undefined {
  const { id } = cell.metadata;
  return typeof id === "string" ? id : undefined;
}
