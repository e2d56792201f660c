import assert from "node:assert/strict";
import { readWorkspacePage } from "../../../../src/api/families/workspaces.ts";
import type { DispatchRequest } from "../../../../src/api/http/dispatch.ts";
import type { Branch, TreeRow } from "../../../../src/ui/tree/definition.ts";
import { BranchListing, WholeLists } from "../../../../src/ui/tree/listing.ts";
import { type FakePlatform, fakePlatform, json } from "../../api/fake-platform.ts";

interface SearchBody {
  readonly limit: number;
  readonly offset: number;
  readonly searchFieldMap: Readonly<Record<string, string>>;
}

function bodyOf(request: DispatchRequest): SearchBody {
  return JSON.parse(String(request.body)) as SearchBody;
}

function workspaces(count: number, from = 0): { readonly id: string; readonly name: string }[] {
  return Array.from({ length: count }, (_, index) => ({ id: `w${from + index}`, name: `Workspace ${from + index}` }));
}

function paged(all: readonly { readonly id: string; readonly name: string }[], tellsTotal = true): FakePlatform {
  return fakePlatform((request) => {
    const { limit, offset, searchFieldMap } = bodyOf(request);
    const found = all.filter(({ name }) => name.includes(searchFieldMap.NAME ?? ""));
    const page = found.slice(offset, offset + limit);
    return json(200, { workspaces: page, ...(tellsTotal ? { pageContext: { totalCount: found.length } } : {}) });
  });
}

interface Row extends TreeRow {
  readonly id: string;
  readonly name: string | null | undefined;
}

function rowOf({ id, name }: { readonly id: string; readonly name?: string | null | undefined }): Row {
  return { type: "workspace", tenantId: "acme", key: id, id, name };
}

const branch: Branch<Row> = {
  key: "workspaces",
  pageSize: 50,
  words: { things: "workspaces", empty: "No workspaces yet" },
  async read({ client, filter, offset, signal }) {
    const query = { name: filter, limit: 50, offset };
    const { items: workspaces, total } = await readWorkspacePage(client, query, { signal });
    const isFull = total === undefined ? workspaces.length >= 50 : offset + workspaces.length < total;
    return { rows: workspaces.map(rowOf), total, hasMore: workspaces.length > 0 && isFull };
  },
};

/** The same list, in which another user has renamed the rows. */
function renamed(name: string): Branch<Row> {
  return {
    ...branch,
    async read(request) {
      const page = await branch.read(request);
      return { ...page, rows: page.rows.map((row) => ({ ...row, name })) };
    },
  };
}

function listingOf(fake: FakePlatform): { readonly listing: BranchListing<Row>; readonly changes: string[] } {
  const changes: string[] = [];
  const listing: BranchListing<Row> = new BranchListing({
    branch,
    connect: async () => fake.platform,
    onChange: () => changes.push(listing.state.type),
  });
  return { listing, changes };
}

