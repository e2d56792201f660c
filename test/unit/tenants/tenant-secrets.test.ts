import assert from "node:assert/strict";
import "../../harness/editor-stand-in/register.ts";
import { StandInSecrets } from "../../harness/editor-stand-in/memory.ts";

describe("the secrets of tenants", () => {
  it("tell every window that a tenant was signed out of, and no window of another change", async () => {
    const { TenantSecrets } = await import("../../../src/tenants/tenant-secrets.ts");
    const { readTenant } = await import("../../../src/tenants/tenant.ts");
    const read = readTenant({ id: "acme", label: "Acme", baseUrl: "https://acme.example.com" }, "settings");
    assert.ok("tenant" in read);
    const storage = new StandInSecrets();
    const [here, there] = [new TenantSecrets(storage), new TenantSecrets(storage)];
    const signedOut: string[] = [];
    here.onDidSignOut((tenantId) => signedOut.push(`here ${tenantId}`));
    there.onDidSignOut((tenantId) => signedOut.push(`there ${tenantId}`));
    await here.saveCredential(read.tenant, "a credential", "Anna");
    await here.saveNotebookToken(read.tenant, "w-1", "https://notebooks.example.com", "a token");
    await here.removeNotebookToken("acme", "w-1");
    await new Promise(setImmediate);
    assert.deepEqual(signedOut, []);
    await here.signOut("acme");
    await new Promise(setImmediate);
    assert.deepEqual(signedOut.toSorted(), ["here acme", "there acme"]);
    here.dispose();
    there.dispose();
  });
});
