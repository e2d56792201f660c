import assert from "node:assert/strict";
import { mock } from "node:test";
import { PlatformCredential } from "../../../../src/api/http/credentials.ts";
import { readTenant } from "../../../../src/tenants/tenant.ts";
import type { BranchPage, TreeDefinition, TreeRow } from "../../../../src/ui/tree/definition.ts";
import type { TreeElement } from "../../../../src/ui/tree/elements.ts";
import { TreeContent } from "../../../../src/ui/tree/tree-content.ts";
import { until } from "../../../harness/until.ts";
import { fakePlatform } from "../../api/fake-platform.ts";

describe("the content of a tree with several tenants", () => {
  const tenants = ["acme", "beta"].map((id) => {
    const read = readTenant({ id, baseUrl: `https://${id}.example.com` });
    assert.ok("tenant" in read);
    return read.tenant;
  });
  const rows = [{ type: "workspace", tenantId: "acme", key: "forecast" }];
  const { platform } = fakePlatform(() => assert.fail("lists are read without requests in these tests"));
  let read: () => Promise<BranchPage<TreeRow>>;
  const definition: TreeDefinition<TreeRow> = {
    view: "workspaces",
    words: { signedOut: "", filterTitle: "", filterPlaceholder: "", filtered: (filter) => filter },
    top: () => ({ key: "top", words: { things: "", empty: "" }, pageSize: 50, read: () => read() }),
    below: () => undefined,
    item: () => assert.fail("the editor requests no row in these tests"),
  };
  let redrawn: unknown[] = [];
  /** The rows that the editor shows. */
  let drawn: readonly unknown[] = [];
  let content: TreeContent<TreeRow>;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    redrawn = [];
    drawn = rows;
    read = async () => ({ rows, hasMore: false });
    content = new TreeContent({
      definition,
      parts: {
        connections: { platform: async () => platform },
        log: { warn: (line) => assert.fail(line) },
        registry: { all: tenants, current: tenants[0] },
        secrets: { credential: async ({ baseUrl }) => new PlatformCredential(baseUrl, "token") },
      },
      redraw: (element) => redrawn.push(element),
      isDrawn: ({ row }) => drawn.includes(row),
      onListChange: () => {},
      onRowChange: () => {},
    });
  });
  afterEach(() => {
    content.dispose();
    mock.timers.reset();
  });

  // The editor can receive the tenants from before a redraw after it, and then shows them with nothing below them.
  it("is redrawn again if the editor doesn't request the tenants after a redraw", async () => {
    await content.children(undefined, "");
    content.redrawAll();
    assert.deepEqual(redrawn, [undefined]);
    mock.timers.tick(2_000);
    assert.deepEqual(redrawn, [undefined, undefined]);
    const shown = await content.children(undefined, "");
    assert.deepEqual(
      shown.map((element) => element.type === "tenant" && element.tenant.id),
      ["acme", "beta"],
    );
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, [undefined, undefined]);
  });

  it("is redrawn once if the editor requests the tenants", async () => {
    content.redrawAll();
    await content.children(undefined, "");
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, [undefined]);
  });

  /** Gives the editor the first tenant's list while it is still being read, then reads it. */
  async function showAsLoading(): Promise<TreeElement<TreeRow>> {
    const held = Promise.withResolvers<BranchPage<TreeRow>>();
    read = () => held.promise;
    const [first] = await content.children(undefined, "");
    assert.ok(first !== undefined);
    const shown = await content.children(first, "");
    assert.deepEqual(
      shown.map(({ type }) => type),
      ["loading"],
    );
    held.resolve({ rows, hasMore: false });
    await until("the redraw of the list", () => redrawn.length > 0);
    assert.deepEqual(redrawn, [first]);
    return first;
  }

  it("has a list redrawn again while the editor shows it as loading", async () => {
    const first = await showAsLoading();
    mock.timers.tick(2_000);
    assert.deepEqual(redrawn, [first, first]);
    assert.deepEqual(
      (await content.children(first, "")).map(({ type }) => type),
      ["row"],
    );
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, [first, first]);
  });

  it("has only what has changed redrawn if a list is read again", async () => {
    const [first] = await content.children(undefined, "");
    const [row] = await content.children(first, "");
    await content.refreshLists("acme", ["top"]);
    assert.deepEqual(redrawn, []);
    const changed = { type: "workspace", tenantId: "acme", key: "forecast", name: "Forecast" };
    read = async () => ({ rows: [changed], hasMore: false });
    await content.refreshLists("acme", ["top"]);
    assert.deepEqual(redrawn.splice(0), [row]);
    assert.ok(row?.type === "row" && row.row === changed);
    const added = { type: "workspace", tenantId: "acme", key: "added" };
    drawn = [changed, added];
    read = async () => ({ rows: [changed, added], hasMore: false });
    await content.refreshLists("acme", ["top"]);
    assert.deepEqual(redrawn.splice(0), [first]);
    // The editor hasn't requested it yet.
    await content.refreshLists("acme", ["top"]);
    assert.deepEqual(redrawn.splice(0), [first]);
    await content.children(first, "");
    await content.refreshLists("acme", ["top"]);
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, []);
  });

  it("shows each of several rows without an ID, as rows of their own", async () => {
    const same = { type: "workspace", tenantId: "acme", key: "workflow/?" };
    read = async () => ({ rows: [same, { ...same }, { ...same }], hasMore: false });
    const [first] = await content.children(undefined, "");
    const keysOf = async (): Promise<readonly unknown[]> =>
      (await content.children(first, "")).map((element) => element.type === "row" && element.row.key);
    assert.deepEqual(await keysOf(), ["workflow/?0", "workflow/?1", "workflow/?2"]);
    await content.refreshLists("acme", ["top"]);
    assert.equal(new Set(await content.children(first, "")).size, 3);
  });

  it("doesn't redraw lists again that were discarded", async () => {
    const first = await showAsLoading();
    content.deleteLists((tenantId) => tenantId === "acme");
    mock.timers.tick(10_000);
    assert.deepEqual(redrawn, [first]);
  });
});