describe("a list of a tree", () => {
  it("sends no request by itself, and one for concurrent callers", async () => {
    const fake = paged(workspaces(3));
    const { listing } = listingOf(fake);
    assert.equal(fake.requests.length, 0);
    await Promise.all([listing.ensure(""), listing.ensure("")]);
    await listing.ensure("");
    assert.equal(fake.requests.length, 1);
    assert.equal(listing.rows.length, 3);
  });

  it("loads 50 at a time and ends at the platform's total", async () => {
    const fake = paged(workspaces(120));
    const { listing } = listingOf(fake);
    await listing.ensure("");
    assert.deepEqual([listing.rows.length, hasMore(listing)], [50, true]);
    await listing.more();
    await listing.more();
    assert.deepEqual([listing.rows.length, hasMore(listing)], [120, false]);
    assert.deepEqual(
      fake.requests.map((request) => bodyOf(request).offset),
      [0, 50, 100],
    );
  });

  it("ends on a short page without a total", async () => {
    const { listing } = listingOf(paged(workspaces(70), false));
    await listing.ensure("");
    assert.equal(hasMore(listing), true);
    await listing.more();
    assert.deepEqual([listing.rows.length, hasMore(listing)], [70, false]);
  });

  it("shows a workspace on two pages once", async () => {
    const all = workspaces(60);
    const { listing } = listingOf(
      fakePlatform((request) => {
        const { offset } = bodyOf(request);
        const page = offset === 0 ? all.slice(0, 50) : all.slice(48, 60);
        return json(200, { workspaces: page });
      }),
    );
    await listing.ensure("");
    await listing.more();
    assert.equal(new Set(listing.rows.map(({ id }) => id)).size, listing.rows.length);
    assert.equal(listing.rows.length, 60);
  });

  it("rereads as many pages as it shows", async () => {
    const fake = paged(workspaces(120));
    const { listing } = listingOf(fake);
    await listing.ensure("");
    await listing.more();
    await listing.refresh("");
    assert.deepEqual([listing.rows.length, fake.requests.length], [100, 4]);
  });

  it("loads all remaining pages, five at a time, once each", async () => {
    for (const tellsTotal of [true, false]) {
      const fake = paged(workspaces(1_020), tellsTotal);
      const { listing } = listingOf(fake);
      await listing.ensure("");
      const shown: number[] = [];
      await listing.all(new AbortController().signal, (count) => shown.push(count));
      assert.deepEqual([listing.rows.length, hasMore(listing), new Set(listing.rows).size], [1_020, false, 1_020]);
      assert.deepEqual(shown, [300, 550, 800, 1_020]);
      assert.ok(fake.requests.length <= (tellsTotal ? 21 : 26), `${fake.requests.length} requests`);
    }
  });

  it("misses no row if the server's pages are shorter than requested", async () => {
    const fake = fakePlatform((request) => {
      const { offset } = bodyOf(request);
      return json(200, { workspaces: workspaces(130).slice(offset, offset + 20), pageContext: { totalCount: 130 } });
    });
    const { listing } = listingOf(fake);
    await listing.ensure("");
    await listing.all(new AbortController().signal, () => {});
    assert.deepEqual(listing.rows, workspaces(130).map(rowOf));
  });

  it("keeps the rows so far if loading all is canceled or fails", async () => {
    let fails = false;
    const all = workspaces(2_000);
    const fake = fakePlatform((request) => {
      const { limit, offset } = bodyOf(request);
      return fails && offset >= 600 ? json(403, {}) : json(200, { workspaces: all.slice(offset, offset + limit) });
    });
    const { listing } = listingOf(fake);
    await listing.ensure("");
    const abort = new AbortController();
    await listing.all(abort.signal, () => abort.abort());
    assert.deepEqual([listing.rows.length, listing.state.type, hasMore(listing)], [300, "ready", true]);
    fails = true;
    await listing.all(new AbortController().signal, () => {});
    assert.deepEqual([listing.rows.length, listing.state.type], [550, "failed"]);
    fails = false;
    await listing.refresh();
    assert.deepEqual([listing.rows.length, listing.state.type], [550, "ready"]);
  });

  it("shows the first page of a long list as soon as it is read again, and then reads five pages at a time", async () => {
    const fake = paged(workspaces(600));
    const { listing } = listingOf(fake);
    await listing.ensure("");
    await listing.all(new AbortController().signal, () => {});
    const before = fake.requests.length;
    const shown: (string | null | undefined)[] = [];
    listing.renew({
      ...renamed("New"),
      async read(request) {
        if (request.offset === 50) {
          shown.push(listing.rows[0]?.name, listing.rows[599]?.name);
        }
        return renamed("New").read(request);
      },
    });
    await listing.refresh();
    assert.deepEqual(shown, ["New", "Workspace 599"]);
    assert.deepEqual([fake.requests.length - before, listing.rows[599]?.name], [12, "New"]);
  });

  it("rereads only its first rows while some of them change, and keeps the others", async () => {
    const all = workspaces(600);
    const fake = paged(all, false);
    const { listing } = listingOf(fake);
    await listing.ensure("");
    await listing.more();
    await listing.more();
    fake.requests.length = 0;
    listing.renew(renamed("New"));
    all.splice(3, 1);
    all.unshift({ id: "added", name: "Added" }, { id: "added too", name: "Added" });
    await listing.refreshFirst(7);
    assert.deepEqual(
      fake.requests.map((request) => bodyOf(request).offset),
      [0],
    );
    const ids = all.map(({ id }) => id);
    assert.deepEqual(
      listing.rows.map(({ id }) => id),
      ids.slice(0, 151),
    );
    assert.deepEqual([listing.rows[49]?.name, listing.rows[50]?.name], ["New", "Workspace 49"]);
    await listing.more();
    assert.deepEqual(
      listing.rows.map(({ id }) => id),
      ids.slice(0, 201),
    );
    all.length = 20;
    await listing.refreshFirst(1);
    assert.deepEqual([listing.rows.length, hasMore(listing)], [20, false]);
    all.splice(0, 20, ...workspaces(70, 1_000));
    await listing.refreshFirst(1);
    assert.deepEqual([listing.rows[0]?.id, listing.rows.length], ["w1000", 50]);
  });

  it("filters on the server, and doesn't show the rows of another filter meanwhile", async () => {
    const fake = paged([...workspaces(3), { id: "x", name: "Sales" }]);
    const { listing } = listingOf(fake);
    await listing.ensure("");
    const filtering = listing.refresh("Sales");
    assert.equal(listing.rows.length, 0);
    await filtering;
    assert.deepEqual(
      listing.rows.map(({ id }) => id),
      ["x"],
    );
  });

  it("keeps the rows if rereading fails", async () => {
    let isDown = false;
    const { listing } = listingOf(
      fakePlatform(() => (isDown ? json(403, { message: "no grant" }) : json(200, { workspaces: workspaces(2) }))),
    );
    await listing.ensure("");
    isDown = true;
    await listing.refresh("");
    assert.deepEqual([listing.state.type, listing.rows.length], ["failed", 2]);
  });

  it("discards an outdated response", async () => {
    const first = Promise.withResolvers<void>();
    const fake = fakePlatform(async (request) => {
      const name = bodyOf(request).searchFieldMap.NAME ?? "";
      if (name === "slow") {
        await first.promise;
      }
      return json(200, { workspaces: [{ id: name }] });
    });
    const { listing } = listingOf(fake);
    const slow = listing.refresh("slow");
    await listing.refresh("quick");
    first.resolve();
    await slow;
    assert.deepEqual(
      listing.rows.map(({ id }) => id),
      ["quick"],
    );
  });

  it("rereads a stale list when it is next shown, and keeps its rows visible meanwhile", async () => {
    const fake = paged(workspaces(3));
    const { listing } = listingOf(fake);
    await listing.ensure("");
    listing.invalidate();
    const reading = listing.ensure("");
    assert.equal(listing.rows.length, 3);
    await reading;
    await listing.ensure("");
    assert.equal(fake.requests.length, 2);
  });

  it("updates a shown workspace that was read individually", async () => {
    const { listing } = listingOf(paged(workspaces(2)));
    await listing.ensure("");
    assert.equal(listing.replace(rowOf({ id: "w1", name: "Renamed" })), true);
    assert.equal(listing.replace(rowOf({ id: "elsewhere" })), false);
    assert.deepEqual(
      listing.rows.map(({ name }) => name),
      ["Workspace 0", "Renamed"],
    );
  });

  it("uses the row's current state after an update", async () => {
    const { listing } = listingOf(paged(workspaces(2)));
    await listing.ensure("");
    listing.renew(renamed("Other"));
    assert.deepEqual(
      listing.rows.map(({ name }) => name),
      ["Workspace 0", "Workspace 1"],
    );
    await listing.refresh();
    assert.deepEqual(
      listing.rows.map(({ name }) => name),
      ["Other", "Other"],
    );
  });
});

