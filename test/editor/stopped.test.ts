import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { ask, onDisk, tenantNamed } from "./outside.ts";
import { until } from "./time.ts";

describe("a workspace on a real JupyterHub stops while a notebook has unsaved changes", () => {
  const tenant = tenantNamed("hub");
  const reference = { tenantId: tenant.tenantId, workspaceId: tenant.workspaceId };
  const uri = uriOf(tenant.tenantId, tenant.workspaceId, "stopped.ipynb");
  const textUri = uriOf(tenant.tenantId, tenant.workspaceId, "stopped.py");

  after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("a save reports it, nothing is lost, and the save is retried automatically after a start", async () => {
    const cell = { cell_type: "code", id: "a1", metadata: {}, execution_count: null, source: "1", outputs: [] };
    const book = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await writeFile(`${tenant.root}/stopped.ipynb`, JSON.stringify(book));
    await writeFile(`${tenant.root}/stopped.py`, "one = 1\n");
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(notebook, { preview: false });
    const text = await vscode.workspace.openTextDocument(textUri);
    await vscode.window.showTextDocument(text, { preview: false });
    const edit = new vscode.WorkspaceEdit();
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "kept = True", "python");
    edit.set(uri, [vscode.NotebookEdit.insertCells(1, [added])]);
    edit.insert(textUri, new vscode.Position(0, 0), "two = 2\n");
    await vscode.workspace.applyEdit(edit);

    await ask(tenant, { type: "stopWorkspace" });
    await until("the hub answers for the stopped server", async () => {
      const response = await fetch(`${tenant.contentUrl}api/contents`, {
        redirect: "manual",
        headers: { authorization: `token ${tenant.secrets[1]}` },
      });
      return response.status === 302 || response.status === 424;
    });
    assert.equal(await notebook.save(), false);
    assert.equal(await text.save(), false);
    assert.equal(notebook.isDirty && text.isDirty, true);
    assert.equal(notebook.cellCount, 2);
    await assert.rejects(Promise.resolve(vscode.workspace.fs.readFile(uri)), (error: unknown) => {
      assert.ok(error instanceof vscode.FileSystemError && error.code === "Unavailable", String(error));
      assert.match(error.message, /isn't running/);
      return true;
    });

    await vscode.commands.executeCommand("platformWorkbench.startWorkspace", reference);
    await until("the saves are repeated", () => !notebook.isDirty && !text.isDirty);
    assert.match((await onDisk(tenant, "stopped.ipynb")).toString(), /kept = True/);
    assert.equal((await onDisk(tenant, "stopped.py")).toString(), "two = 2\none = 1\n");
    await vscode.commands.executeCommand("notifications.clearAll");
  });
});
