import assert from "node:assert/strict";
import { StatusBar } from "../../../../src/features/tenants/status-bar.ts";
import { readTenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../../../src/tenants/tenant-secrets.ts";
import { StandInMemento, StandInSecrets } from "../../../harness/editor-stand-in/memory.ts";
import * as vscode from "../../../harness/editor-stand-in/vscode.ts";

describe("the tenant in the status bar", () => {
  it("is the one whose workspace the window shows, even if the window learns its folder later", async () => {
    const item = { text: "", show: () => {}, hide: () => {}, dispose: () => {} };
    Object.assign(vscode.window, { createStatusBarItem: () => item });
    const registry = new TenantRegistry(new StandInMemento());
    for (const id of ["acme", "beta"]) {
      const read = readTenant({ id, label: id, baseUrl: `https://${id}.example.com` }, "provided");
      assert.ok("tenant" in read);
      registry.provide(read.tenant);
    }
    const bar = new StatusBar(registry, new TenantSecrets(new StandInSecrets()));
    const shown = async (): Promise<string> => {
      await new Promise(setImmediate);
      return item.text;
    };
    assert.match(await shown(), /acme/);
    vscode.editor.showFolders(vscode.Uri.parse("platform-contents://w-1.beta/"));
    assert.match(await shown(), /beta/);
    vscode.editor.showFolders();
    assert.match(await shown(), /acme/);
    bar.dispose();
    registry.dispose();
  });
});
