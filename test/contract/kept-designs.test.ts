import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getDesignAssets } from "../../src/api/catalogue/operations/designs.ts";
import type { PlatformClient } from "../../src/api/client/client.ts";
import { Client } from "../../src/api/client/client.ts";
import { addDesignAdmins, allDesigns } from "../../src/api/families/designs.ts";
import { allCommitRequests, allPromotions, allRepositories, commitRepository } from "../../src/api/families/sandbox.ts";
import { PlatformCredential } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { startSampleTenant } from "../../src/programs/sample-tenant/server.ts";

async function everything<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) {
    items.push(...page);
  }
  return items;
}

/** The tenant's designs and repositories, with a hash of an archive. */
async function all(client: PlatformClient) {
  const designs = await everything(allDesigns(client));
  const [{ id = "", latestVersion } = {}] = designs;
  const archive = await client.call(getDesignAssets, { designId: id, version: latestVersion ?? "" });
  return {
    designs,
    archive: createHash("sha256").update(archive).digest("hex"),
    repositories: await everything(allRepositories(client)),
    commitRequests: await everything(allCommitRequests(client)),
    promotions: await everything(allPromotions(client)),
  };
}

describe("app designs and sandbox of the sample tenant", () => {
  const directories: string[] = [];
  let transport: Transport;
  before(() => {
    transport = createTransport({ sleep: async () => {} });
  });
  after(async () => {
    await transport.close();
    await Promise.all(directories.map((directory) => rm(directory, { recursive: true })));
  });

  async function newDirectory(): Promise<string> {
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-kept-"));
    directories.push(directory);
    return directory;
  }

  /** Runs the work against a tenant that starts for it. A second tenant finds only what is stored on disk. */
  async function during<T>(
    dataDirectory: string,
    work: (client: PlatformClient) => Promise<T>,
    now = new Date(),
  ): Promise<T> {
    const tenant = await startSampleTenant({ dataDirectory, now });
    try {
      const credential = new PlatformCredential(tenant.url, tenant.platformToken);
      const base = new URL(tenant.url);
      return await work(
        new Client(
          { kind: "platform", base, dialect: dialects.documented, credential, limits: singleUserLimits },
          transport,
        ),
      );
    } finally {
      await tenant.stop();
    }
  }

  it("are the same for each new tenant of the same time", async () => {
    const now = new Date();
    const one = await during(await newDirectory(), all, now);
    const other = await during(await newDirectory(), all, now);
    assert.deepEqual(one, other);
    assert.deepEqual([one.designs.length, one.repositories.length], [40, 6]);
    for (const { id } of one.repositories) {
      assert.equal(one.commitRequests.filter(({ repositoryId }) => repositoryId === id).length >= 3, true);
    }
  });

  it("survive restarts, including all changes", async () => {
    const directory = await newDirectory();
    const [designId, requestId] = await during(directory, async (client) => {
      const { designs, repositories } = await all(client);
      const { id } = designs[7] ?? assert.fail();
      await addDesignAdmins(client, id, [700_000_001]);
      const made = await commitRepository(client, repositories[0]?.id ?? "", { summary: "Kept ✓" });
      return [id, made?.id];
    });
    const { designs, commitRequests } = await during(directory, all);
    const owners = designs.find(({ id }) => id === designId)?.owners;
    assert.equal(
      owners?.some(({ id }) => id === 700_000_001),
      true,
    );
    assert.equal(commitRequests.find(({ id }) => id === requestId)?.summary, "Kept ✓");
  });
});
