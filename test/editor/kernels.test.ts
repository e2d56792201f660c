import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { tenantNamed } from "./outside.ts";

const tenant = tenantNamed("jupyter");
const controllerId = `${tenant.workspaceId}.${tenant.tenantId}/python3`;
let count = 0;

/** Waits until the condition gives something, 30 s at most. */
async function until<Value>(what: string, look: () => Value | undefined | false): Promise<Value> {
  for (const limit = Date.now() + 30_000; Date.now() < limit; ) {
    const found = look();
    if (found !== undefined && found !== false) {
      return found;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`waited too long for ${what}`);
}

/** Opens a new notebook with these code cells, on our kernel. */
async function openNotebook(...sources: readonly string[]): Promise<vscode.NotebookDocument> {
  count += 1;
  const name = `kernel ${count}.ipynb`;
  const cells = sources.map((source, index) => ({
    ...{ cell_type: "code", id: `cell-${index}`, metadata: {}, source, execution_count: null, outputs: [] },
  }));
  const content = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
  await writeFile(`${tenant.root}/${name}`, JSON.stringify(content));
  const notebook = await vscode.workspace.openNotebookDocument(uriOf(tenant.tenantId, tenant.workspaceId, name));
  await vscode.window.showNotebookDocument(notebook);
  const id = controllerId;
  const extension = "platform-workbench.platform-workbench";
  await until("the kernel to be offered", () => vscode.extensions.getExtension(extension)?.isActive);
  await vscode.commands.executeCommand("notebook.selectKernel", { id, extension });
  return notebook;
}

function runAll(notebook: vscode.NotebookDocument): Thenable<unknown> {
  return vscode.commands.executeCommand("notebook.execute", notebook.uri);
}

const isDone = (cell: vscode.NotebookCell): boolean => cell.executionSummary?.success !== undefined;

async function ran(notebook: vscode.NotebookDocument): Promise<void> {
  await runAll(notebook);
  await until("the cells to end", () => notebook.getCells().every(isDone));
}

function textOf({ outputs }: vscode.NotebookCell): string {
  return outputs
    .flatMap(({ items }) => items.slice(0, 1))
    .map(({ data }) => new TextDecoder().decode(data))
    .join("|");
}

describe("running notebooks on a kernel", () => {
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("shows output, results, and order", async () => {
    const notebook = await openNotebook("print('one')\nprint('two')", "6 * 7");
    await ran(notebook);
    assert.equal(textOf(notebook.cellAt(0)), "one\ntwo\n");
    assert.equal(textOf(notebook.cellAt(1)), "42");
    assert.deepEqual(
      notebook.getCells().map(({ executionSummary }) => [executionSummary?.executionOrder, executionSummary?.success]),
      [
        [1, true],
        [2, true],
      ],
    );
  });
});
