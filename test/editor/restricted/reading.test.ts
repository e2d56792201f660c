import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { uriOf } from "../../../src/tenants/workspace-uri.ts";
import { outside } from "../outside.ts";

describe("in Restricted Mode", () => {
  it("opens and reads a workspace's files", async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const tenant = outside.tenants.find((candidate) => candidate.tenantId === "embedded");
    assert.ok(tenant !== undefined);
    await writeFile(`${tenant.root}/restricted.txt`, "readable\n");
    const uri = uriOf(tenant.tenantId, tenant.workspaceId, "restricted.txt");
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.getText(), "readable\n");
    const root = uriOf(tenant.tenantId, tenant.workspaceId);
    const names = (await vscode.workspace.fs.readDirectory(root)).map(([name]) => name);
    assert.ok(names.includes("reports"), names.join(", "));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), "still ");
    await vscode.workspace.applyEdit(edit);
    assert.equal(await document.save(), true);
  });
});
