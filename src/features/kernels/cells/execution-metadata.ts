import * as vscode from "vscode";
import * as z from "zod/mini";

/** When a cell ran, in ISO 8601, under the keys of nbformat that JupyterLab writes. */
export type ExecutionTimes = {
  "iopub.status.busy"?: string;
  "iopub.execute_input"?: string;
  "shell.execute_reply"?: string;
  "iopub.status.idle"?: string;
};

/** Milliseconds for which the editor's own change of the cell is waited for. */
const settledWithin = 2_000;

const inner = z.looseObject({ metadata: z.optional(z.record(z.string(), z.unknown())) });

/**
 * Writes when the cell ran into its metadata. The editor's notebooks write the execution count there at the same time,
 * from what they had read before: theirs comes first, so that neither loses the other's.
 */
export async function writeExecutionTimes(
  cell: vscode.NotebookCell,
  times: ExecutionTimes,
  count: number | undefined,
): Promise<void> {
  await untilCounted(cell, count);
  if (cell.index < 0 || cell.notebook.isClosed) {
    return;
  }
  const parsed = z.safeParse(inner, cell.metadata);
  const metadata = { ...(parsed.success ? parsed.data.metadata : {}), execution: times };
  const edit = new vscode.WorkspaceEdit();
  edit.set(cell.notebook.uri, [vscode.NotebookEdit.updateCellMetadata(cell.index, { ...cell.metadata, metadata })]);
  await vscode.workspace.applyEdit(edit);
}

function untilCounted(cell: vscode.NotebookCell, count: number | undefined): Promise<void> {
  const isCounted = (): boolean => count === undefined || cell.metadata.execution_count === count;
  if (isCounted()) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(limit);
      listener.dispose();
      resolve();
    };
    const limit = setTimeout(finish, settledWithin);
    const listener = vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => {
      if (notebook === cell.notebook && isCounted()) {
        finish();
      }
    });
  });
}
