import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCheckpoint, listCheckpoints } from "../../src/api/catalogue/operations/checkpoints.ts";
import * as contents from "../../src/api/catalogue/operations/contents.ts";
import * as pages from "../../src/api/catalogue/operations/pages.ts";
import * as sandbox from "../../src/api/catalogue/operations/sandbox.ts";
import { deleteTrigger, listTriggers } from "../../src/api/catalogue/operations/triggers.ts";
import { listWorkflows } from "../../src/api/catalogue/operations/workflows.ts";
import { getSettings, getWorkspace, updateWorkspace } from "../../src/api/catalogue/operations/workspaces.ts";
import { Client } from "../../src/api/client/client.ts";
import { allPageSummaries, readPageTree, removeShare } from "../../src/api/families/pages/pages.ts";
import { allGroups, allUsers } from "../../src/api/families/people.ts";
import {
  addDomainsWithAccess,
  allCommitRequests,
  commitRepository,
  commitRequestsOf,
  commitsOf,
  permissionUpdateFor,
  promoteAndSeed,
} from "../../src/api/families/sandbox.ts";
import { createTimerTrigger, isDeleted, readExecutions } from "../../src/api/families/workflows.ts";
import { startWorkspace } from "../../src/api/families/workspace-start.ts";
import { computeTierLabel } from "../../src/api/families/workspaces.ts";
import { NotebookToken, PlatformCredential } from "../../src/api/http/credentials.ts";
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

  it("create a TIMER for a user of the list, because the signed-in user is unknown, and delete it", async () => {
    const [workflow] = await client.call(listWorkflows, {});
    const modelId = workflow?.id ?? assert.fail("there is no workflow");
    const timer = { name: "Daily", modelId, modelVersion: "1.0.0", cron: "0 7 * * 1", timeZone: "GMT" };
    await assert.rejects(
      createTimerTrigger(client, timer),
      (error) => error instanceof PlatformError && error.operationId === "users.me",
    );
    const { value: [user] = [] } = await allUsers(client).next();
    const userId = user?.id ?? assert.fail("there is no user");
    const { id } = await createTimerTrigger(client, { ...timer, userId });
    const triggerId = id ?? assert.fail("it has no ID");
    const own = async () =>
      (await client.call(listTriggers, { entityType: "USER", entityId: userId })).find((one) => one.id === triggerId);
    assert.deepEqual((await own())?.metadata, { type: "TIMER", cron: timer.cron, timeZone: "GMT" });
    await client.call(deleteTrigger, { triggerId });
    assert.equal(isDeleted((await own()) ?? assert.fail("it is no longer listed")), true);
  });

  it("read, start, and update a workspace by its ID", async () => {
    const stopped = tenant.workspaces.find(({ status }) => status !== "running") ?? assert.fail("every workspace runs");
    const workspaceId = stopped.id;
    assert.equal((await client.call(getSettings, {})).isEnabled, true);
    const workspace = await client.call(getWorkspace, { workspaceId });
    assert.match(computeTierLabel(workspace) ?? "", /^[\d.]+ CPU \/ \d+ GB$/);
    assert.deepEqual(await startWorkspace(client, workspaceId), { outcome: "started", text: "workspace started" });
    const inputConfiguration = { orders: { dataSourceId: "d-1" } };
    await client.call(updateWorkspace, { workspaceId, body: { ...workspace, inputConfiguration } });
    assert.deepEqual((await client.call(getWorkspace, { workspaceId })).inputConfiguration, inputConfiguration);
  });

  it("create, read, list, rename, and delete contents, and keep their checkpoints", async () => {
    const { id, contentUrl } = tenant.workspaces.find(({ status }) => status === "running") ?? assert.fail();
    const credential = new NotebookToken(tenant.url, tenant.notebookToken(id));
    const destination = { kind: "notebook", base: new URL(contentUrl), dialect: dialects.documented } as const;
    const content = new Client({ ...destination, credential, limits: singleUserLimits }, transport);
    const made = await content.call(contents.createContent, {
      parentPath: "data",
      body: { type: "file", path: "data" },
    });
    const [oldPath, to] = [made.path, "data/described.txt"];
    await content.call(contents.renameContent, { oldPath, body: { path: to } });
    await content.call(contents.updateContent, { path: to, body: { type: "file", format: "text", content: "ü" } });
    assert.equal((await content.call(contents.getContent, { path: to })).content, "ü");
    const { id: checkpointId } = await content.call(createCheckpoint, { path: to });
    assert.deepEqual(
      (await content.call(listCheckpoints, { path: to })).map((one) => one.id),
      [checkpointId],
    );
    const listed = await content.call(contents.getContent, { path: "data" });
    assert.equal(JSON.stringify(listed.content).includes(to), true);
    await content.call(contents.deleteContent, { path: to });
    await assert.rejects(content.call(contents.getContent, { path: to }), /404/);
  });

  it("read a repository that commit requests name, commit it, and change its access and permissions", async () => {
    const { value: [request] = [] } = await allCommitRequests(client).next();
    const repositoryId = request?.repositoryId ?? assert.fail("no commit request names a repository");
    const { id, deployments } = await client.call(sandbox.getRepository, { repositoryId });
    assert.equal(id, repositoryId);
    assert.equal((await commitsOf(client, repositoryId)).items.length > 0, true);
    const { sentEventId } = await commitRepository(client, repositoryId, { summary: "Described" });
    const { items } = await commitRequestsOf(client, repositoryId);
    assert.equal(
      items.some(({ pusherEventId }) => pusherEventId === sentEventId),
      true,
    );
    assert.equal((await addDomainsWithAccess(client, repositoryId, ["b.example.com"])).includes("b.example.com"), true);
    const body = [permissionUpdateFor({ userId: 9 }, "EDIT")];
    await client.call(sandbox.updateRepositoryPermissions, { repositoryId, body });
    const { userPermissions } = await client.call(sandbox.getRepositoryPermissions, { repositoryId });
    assert.equal(userPermissions?.["9"], "EDIT");
    const deploymentId = deployments?.[0]?.id;
    if (deploymentId !== undefined && deploymentId !== null) {
      const commitId = String((await commitsOf(client, repositoryId)).items[0]?.id);
      await promoteAndSeed(client, { repositoryId, deploymentId }, { commitId, mapping: [] });
    }
  });
});
