import * as vscode from "vscode";
import { type ExecutionTimes, writeExecutionTimes } from "./execution-metadata.ts";

/** Edits that runs make in a notebook, besides outputs. */
export class CellEdits {
  readonly #notebook: vscode.NotebookDocument;

  constructor(notebook: vscode.NotebookDocument) {
    this.#notebook = notebook;
  }

  /** Writes the times of a run to its cell if the settings say so; otherwise deletes those of an earlier run. */
  async recordTimes(cell: vscode.NotebookCell, times: ExecutionTimes): Promise<void> {
    const settings = vscode.workspace.getConfiguration("platformWorkbench.kernels", this.#notebook.uri);
    await writeExecutionTimes(cell, settings.get<boolean>("recordTimes", false) ? times : undefined);
  }

  /** Inserts the next input that the kernel proposes, for example after `%load`. */
  insertBelow(cell: vscode.NotebookCell, text: string): void {
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, cell.document.languageId);
    const edit = new vscode.WorkspaceEdit();
    edit.set(this.#notebook.uri, [vscode.NotebookEdit.insertCells(cell.index + 1, [added])]);
    void vscode.workspace.applyEdit(edit);
  }
}
