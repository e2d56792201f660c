import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importTenantFile } from "../../../src/tenants/tenant-file.ts";
import { TenantRegistry } from "../../../src/tenants/tenant-registry.ts";
import { TenantSecrets } from "../../../src/tenants/tenant-secrets.ts";
import { StandInMemento, StandInSecrets } from "../../harness/editor-stand-in/memory.ts";

describe("a tenant file", () => {
  let directory: string;
  let path: string;
  const { getuid } = process;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-tenant-file-"));
    path = join(directory, "tenant.json");
    await writeFile(path, JSON.stringify({ id: "acme", baseUrl: "https://acme.example.com", token: "a-token" }), {
      mode: 0o600,
    });
  });
  afterEach(() => {
    if (getuid !== undefined) process.getuid = getuid;
  });
  after(() => rm(directory, { recursive: true }));

  async function taken(): Promise<readonly string[]> {
    const registry = new TenantRegistry(new StandInMemento());
    const secrets = new TenantSecrets(new StandInSecrets());
    try {
      await importTenantFile(path, registry, secrets, () => false);
      return registry.all.map(({ id }) => id);
    } finally {
      registry.dispose();
      secrets.dispose();
    }
  }

  it("of this account provides its tenants", async () => {
    assert.deepEqual(await taken(), ["acme"]);
  });

  it("that other accounts can read is refused", async () => {
    await chmod(path, 0o640);
    try {
      await assert.rejects(taken(), /Other accounts on this computer can read the tenant file .*chmod 600/);
    } finally {
      await chmod(path, 0o600);
    }
  });

  it("of another account is refused, also if this account can read it", async () => {
    const own = getuid?.() ?? 0;
    process.getuid = () => own + 1;
    await assert.rejects(taken(), /belongs to another account.*Copy it to a file of your own/);
  });
});
