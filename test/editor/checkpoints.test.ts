import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { ask, fileTenants, requestsOf } from "./outside.ts";
import { pass } from "./time.ts";

for (const tenant of fileTenants) {
  describe(`checkpoints on save on tenant ${tenant.tenantId}`, () => {
    const uri = uriOf(tenant.tenantId, tenant.workspaceId, "checkpoint-on-save.txt");
    const setting = (value: boolean | undefined): Thenable<void> =>
      vscode.workspace
        .getConfiguration("platformWorkbench")
        .update("files.checkpointOnSave", value, vscode.ConfigurationTarget.Global);

    after(async () => {
      await setting(undefined);
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    });

    async function saved(document: vscode.TextDocument): Promise<readonly string[]> {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), "more ");
      await vscode.workspace.applyEdit(edit);
      pass(1_500);
      await ask(tenant, { type: "quiet", milliseconds: 500 });
      await ask(tenant, { type: "reset" });
      assert.equal(await document.save(), true);
      await ask(tenant, { type: "quiet", milliseconds: 700 });
      return (await requestsOf(tenant)).filter((request) => request.includes("checkpoint"));
    }

    it("creates none by default, and one of the saved content with each save if enabled", async () => {
      await writeFile(`${tenant.root}/checkpoint-on-save.txt`, "text\n");
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: false });
      assert.deepEqual(
        (await saved(document)).filter((request) => request.startsWith("POST")),
        [],
      );
      await setting(true);
      assert.deepEqual(
        (await saved(document)).filter((request) => request.startsWith("POST")),
        ["POST contents/checkpoint-on-save.txt/checkpoints 201"],
      );
    });
  });
}
