import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pages from "../../src/api/catalogue/operations/pages.ts";
import { listWorkflows } from "../../src/api/catalogue/operations/workflows.ts";
import { Client } from "../../src/api/client/client.ts";
import { allPageSummaries, readPageTree, removeShare } from "../../src/api/families/pages.ts";
import { allGroups, allUsers } from "../../src/api/families/people.ts";
import { createTimerTrigger, readExecutions } from "../../src/api/families/workflows.ts";
import { PlatformCredential } from "../../src/api/http/credentials.ts";
import { dialects } from "../../src/api/http/dialects.ts";
import { PlatformError } from "../../src/api/http/errors.ts";
import { singleUserLimits } from "../../src/api/http/response-limits.ts";
import { createTransport, type Transport } from "../../src/api/http/transport.ts";
import { type SampleTenant, startSampleTenant } from "../../src/programs/sample-tenant/server.ts";

describe("the families on a platform that rejects every undescribed query", () => {
  let directory: string;
  let tenant: SampleTenant;
  let transport: Transport;
  let client: Client<"platform">;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-described-client-"));
    tenant = await startSampleTenant({ dataDirectory: directory, described: "strict", bootSeconds: 0 });
    transport = createTransport();
    const credential = new PlatformCredential(tenant.url, tenant.platformToken);
    const base = new URL(tenant.url);
    const destination = { kind: "platform", base, dialect: dialects.documented, credential } as const;
    client = new Client({ ...destination, limits: singleUserLimits }, transport);
  });
  after(async () => {
    await transport.close();
    await tenant.stop();
    await rm(directory, { recursive: true });
  });

  async function countOf(lists: AsyncIterable<readonly unknown[]>): Promise<number> {
    let count = 0;
    for await (const list of lists) {
      count += list.length;
    }
    return count;
  }

  // Proves 4.7: Lists of people are requested without a query
  it("list people, page summaries, and executions completely, and filter them locally", async () => {
    assert.equal((await countOf(allUsers(client))) > 3, true);
    assert.equal((await countOf(allGroups(client))) > 1, true);
    assert.equal((await countOf(allPageSummaries(client, { pageTitleSearchText: "sales" }))) > 3, true);
    const [workflow] = await client.call(listWorkflows, {});
    const modelId = workflow?.id ?? assert.fail("there is no workflow");
    const [all, own] = [await readExecutions(client), await readExecutions(client, { modelId, status: "COMPLETED" })];
    assert.equal(own.length > 0 && own.length < all.length, true);
    assert.equal(
      own.every((execution) => execution.modelId === modelId && execution.status === "COMPLETED"),
      true,
    );
  });

  it("read the hierarchy, copy a page, remove a share, and keep the collections of a page", async () => {
    const [page] = await readPageTree(client);
    const pageId = page?.id ?? assert.fail("there is no page");
    await client.call(pages.duplicatePage, { pageId });
    await removeShare(client, { type: "group", id: 35, pageIds: [pageId] });
    await client.call(pages.addPageCollection, { pageId, body: { collectionId: "9001" } });
    const [collection] = await client.call(pages.listPageCollections, { pageId });
    assert.equal(collection?.title, "Quarterly review");
    const membership = { pageId, pageCollectionId: String(collection?.id) };
    await client.call(pages.updatePageCollection, { ...membership, body: { collectionId: "9002" } });
    await client.call(pages.removePageCollection, membership);
    assert.deepEqual(await client.call(pages.listPageCollections, { pageId }), []);
  });

  it("don't send a TIMER, because the signed-in user is unknown", async () => {
    const timer = { name: "Daily", modelId: "m", modelVersion: "1.0.0", cron: "0 0 7 ? * *", timeZone: "GMT" };
    await assert.rejects(
      createTimerTrigger(client, timer),
      (error) => error instanceof PlatformError && error.operationId === "users.me",
    );
  });
});
