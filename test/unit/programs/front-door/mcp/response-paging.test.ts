import assert from "node:assert/strict";
import fc from "fast-check";
import { parseExact } from "../../../../../src/api/http/json.ts";
import {
  beginning,
  boundTo,
  createCursorCodec,
  type Position,
  pageOfResponse,
  pageOfText,
  type ResponsePage,
} from "../../../../../src/programs/front-door/mcp/response-paging.ts";

const cursors = createCursorCodec("a secret of this test, long enough");
const person = { issuer: "https://issuer.example.com", subject: "ada", tenant: "acme" };
const cursorOf = (position: Position, tool: string, given: object): string =>
  cursors.write(position, boundTo({ tool, given, ...person }));
const positionOf = (cursor: string, tool: string, given: object): Position | undefined =>
  cursors.read(cursor, boundTo({ tool, given, ...person }));

const noPages = { limit: undefined, total: undefined };

/** Reads an answer to its end, as a caller does: each position from its cursor. */
async function readAll(show: (position: Position) => ResponsePage | Promise<ResponsePage>): Promise<ResponsePage[]> {
  const all: ResponsePage[] = [];
  let position: Position | undefined = beginning;
  while (position !== undefined) {
    assert.ok(all.length < 10_000, "the answer comes to an end");
    const shown = await show(position);
    assert.notEqual(shown.type, "changed");
    all.push(shown);
    const next: Position | undefined = shown.type === "changed" ? undefined : shown.next;
    position = next === undefined ? undefined : positionOf(cursorOf(next, "tool", {}), "tool", {});
    assert.equal(position === undefined, next === undefined, "a cursor brings its position back");
  }
  return all;
}

/** The items of a read list, with split ones joined. */
function itemsOf(all: readonly ResponsePage[]): unknown[] {
  const items: unknown[] = [];
  let text = "";
  for (const shown of all) {
    if (shown.type === "part") {
      text += shown.text;
      if (text.length === shown.of) {
        items.push(...(parseExact(text) as unknown[]));
        text = "";
      }
    } else if (shown.type === "value") {
      items.push(...(shown.value as unknown[]));
    }
  }
  assert.equal(text, "");
  return items;
}

const lists = fc.array(
  fc.record({ id: fc.nat(), text: fc.string({ unit: "grapheme", maxLength: 60 }) }, { noNullPrototype: true }),
  {
    maxLength: 40,
  },
);

describe("front door: paged results", () => {
  it("returns every item of a list once and in order, for any page size", async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 8, max: 600 }), async (list, characters) => {
        const all = await readAll((position) => pageOfResponse(list, position, noPages, characters));
        assert.deepEqual(itemsOf(all), list);
      }),
    );
  });

  it("returns every item once if the platform has its own pages", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 8, max: 200 }),
        fc.boolean(),
        async (list, limit, characters, tellsTotal) => {
          const facts = { limit, total: tellsTotal ? list.length : undefined };
          const page = (offset: number): unknown => list.slice(offset, offset + limit);
          const all = await readAll((position) => pageOfResponse(page(position.offset), position, facts, characters));
          assert.deepEqual(itemsOf(all), list);
        },
      ),
    );
  });

  it("returns every item once if the platform supports no limit or no offset", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        async (list, limit, cuts) => {
          const given = cuts ? list.slice(0, limit) : list;
          const all = await readAll((position) => pageOfResponse(given, position, { limit, total: undefined }, 5_000));
          assert.deepEqual(itemsOf(all), given);
        },
      ),
    );
  });

  it("splits a value without a list within its text, but not within surrogate pairs", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.integer({ min: 8, max: 50 }),
        async (text, characters) => {
          const all = await readAll((position) => pageOfResponse({ text }, position, noPages, characters));
          const parts = all.map((shown) => (shown.type === "part" ? shown.text : JSON.stringify({ text })));
          assert.equal(parts.join(""), JSON.stringify({ text }));
          assert.ok(parts.every((part) => part.isWellFormed()));
        },
      ),
    );
  });

  it("keeps other members next to each part of a list", async () => {
    const response = { name: "sales", items: Array.from({ length: 50 }, (_, index) => ({ index })) };
    const all = await readAll((position) => pageOfResponse(response, position, noPages, 300));
    assert.ok(all.length > 1);
    assert.ok(all.every((shown) => shown.type === "value" && (shown.value as typeof response).name === "sales"));
    assert.deepEqual(
      all.flatMap((shown) => (shown.type === "value" ? (shown.value as typeof response).items : [])),
      response.items,
    );
  });

  it("counts the items that remain, if their number is known", async () => {
    const items = Array.from({ length: 50 }, (_, index) => ({ index }));
    const remaining = (all: readonly ResponsePage[]): unknown[] =>
      all.map((shown) => (shown.type === "value" ? shown.remaining : "part"));
    const whole = await readAll((position) => pageOfResponse(items, position, noPages, 200));
    const sizes = whole.map((shown) => (shown.type === "value" ? (shown.value as unknown[]).length : 0));
    assert.deepEqual(
      remaining(whole),
      sizes.map((_, index) => sizes.slice(index + 1).reduce((sum, size) => sum + size, 0)),
    );
    const paged = (total: number | undefined): Promise<ResponsePage[]> =>
      readAll((position) =>
        pageOfResponse(items.slice(position.offset, position.offset + 20), position, { limit: 20, total }, 5000),
      );
    assert.deepEqual(remaining(await paged(50)), [30, 10, 0]);
    assert.deepEqual(remaining(await paged(undefined)), [undefined, undefined, undefined]);
  });

  it("counts the characters of a part as they are written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: "binary", maxLength: 500 }), fc.constant('"\\\n\u0000'.repeat(90))),
        fc.integer({ min: 12, max: 100 }),
        async (text, characters) => {
          const all = await readAll((position) => pageOfText({ content: text }, "content", position, characters));
          const parts = all.map((shown) =>
            shown.type === "text" ? (shown.value as { content: string }).content : text,
          );
          assert.equal(parts.join(""), text);
          const written = all.map((shown, index) =>
            shown.type === "text" ? JSON.stringify(parts[index]).length - 2 : 0,
          );
          assert.ok(
            written.every((length) => length <= characters),
            written.join(),
          );
        },
      ),
    );
  });

  it("splits a file's text separately and keeps its other members", async () => {
    const file = { path: "a.txt", content: "x".repeat(1_000) };
    const all = await readAll((position) => pageOfText(file, "content", position, 300));
    const parts = all.map((shown) => (shown.type === "text" ? (shown.value as typeof file) : file));
    assert.equal(all.length, 4);
    assert.equal(parts.map(({ content }) => content).join(""), file.content);
    assert.ok(parts.every(({ path }) => path === "a.txt"));
  });

  it("reports if a text has changed since its first part was returned", async () => {
    const first = await pageOfResponse({ text: "x".repeat(500) }, beginning, noPages, 100);
    assert.ok(first.type === "part" && first.next !== undefined);
    assert.equal((await pageOfResponse({ text: "y".repeat(500) }, first.next, noPages, 100)).type, "changed");
  });
});

