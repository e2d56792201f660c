import assert from "node:assert/strict";
import { everyPage, type Page } from "../../../../src/api/catalogue/paging.ts";
import { allDesigns } from "../../../../src/api/families/designs.ts";
import { allCommitRequests } from "../../../../src/api/families/sandbox.ts";
import type { PlatformError } from "../../../../src/api/http/errors.ts";
import { until } from "../../../harness/until.ts";
import { failureOf } from "../fake-platform.ts";
import { type LocalServer, localServer, sendJson, usedHeap } from "../local-server.ts";

const many = 10_000;
const megabyte = 1024 * 1024;
/** Makes the whole list a hundred times larger than the memory that may be used for it. */
const filling = "x".repeat(20_000);

async function drained<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) {
    items.push(...page);
  }
  return items;
}

/** Reads all pages and keeps only the IDs. Returns the maximum growth of the heap. */
async function walked(pages: AsyncIterable<readonly { readonly id?: unknown }[]>) {
  const before = usedHeap();
  const ids: unknown[] = [];
  let growth = 0;
  let count = 0;
  for await (const page of pages) {
    for (const { id } of page) {
      ids.push(id);
    }
    count += 1;
    if (count % 50 === 0) {
      growth = Math.max(growth, usedHeap() - before);
    }
  }
  return { ids, count, growth };
}

interface Family {
  readonly what: string;
  readonly pageSize: number;
  /** `text` is in each item, in addition to its ID. */
  start(overlap: number, text?: string): Promise<LocalServer>;
  pages(server: LocalServer, signal?: AbortSignal): AsyncIterable<readonly { readonly id?: unknown }[]>;
}

function ids(offset: number, limit: number, overlap: number): string[] {
  // The list grows at its beginning while it is read: every page begins with the end of the previous one.
  const from = Math.max(0, offset - overlap * (offset / limit));
  const length = Math.max(0, Math.min(limit, many - from));
  return Array.from({ length }, (_, index) => `id-${from + index}`);
}

const families: readonly Family[] = [
  {
    what: "designs",
    pageSize: 30,
    start: (overlap, text = "") =>
      localServer(({ url }, response) => {
        const [offset, limit] = ["offset", "limit"].map((name) => Number(url.searchParams.get(name)));
        const found = ids(offset ?? 0, limit ?? 0, overlap);
        sendJson(
          response,
          found.map((id) => ({ id, name: id, description: text })),
        );
      }),
    pages: ({ client }, signal) => allDesigns(client, {}, signal === undefined ? {} : { signal }),
  },
  {
    what: "commit requests",
    pageSize: 100,
    start: (overlap, text = "") =>
      localServer(({ body }, response) => {
        const { offset, limit }: { offset: number; limit: number } = JSON.parse(body);
        const found = ids(offset, limit, overlap);
        const totalCount = many + overlap * (offset / limit);
        const pageContext = { count: found.length, totalCount, offSet: offset };
        sendJson(response, { commitRequests: found.map((id) => ({ id, summary: text })), pageContext });
      }, "domo"),
    pages: ({ client }, signal) => allCommitRequests(client, {}, signal === undefined ? {} : { signal }),
  },
];

for (const { what, pageSize, start, pages } of families) {
  describe(`paging over ${many} ${what}`, () => {
    it(`returns each item once, ${pageSize} at a time, in bounded memory`, async () => {
      const server = await start(0, filling);
      try {
        const { ids: found, count, growth } = await walked(pages(server));
        assert.deepEqual([found.length, new Set(found).size], [many, many]);
        assert.equal(count, Math.ceil(many / pageSize));
        assert.equal(server.requests.length <= count + 1, true);
        console.log(
          `      ${(growth / megabyte).toFixed(1)} MB held of ${((many * filling.length) / megabyte).toFixed(0)} MB`,
        );
        assert.equal(growth < 20 * megabyte, true, `the heap grew by ${growth} bytes`);
      } finally {
        await server.stop();
      }
    });

    it("returns no duplicates if the list grows while it is read", async () => {
      const server = await start(3);
      try {
        const found = (await drained(pages(server))).map(({ id }) => id);
        assert.deepEqual([found.length, new Set(found).size], [many, many]);
      } finally {
        await server.stop();
      }
    });

    it("stops when it is canceled, between pages and within one", async () => {
      const server = await start(0);
      try {
        const stop = new AbortController();
        let seen = 0;
        const work = (async () => {
          for await (const page of pages(server, stop.signal)) {
            seen += page.length;
            if (seen >= 10 * pageSize) {
              stop.abort();
            }
          }
        })();
        const failure: PlatformError = await failureOf(work);
        assert.deepEqual([failure.failureCause.type, seen], ["cancelled", 10 * pageSize]);
        assert.equal(server.requests.length, 10);
        const early = new AbortController();
        const before = server.requests.length;
        const cut = failureOf(drained(pages(server, early.signal)));
        await until("the first request has come", () => server.requests.length > before);
        early.abort();
        assert.equal((await cut).failureCause.type, "cancelled");
        assert.equal(server.requests.length - before < many / pageSize, true);
      } finally {
        await server.stop();
      }
    });

    it("requests only the pages that are consumed", async () => {
      const server = await start(0);
      try {
        for await (const page of pages(server)) {
          assert.equal(page.length, pageSize);
          break;
        }
        assert.equal(server.requests.length, 1);
      } finally {
        await server.stop();
      }
    });
  });
}

describe("paging", () => {
  const source = (fetch: (offset: number, turn: number) => Page<{ readonly id?: number }>) => {
    const offsets: number[] = [];
    const pages = everyPage<{ readonly id?: number }>({
      pageSize: 2,
      keyOf: ({ id }) => id,
      fetch: async (offset) => {
        offsets.push(offset);
        assert.equal(offsets.length < 20, true, "it never ends");
        return fetch(offset, offsets.length);
      },
    });
    return { offsets, pages };
  };

  it("ends on an empty list with one empty page", async () => {
    const { pages, offsets } = source(() => ({ items: [] }));
    const got = [];
    for await (const page of pages) {
      got.push(page);
    }
    assert.deepEqual([got, offsets], [[[]], [0]]);
  });

  it("uses the server's total if pages are shorter than requested", async () => {
    const { pages, offsets } = source((offset) => ({ items: [{ id: offset }], total: 4 }));
    assert.deepEqual([(await drained(pages)).length, offsets], [4, [0, 1, 2, 3]]);
  });

  it("ends if a server repeats the same page", async () => {
    for (const page of [
      { items: [{ id: 1 }, { id: 2 }] },
      { items: [{ id: 1 }, { id: 2 }], total: 1000, offset: 0 },
      { items: [{}, {}] },
    ]) {
      const { pages, offsets } = source(() => page);
      await drained(pages);
      assert.equal(offsets.length, 2);
    }
  });

  it("continues after a page of known items if the server's total is larger", async () => {
    const { pages } = source((offset, turn) => ({ items: turn === 2 ? [{ id: 0 }] : [{ id: offset }], total: 3 }));
    assert.deepEqual(await drained(pages), [{ id: 0 }, { id: 2 }]);
  });

  it("ends if the promised total is never reached", async () => {
    const { pages, offsets } = source((offset) => ({ items: offset < 2 ? [{ id: offset }] : [], total: 9 }));
    assert.deepEqual([(await drained(pages)).length, offsets], [2, [0, 1, 2]]);
  });

  it("compares items without an id by their complete value", async () => {
    const { pages } = source((offset) => ({ items: offset === 0 ? [{}, { id: 1 }] : [{}] }));
    assert.deepEqual(await drained(pages), [{}, { id: 1 }]);
  });
});
