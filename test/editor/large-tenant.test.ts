import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { AccountScope } from "../../src/api/client/account-scope.ts";
import type { DispatchRequest } from "../../src/api/http/dispatch.ts";
import { designsTree } from "../../src/features/designs/tree.ts";
import { workflowsTree } from "../../src/features/workflows/tree.ts";
import type { TreeDefinition, TreeParts, TreeRow } from "../../src/ui/tree/definition.ts";
import { BranchListing } from "../../src/ui/tree/listing.ts";
import { type FakePlatform, fakePlatform, json } from "../unit/api/fake-platform.ts";

const count = 10_000;
/** Of the extension host's memory, for all rows of a tree at the same time. */
const maxBytesPerRow = 2_000;

const designs = Array.from({ length: count }, (_, index) => ({
  id: `design-${index}`,
  name: `Design ${index}`,
  owner: 1 + (index % 50),
  latestVersion: "1.4.0",
  versions: ["1.4.0", "1.3.0"],
  owners: [{ id: 1 + (index % 50), displayName: `Person ${index % 50}` }],
}));
const workflows = Array.from({ length: count }, (_, index) => ({
  id: `workflow-${index}`,
  name: `Workflow ${index}`,
  description: "Refreshes the figures of the region every night",
  owner: String(1 + (index % 50)),
  createdOn: "2025-11-18T16:42:05.104Z",
  updatedOn: "2025-11-18T16:42:05.104Z",
}));

function queryOf({ path }: DispatchRequest): URLSearchParams {
  return new URL(path, "http://platform.example.com").searchParams;
}

function designPages(): FakePlatform {
  return fakePlatform((request) => {
    const query = queryOf(request);
    const [offset, limit] = [Number(query.get("offset")), Number(query.get("limit"))];
    const found = designs.filter(({ name }) => name.toLowerCase().includes((query.get("search") ?? "").toLowerCase()));
    return json(200, found.slice(offset, offset + limit));
  });
}

function workflowList(): FakePlatform {
  return fakePlatform(() => json(200, workflows));
}

/** A tree's top-level list as the view reads it, with a function as the platform. */
function listOf<Row extends TreeRow>(
  define: (parts: TreeParts) => TreeDefinition<Row>,
  fake: FakePlatform,
): BranchListing<Row> {
  const account = new AccountScope();
  // The lists at the top of a tree get their client: they use nothing else of these.
  const parts = Object.freeze({ connections: { account: () => account } }) as unknown as TreeParts;
  const branch = define(parts).top("acme");
  return new BranchListing<Row>({ branch, connect: async () => fake.platform, onChange: () => {} });
}

function hasMore(listing: BranchListing<TreeRow>): boolean {
  assert.equal(listing.state.type, "ready");
  return listing.state.type === "ready" && listing.state.hasMore;
}

async function readAll(listing: BranchListing<TreeRow>): Promise<void> {
  for (let page = 0; page < count && hasMore(listing); page += 1) {
    await listing.more();
  }
}

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");

function bytesInUse(): number {
  assert.ok(typeof collectGarbage === "function");
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe("a tenant with 10,000 designs and 10,000 workflows", () => {
  it("shows the first designs after one request, and filters them on the platform with one more", async () => {
    const fake = designPages();
    const listing = listOf(designsTree, fake);
    await listing.ensure("");
    assert.equal(fake.requests.length, 1);
    assert.deepEqual([listing.rows.length, hasMore(listing)], [30, true]);
    await listing.ensure("design 777");
    assert.equal(fake.requests.length, 2);
    const [, filtered] = fake.requests;
    assert.ok(filtered !== undefined);
    assert.equal(queryOf(filtered).get("search"), "design 777");
    assert.deepEqual([listing.rows.length, hasMore(listing)], [11, false]);
  });

  it("shows the first workflows after one request, and requests the list for a filter, because there is no search", async () => {
    const fake = workflowList();
    const listing = listOf(workflowsTree, fake);
    await listing.ensure("");
    assert.equal(fake.requests.length, 1);
    assert.deepEqual([listing.rows.length, hasMore(listing)], [50, true]);
    await listing.more();
    assert.deepEqual([fake.requests.length, listing.rows.length], [1, 100]);
    await listing.ensure("workflow 777");
    assert.deepEqual([fake.requests.length, listing.rows.length, hasMore(listing)], [2, 11, false]);
  });

  it("uses no more memory than its rows need, and releases it with them", async () => {
    const before = bytesInUse();
    const design = listOf(designsTree, designPages());
    const workflow = listOf(workflowsTree, workflowList());
    for (const listing of [design, workflow]) {
      await listing.ensure("");
      await readAll(listing);
      assert.equal(listing.rows.length, count);
    }
    const full = bytesInUse() - before;
    console.log(`      ${Math.round(full / 1_000_000)} MB for ${2 * count} rows`);
    assert.ok(full < 2 * count * maxBytesPerRow, `${full} bytes`);
    // Repeated reading keeps only one copy, not one for each read.
    for (let round = 0; round < 3; round += 1) {
      await workflow.refresh();
      await workflow.ensure("workflow 1");
      await workflow.ensure("");
      await design.ensure("design 1");
      await design.ensure("");
    }
    assert.equal(design.rows.length, 30);
    const after = bytesInUse() - before;
    console.log(`      ${Math.round(after / 1_000_000)} MB after they were filtered and read again`);
    assert.ok(after < full, `${after} bytes after ${full}`);
  });
});
