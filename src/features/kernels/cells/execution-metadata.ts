import * as vscode from "vscode";
import * as z from "zod/mini";

/** The times of a run, in ISO 8601, under the keys of nbformat that JupyterLab writes. */
export type ExecutionTimes = {
  "iopub.status.busy"?: string;
  "iopub.execute_input"?: string;
  "shell.execute_reply"?: string;
  "iopub.status.idle"?: string;
};

const inner = z.looseObject({ metadata: z.optional(z.record(z.string(), z.unknown())) });

/**
 * Writes the times of a run to the cell's metadata, or deletes those of an earlier run. Call this before the execution ends: after the end, the editor adds
 * the execution count to the same metadata. If both were written concurrently, one would overwrite the other.
 */
export async function writeExecutionTimes(cell: vscode.NotebookCell, times: ExecutionTimes | undefined): Promise<void> {
  const parsed = z.safeParse(inner, cell.metadata);
  const { execution, ...others } = parsed.success ? (parsed.data.metadata ?? {}) : {};
  if (cell.index < 0 || cell.notebook.isClosed || (times === undefined && execution === undefined)) {
    return;
  }
  const metadata = times === undefined ? others : { ...others, execution: times };
  const edit = new vscode.WorkspaceEdit();
  edit.set(cell.notebook.uri, [vscode.NotebookEdit.updateCellMetadata(cell.index, { ...cell.metadata, metadata })]);
  await vscode.workspace.applyEdit(edit);
}
