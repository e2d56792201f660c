import assert from "node:assert/strict";
import { extensionLog } from "../../../src/tenants/extension-log.ts";
import { readTenant } from "../../../src/tenants/tenant.ts";
import { TenantSecrets } from "../../../src/tenants/tenant-secrets.ts";
import { StandInSecrets } from "../../harness/editor-stand-in/memory.ts";

describe("the secrets of tenants", () => {
  it("notify every window of a sign-out, but not of other changes", async () => {
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

  it("belong to one account: if another one signs in without a sign-out, the first one is signed out", async () => {
    const read = readTenant({ id: "acme", label: "Acme", baseUrl: "https://acme.example.com" }, "settings");
    assert.ok("tenant" in read);
    const secrets = new TenantSecrets(new StandInSecrets());
    const events: string[] = [];
    secrets.onDidSignOut((tenantId) => events.push(`out of ${tenantId}`));
    secrets.onDidSignOutHere((tenantId) => events.push(`out of ${tenantId} here`));
    await secrets.saveCredential(read.tenant, "first", "Anna");
    await secrets.saveNotebookToken(read.tenant, "w-1", "https://notebooks.example.com", "a token");
    await secrets.saveCredential(read.tenant, "renewed", "Anna");
    await new Promise(setImmediate);
    assert.deepEqual(events, []);
    assert.ok((await secrets.notebookToken("acme", "w-1")) !== undefined);
    await secrets.saveCredential(read.tenant, "second", "Ben");
    await new Promise(setImmediate);
    assert.deepEqual(new Set(events), new Set(["out of acme", "out of acme here"]));
    assert.equal(await secrets.notebookToken("acme", "w-1"), undefined);
    assert.equal(await secrets.account(read.tenant), "Ben");
    secrets.dispose();
  });

  it("are removed after signing out in another window: those in memory, and the stored ones where storage is not shared", async () => {
    const tenantFrom = (source: "settings" | "provided", id: string) => {
      const read = readTenant({ id, label: id, baseUrl: "https://acme.example.com" }, source);
      return "tenant" in read ? read.tenant : assert.fail(String(read.problem));
    };
    const [stored, provided, other] = [
      tenantFrom("settings", "stored"),
      tenantFrom("provided", "provided"),
      tenantFrom("provided", "provided-too"),
    ];
    const secrets = new TenantSecrets(new StandInSecrets());
    const signedOut = new Set<string>();
    const here: string[] = [];
    secrets.onDidSignOut((tenantId) => signedOut.add(tenantId));
    secrets.onDidSignOutHere((tenantId) => here.push(tenantId));
    for (const tenant of [stored, provided, other]) {
      await secrets.saveCredential(tenant, "a credential", "Anna");
      await secrets.saveNotebookToken(tenant, "w-1", "https://notebooks.example.com", "a token");
    }
    const keptOf = async () => {
      const all = [stored, provided, other];
      const kept = await Promise.all(all.map(async (tenant) => (await secrets.credential(tenant)) && tenant.id));
      return kept.filter((id) => id !== undefined);
    };
    await secrets.signedOutElsewhere("stored", false);
    await secrets.signedOutElsewhere("provided", false);
    assert.deepEqual(await keptOf(), ["stored", "provided-too"]);
    assert.equal(await secrets.notebookToken("provided", "w-1"), undefined);
    await secrets.signedOutElsewhere("stored", true);
    assert.deepEqual(await keptOf(), ["provided-too"]);
    await new Promise(setImmediate);
    assert.deepEqual([...signedOut].toSorted(), ["provided", "stored"]);
    assert.deepEqual(here, [], "other windows are told once");
    secrets.dispose();
  });

  it("are redacted in every line of the log, even after they were removed", async () => {
    const read = readTenant(
      { id: "acme", baseUrl: "https://acme.example.com", frontDoor: { url: "https://tools.example.com" } },
      "settings",
    );
    assert.ok("tenant" in read);
    const storage = new StandInSecrets();
    const earlier = new TenantSecrets(storage);
    await earlier.saveNotebookToken(read.tenant, "w-1", "https://notebooks.example.com", "from-an-earlier-session");
    earlier.dispose();
    const secrets = new TenantSecrets(storage);
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const channel = { info: write, debug: write, trace: write, warn: write, error: write, show: () => {} };
    const log = extensionLog(channel, (text) => secrets.redacted(text));
    log.info("nothing is known");
    await secrets.notebookToken("acme", "w-1");
    await secrets.saveCredential(read.tenant, "the/credential", "Anna");
    log.debug("echoed from-an-earlier-session and the/credential");
    const origin = "https://tools.example.com";
    const refresh = { origin, secret: "refresh-token" };
    await secrets.saveFrontDoorToken(read.tenant, { origin, secret: "short", refresh });
    await secrets.signOut("acme");
    log.trace("echoed the%2Fcredential");
    log.warn("echoed refresh-token");
    log.error("a word as short as a short secret");
    assert.deepEqual(lines, [
      "nothing is known",
      "echoed [redacted] and [redacted]",
      "echoed [redacted]",
      "echoed [redacted]",
      "a word as short as a short secret",
    ]);
    secrets.dispose();
  });
});
