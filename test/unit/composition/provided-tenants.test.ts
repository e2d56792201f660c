import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "../../../src/api/http/log.ts";
import { addProvidedTenants, rememberSignOuts } from "../../../src/composition/provided-tenants.ts";
import { TenantRegistry } from "../../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../../src/tenants/tenant-secrets.ts";
import { StandInMemento, StandInSecrets } from "../../harness/editor-stand-in/memory.ts";

const file = {
  id: "acme",
  label: "Acme",
  baseUrl: "https://acme.example.com",
  token: "a-credential",
  notebookTokens: { "w-1": "a-notebook-token" },
};
const variable = "PLATFORM_WORKBENCH_TENANT_FILE";

describe("tenants that are not in the settings", () => {
  const original = process.env[variable];
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-provided-"));
    process.env[variable] = join(directory, "tenant.json");
    await writeFile(join(directory, "tenant.json"), JSON.stringify(file), { mode: 0o600 });
  });
  after(async () => {
    if (original === undefined) delete process.env[variable];
    else process.env[variable] = original;
    await rm(directory, { recursive: true, force: true });
  });

  /** A window of the editor. Its state is stored, its secrets are not. */
  async function window(state: StandInMemento) {
    const registry = new TenantRegistry(state);
    const secrets = new TenantSecrets(new StandInSecrets());
    const errors: string[] = [];
    const log = { ...silentLog, error: (line: string) => errors.push(line), show: () => {} };
    const remembering = rememberSignOuts({ registry, secrets, state, log });
    await addProvidedTenants({ registry, secrets, state, log, sample: () => assert.fail("it was not tried") });
    assert.deepEqual(errors, []);
    const tenant = registry.get("acme");
    assert.ok(tenant !== undefined, "it is listed, signed in to or not");
    const close = (): void => {
      for (const part of [remembering, secrets, registry]) part.dispose();
    };
    const isSignedIn = async (): Promise<boolean> => (await secrets.credential(tenant)) !== undefined;
    return { secrets, tenant, isSignedIn, close };
  }

  it("stay signed out over a reload, until the user signs in again", async () => {
    let stored = "";
    const state = new StandInMemento("{}", (json) => {
      stored = json;
    });
    const first = await window(state);
    assert.equal(await first.isSignedIn(), true);
    assert.equal(stored, "", "nothing is stored before");
    await first.secrets.removeNotebookToken("acme", "w-1");
    await first.secrets.signOut("acme");
    await new Promise(setImmediate);
    first.close();

    const second = await window(state);
    assert.equal(await second.isSignedIn(), false);
    assert.equal(await second.secrets.notebookToken("acme", "w-1"), undefined);
    await second.secrets.saveCredential(second.tenant, "a-credential", "Anna");
    await new Promise(setImmediate);
    second.close();
    assert.doesNotMatch(stored, /credential|token/);

    const third = await window(state);
    assert.equal(await third.isSignedIn(), true);
    assert.ok((await third.secrets.notebookToken("acme", "w-1")) !== undefined);
    third.close();
  });

  it("stay signed out of in a window that was told by another one, too", async () => {
    const state = new StandInMemento();
    const first = await window(state);
    await first.secrets.signedOutElsewhere("acme", false);
    await new Promise(setImmediate);
    first.close();
    const second = await window(state);
    assert.equal(await second.isSignedIn(), false);
    second.close();
  });
});