function hasMore({ state }: BranchListing<Row>): boolean {
  assert.equal(state.type, "ready");
  return state.type === "ready" && state.hasMore;
}

describe("lists that are returned in one response", () => {
  const all = Array.from({ length: 10_000 }, (_, index) => index);

  it("are read once for all of their pages, and again with the first page", async () => {
    const lists = new WholeLists<number>(50, 2);
    let reads = 0;
    const read = async (): Promise<readonly number[]> => {
      reads += 1;
      return all;
    };
    const first = await lists.page("a", { offset: 0, filter: "" }, read);
    assert.deepEqual([first.items.length, first.total, first.hasMore], [50, 10_000, true]);
    const last = await lists.page("a", { offset: 9_980, filter: "" }, read);
    assert.deepEqual([last.items.length, last.hasMore], [20, false]);
    assert.equal(reads, 1);
    await lists.page("a", { offset: 0, filter: "" }, read);
    assert.equal(reads, 2);
    const even = await lists.page("a", { offset: 50, filter: "even" }, read, (item) => item % 2 === 0);
    assert.deepEqual([even.total, even.items[0]], [5_000, 100]);
    assert.equal(reads, 2);
  });

  it("are evicted when others are read", async () => {
    const lists = new WholeLists<number>(50, 2);
    const read: string[] = [];
    const reader = (name: string) => async (): Promise<readonly number[]> => {
      read.push(name);
      return all;
    };
    for (const name of ["a", "b", "c"]) {
      await lists.page(name, { offset: 0, filter: "" }, reader(name));
    }
    await lists.page("c", { offset: 50, filter: "" }, reader("c"));
    await lists.page("a", { offset: 50, filter: "" }, reader("a"));
    assert.deepEqual(read, ["a", "b", "c", "a"]);
  });
});
