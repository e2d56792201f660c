import assert from "node:assert/strict";
import { showSignedOutFolders } from "../../../../src/features/tenants/signed-out-folders.ts";
import { readTenant, type Tenant } from "../../../../src/tenants/tenant.ts";
import { TenantRegistry } from "../../../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../../../src/tenants/tenant-secrets.ts";
import { uriOf } from "../../../../src/tenants/workspace-uri.ts";
import { StandInMemento, StandInSecrets } from "../../../harness/editor-stand-in/memory.ts";
import * as vscode from "../../../harness/editor-stand-in/vscode.ts";

describe("the Explorer's view for folders of a tenant without a credential", () => {
  let registry: TenantRegistry;
  let secrets: TenantSecrets;
  let shown: { dispose(): void };
  const tenants = new Map<string, Tenant>();

  beforeEach(async () => {
    registry = new TenantRegistry(new StandInMemento());
    secrets = new TenantSecrets(new StandInSecrets());
    for (const id of ["acme", "beta"]) {
      const read = readTenant({ id, label: id, baseUrl: `https://${id}.example.com` }, "provided");
      assert.ok("tenant" in read);
      tenants.set(id, read.tenant);
      registry.provide(read.tenant);
    }
    shown = showSignedOutFolders({ registry, secrets });
  });
  afterEach(() => {
    vscode.editor.showFolders();
    shown.dispose();
    secrets.dispose();
    registry.dispose();
  });

  /** The context key that decides whether the view is there. */
  async function isOffered(): Promise<unknown> {
    await new Promise(setImmediate);
    return vscode.editor.executed.filter(([, key]) => key === "platformWorkbench.signedOut").at(-1)?.[2];
  }
  const signIn = async (id: string): Promise<void> => {
    await secrets.saveCredential(tenants.get(id) ?? assert.fail(id), "s3cret-of-a-person", "Ada Example");
  };

  it("is there only while a folder of the window belongs to such a tenant", async () => {
    assert.equal(await isOffered(), false, "no folder");
    vscode.editor.showFolders(uriOf("acme", "w-1"));
    assert.equal(await isOffered(), true);
    await signIn("acme");
    assert.equal(await isOffered(), false);
    vscode.editor.showFolders(uriOf("acme", "w-1"), uriOf("beta", "w-2"));
    assert.equal(await isOffered(), true, "one of two tenants");
    assert.equal(vscode.editor.treeViews.at(-1)?.title, "Signed Out of beta");
    await signIn("beta");
    assert.equal(await isOffered(), false);
    await secrets.signOut("beta");
    assert.equal(await isOffered(), true);
  });

  it("isn't there for folders of other schemes and of tenants that aren't in the settings", async () => {
    vscode.editor.showFolders(vscode.Uri.file("/project"), uriOf("gone", "w-1"));
    assert.equal(await isOffered(), false);
  });
});
