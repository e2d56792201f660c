import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { tenantNamed } from "./outside.ts";
import { until } from "./time.ts";

/** The tenant with a real Jupyter Server. */
export const kernelTenant = tenantNamed("jupyter");
const tenant = kernelTenant;
let count = 0;

/** Opens a notebook as a user does: it is closed with its editor. */
export async function shownNotebook(uri: vscode.Uri): Promise<vscode.NotebookDocument> {
  await vscode.commands.executeCommand("vscode.openWith", uri, "jupyter-notebook");
  return until("the notebook to show", () => {
    const shown = vscode.window.activeNotebookEditor?.notebook;
    return shown?.uri.toString() === uri.toString() && shown;
  });
}

/** Opens a new notebook with these code cells, on our Python kernel. */
export function openNotebook(...sources: readonly string[]): Promise<vscode.NotebookDocument> {
  return openNotebookWith({}, ...sources);
}

/** Opens a new notebook with this metadata and these code cells, on our kernel that the metadata specifies. */
export async function openNotebookWith(
  metadata: { readonly kernelspec?: { readonly name: string } },
  ...sources: readonly string[]
): Promise<vscode.NotebookDocument> {
  count += 1;
  const name = `kernel ${count}.ipynb`;
  const cells = sources.map((source, index) => ({
    cell_type: "code",
    id: `cell-${index}`,
    metadata: {},
    source,
    execution_count: null,
    outputs: [],
  }));
  const content = { cells, metadata, nbformat: 4, nbformat_minor: 5 };
  await writeFile(`${tenant.root}/${name}`, JSON.stringify(content));
  const notebook = await shownNotebook(uriOf(tenant.tenantId, tenant.workspaceId, name));
  const id = `${tenant.workspaceId}.${tenant.tenantId}/${metadata.kernelspec?.name ?? "python3"}`;
  const extension = "platform-workbench.platform-workbench";
  await until("the kernel to be offered", () => vscode.extensions.getExtension(extension)?.isActive);
  await vscode.commands.executeCommand("notebook.selectKernel", { id, extension });
  return notebook;
}

export function runAll(notebook: vscode.NotebookDocument): Thenable<unknown> {
  return vscode.commands.executeCommand("notebook.execute", notebook.uri);
}

export const isDone = (cell: vscode.NotebookCell): boolean => cell.executionSummary?.success !== undefined;

export async function ran(notebook: vscode.NotebookDocument): Promise<void> {
  await runAll(notebook);
  const seen = (): string =>
    JSON.stringify(notebook.getCells().map((cell) => [cell.executionSummary, textOf(cell).slice(0, 1000)]));
  await until("the cells to end", () => notebook.getCells().every(isDone), seen);
}

/**
 * Saves a notebook whose cells have just run; only `running` still runs. A cell ends a moment after its output, and later
 * than the next cell starts. The editor then adds the execution count to the metadata, and reports a notebook that changes
 * during its save as unsaved.
 */
export async function saveAfterRun(notebook: vscode.NotebookDocument, running?: vscode.NotebookCell): Promise<void> {
  const isCounted = ({ executionSummary, metadata }: vscode.NotebookCell): boolean =>
    metadata.execution_count === executionSummary?.executionOrder;
  await until(
    "the end of the cells, and the execution counts in their metadata",
    () => notebook.getCells().every((cell) => cell === running || (isDone(cell) && isCounted(cell))),
    () => JSON.stringify(notebook.getCells().map((cell) => [cell.executionSummary, cell.metadata])),
  );
  assert.ok(await notebook.save(), `${notebook.uri.path} wasn't saved`);
}

export function textOf({ outputs }: vscode.NotebookCell): string {
  return outputs
    .flatMap(({ items }) => items.slice(0, 1))
    .map(({ data }) => new TextDecoder().decode(data))
    .join("|");
}

export function executionTimes(cell: vscode.NotebookCell): unknown {
  const { metadata } = cell.metadata;
  return typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, "execution") : undefined;
}
