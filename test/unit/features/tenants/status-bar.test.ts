import assert from "node:assert/strict";
import { tenantMenuCommands } from "../../../../src/features/tenants/menu.ts";
import { StatusBar } from "../../../../src/features/tenants/status-bar.ts";
import { readTenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../../../src/tenants/tenant-secrets.ts";
import { StandInMemento, StandInSecrets } from "../../../harness/editor-stand-in/memory.ts";
import * as vscode from "../../../harness/editor-stand-in/vscode.ts";

describe("the tenant in the status bar", () => {
  const { createStatusBarItem } = vscode.window;
  const item = { text: "", command: "", show: () => {}, hide: () => {}, dispose: () => {} };
  let registry: TenantRegistry;
  let secrets: TenantSecrets;
  let bar: StatusBar;

  beforeEach(async () => {
    Object.assign(vscode.window, { createStatusBarItem: () => item });
    registry = new TenantRegistry(new StandInMemento());
    secrets = new TenantSecrets(new StandInSecrets());
    for (const id of ["acme", "beta"]) {
      const read = readTenant({ id, label: id, baseUrl: `https://${id}.example.com` }, "provided");
      assert.ok("tenant" in read);
      registry.provide(read.tenant);
      await secrets.saveCredential(read.tenant, "s3cret-of-a-person", "Ada Example");
    }
    bar = new StatusBar(registry, secrets);
  });
  afterEach(() => {
    vscode.editor.showFolders();
    bar.dispose();
    secrets.dispose();
    registry.dispose();
    Object.assign(vscode.window, { createStatusBarItem });
  });

  const shown = async (): Promise<string> => {
    await new Promise(setImmediate);
    return item.text;
  };

  /** Selects the status bar item, and chooses an action of its menu. Returns the editor's command for it. */
  async function choose(action: RegExp): Promise<unknown> {
    assert.equal(item.command, "platformWorkbench.showTenantMenu");
    const { showQuickPick } = vscode.window;
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly { readonly label: string }[]) =>
        items.find(({ label }) => action.test(label)),
    });
    try {
      await tenantMenuCommands({ registry, secrets })[item.command]();
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    return vscode.editor.executed.at(-1);
  }

  it("is the one whose workspace the window shows, even if the window learns its folder later", async () => {
    assert.match(await shown(), /acme/);
    vscode.editor.showFolders(vscode.Uri.parse("platform-contents://w-1.beta/"));
    assert.match(await shown(), /beta/);
    vscode.editor.showFolders();
    assert.match(await shown(), /acme/);
  });

  it("is the one that its menu signs out of and edits", async () => {
    vscode.editor.showFolders(vscode.Uri.parse("platform-contents://w-1.beta/"));
    assert.match(await shown(), /beta/);
    assert.deepEqual(await choose(/^Sign Out of beta…$/), ["platformWorkbench.signOut", { tenantId: "beta" }]);
    assert.deepEqual(await choose(/^Edit Tenant…$/), ["platformWorkbench.editTenant", { tenantId: "beta" }]);
    assert.equal(registry.current?.id, "beta", "commands without a row apply to another tenant");
  });

  it("is the one that the user switches to, until the window shows another folder", async () => {
    vscode.editor.showFolders(vscode.Uri.parse("platform-contents://w-1.beta/"));
    await registry.setCurrent("acme");
    assert.match(await shown(), /acme/);
    assert.deepEqual(await choose(/^Sign Out of acme…$/), ["platformWorkbench.signOut", { tenantId: "acme" }]);
    vscode.editor.showFolders(vscode.Uri.parse("platform-contents://w-2.beta/"));
    assert.match(await shown(), /beta/);
  });
});