describe("front door: cursors", () => {
  const position: Position = { offset: 30, skip: 4, before: "abc" };

  it("belong to one tool and its arguments, in any order", () => {
    const cursor = cursorOf(position, "designs_list", { search: "a", deleted: false });
    assert.deepEqual(positionOf(cursor, "designs_list", { deleted: false, search: "a" }), {
      ...position,
      part: undefined,
    });
    assert.equal(positionOf(cursor, "designs_list", { search: "b", deleted: false }), undefined);
    assert.equal(positionOf(cursor, "users_list", { search: "a", deleted: false }), undefined);
    assert.equal(positionOf(cursorOf(position, "t", { a: { b: 1 } }), "t", { a: [["b", 1]] }), undefined);
  });

  it("are rejected without an exception if they are any other text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.base64String()), (text) => {
        assert.equal(positionOf(text, "t", {}), undefined);
        assert.equal(positionOf(Buffer.from(text).toString("base64url"), "t", {}), undefined);
      }),
    );
  });

  it("are rejected if a caller has created or changed them", () => {
    const [form = "", signature = ""] = cursorOf(position, "t", {}).split(".");
    assert.deepEqual(positionOf(`${form}.${signature}`, "t", {}), { ...position, part: undefined });
    const members = JSON.parse(Buffer.from(form, "base64url").toString("utf8"));
    const part = { from: 7, digest: "x" };
    for (const changed of [{ offset: 31 }, { skip: 0 }, { part }, { offset: -1 }, { offset: 1e300 }]) {
      const own = Buffer.from(JSON.stringify({ ...members, ...changed })).toString("base64url");
      for (const cursor of [own, `${own}.`, `${own}.${signature}`, `${form}.${own}`, `${form}.${signature}.${own}`]) {
        assert.equal(positionOf(cursor, "t", {}), undefined);
      }
    }
    const elsewhere = createCursorCodec("another secret, also long enough for it");
    assert.equal(
      positionOf(elsewhere.write(position, boundTo({ tool: "t", given: {}, ...person })), "t", {}),
      undefined,
    );
  });

  it("are rejected in another tenant", () => {
    const cursor = cursorOf(position, "t", {});
    assert.equal(cursors.read(cursor, boundTo({ tool: "t", given: {}, ...person, tenant: "other" })), undefined);
  });

  it("are rejected from another user", () => {
    const cursor = cursorOf(position, "t", {});
    assert.equal(cursors.read(cursor, boundTo({ tool: "t", given: {}, ...person, subject: "grace" })), undefined);
    assert.equal(cursors.read(cursor, boundTo({ tool: "t", given: {}, ...person, issuer: "other" })), undefined);
  });
});
