import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duplicatePage, removePageCollection } from "../../src/api/catalogue/operations/pages.ts";
import * as triggers from "../../src/api/catalogue/operations/triggers.ts";
import { getSignedInUser } from "../../src/api/catalogue/operations/users.ts";
import type { PlatformClient } from "../../src/api/client/client.ts";
import { Client } from "../../src/api/client/client.ts";
import { PageHierarchy } from "../../src/api/families/pages/page-hierarchy.ts";
import type { PageNode } from "../../src/api/families/pages/page-tree.ts";
import { readPageTree } from "../../src/api/families/pages/pages.ts";
import { createTimerTrigger, isDeleted, readExecutions } from "../../src/api/families/workflows.ts";
import { PlatformCredential } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { startSampleTenant } from "../../src/programs/sample-tenant/server.ts";

function titles(nodes: readonly PageNode[]): readonly string[] {
  return nodes.flatMap(({ title, children }) => [title, ...titles(children)]);
}

describe("pages and workflows of the sample tenant", () => {
  let dataDirectory = "";
  let transport: Transport;
  before(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), "platform-workbench-kept-"));
    transport = createTransport({ sleep: async () => {} });
  });
  after(async () => {
    await transport.close();
    await rm(dataDirectory, { recursive: true });
  });

  /** Runs the work against a tenant that starts for it. A second tenant finds only what is stored on disk. */
  async function during<T>(work: (client: PlatformClient) => Promise<T>, directory = dataDirectory): Promise<T> {
    const tenant = await startSampleTenant({ dataDirectory: directory });
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

  it("include pages at any depth", async () => {
    const directory = join(dataDirectory, "deep");
    await during(async () => {}, directory);
    const path = join(directory, "state.json");
    const state = JSON.parse(await readFile(path, "utf8"));
    const [page] = state.pages.pages;
    const [count, firstId] = [10_000, 1_000_000];
    state.pages.pages = Array.from({ length: count }, (_, index) => ({
      ...page,
      id: firstId + index,
      title: `Page ${index + 1}`,
      parentId: index === 0 ? null : firstId + index - 1,
    }));
    await writeFile(path, JSON.stringify(state));
    await during(async (client) => {
      const hierarchy = new PageHierarchy(await readPageTree(client));
      assert.equal(hierarchy.size, count);
      assert.equal(hierarchy.parentOf(String(firstId + count - 1))?.title, `Page ${count - 1}`);
    }, directory);
  });

  async function all(client: PlatformClient) {
    const { id } = await client.call(getSignedInUser, {});
    return {
      pages: titles(await readPageTree(client)),
      executions: await readExecutions(client),
      timers: await client.call(triggers.listTriggers, { entityType: "USER", entityId: String(id) }),
    };
  }

  it("survive restarts, including all changes", async () => {
    const first = await during(async (client) => {
      const before = await all(client);
      await client.call(duplicatePage, { pageId: "1001", body: { pageTitle: "Kept ✓" } });
      await client.call(removePageCollection, { pageId: "1002", pageCollectionId: "51" });
      const modelId = before.timers[0]?.modelId ?? assert.fail("there is no timer");
      const timer = { modelId, modelVersion: String(before.timers[0]?.modelVersion), timeZone: "Asia/Tokyo" };
      const made = await createTimerTrigger(client, { ...timer, name: "Kept", cron: "0 7 * * *" });
      const gone = await createTimerTrigger(client, { ...timer, name: "Gone", cron: "0 7 * * *" });
      await client.call(triggers.deleteTrigger, { triggerId: String(gone.id) });
      return { before, made, after: await all(client) };
    });
    const second = await during(all);
    assert.deepEqual(second, first.after);
    assert.deepEqual(
      second.pages.filter((title) => !first.before.pages.includes(title)),
      ["Kept ✓"],
    );
    assert.deepEqual(second.timers.slice(first.before.timers.length).map(isDeleted), [false, true]);
    assert.deepEqual(second.executions, first.before.executions, "executions changed with a new trigger");
  });

  it("are the same for a new tenant, except for the times of executions", async () => {
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-new-"));
    try {
      const [one, other] = [await during(all), await during(all, directory)];
      assert.deepEqual(
        one.pages.filter((title) => title !== "Kept ✓"),
        other.pages,
      );
      const facts = ({ executions }: typeof one) =>
        executions.map(({ id, modelName, triggerType }) => [id, modelName, triggerType]);
      assert.deepEqual(facts(one).toSorted(), facts(other).toSorted());
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it("are added to a tenant that was created before they existed", async () => {
    const directory = await mkdtemp(join(tmpdir(), "platform-workbench-old-"));
    try {
      await during(all, directory);
      const path = join(directory, "state.json");
      const { version, workspaces, dataflows } = JSON.parse(await readFile(path, "utf8"));
      await writeFile(path, JSON.stringify({ version, workspaces, dataflows }));
      assert.equal((await during(all, directory)).pages.length >= 30, true);
      assert.equal((await stat(path)).size < 500_000, true, "the state is written whole at every change");
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
