import assert from "node:assert/strict";
import { isSameContent } from "../../../../src/api/content-server/write-verification.ts";

type Members = Readonly<Record<string, unknown>>;

const cell: Members = { cell_type: "code", id: "a1", metadata: { tags: ["x"] }, outputs: [], source: "one\ntwo" };

const notebook = (cells: readonly Members[], metadata: Members = {}): Buffer =>
  Buffer.from(JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }));

describe("the same content", () => {
  const isSame = (one: Buffer, other: Buffer): boolean => isSameContent("a.ipynb", one, other);

  it("is that of a notebook as a server writes it: in another form, with other cell ids, and with the cells that it trusts", () => {
    const { id: _, ...withoutId } = cell;
    for (const other of [
      { ...cell, source: ["one\n", "two"] },
      { ...cell, id: "b2" },
      withoutId,
      { ...cell, metadata: { trusted: true, tags: ["x"] } },
      Object.fromEntries(Object.entries(cell).toReversed()),
    ]) {
      assert.equal(isSame(notebook([cell]), notebook([other])), true, JSON.stringify(other));
    }
  });

  it("isn't that of a notebook with other cells, another order of them, or other metadata", () => {
    const second: Members = { ...cell, id: "c3", source: "three" };
    for (const others of [
      [{ ...cell, source: "one\nTwo" }],
      [{ ...cell, cell_type: "raw" }],
      [{ ...cell, metadata: { tags: ["xy"] } }],
      [{ ...cell, metadata: { tags: ["x"], id: "a1" } }],
      [{ ...cell, outputs: [{ id: "a1" }] }],
      [cell, cell],
      [],
    ]) {
      assert.equal(isSame(notebook([cell]), notebook(others)), false, JSON.stringify(others));
    }
    assert.equal(isSame(notebook([cell, second]), notebook([second, cell])), false);
    assert.equal(isSame(notebook([], { id: "a" }), notebook([], { id: "b" })), false);
    assert.equal(isSame(notebook([], { cells: [{ id: "a" }] }), notebook([], { cells: [{ id: "b" }] })), false);
  });

  it("is that of lines that are split differently, but not of other lists of strings", () => {
    const [left, right] = [
      ["ab", "c"],
      ["a", "bc"],
    ];
    const display = (data: unknown): Members => ({ ...cell, outputs: [{ output_type: "display_data", data }] });
    const joined = (place: (value: unknown) => Members): boolean =>
      isSame(notebook([place(left)]), notebook([place(right)])) &&
      isSame(notebook([place(left)]), notebook([place("abc")]));
    const separate = (place: (value: unknown) => Members): boolean =>
      !isSame(notebook([place(left)]), notebook([place(right)])) &&
      !isSame(notebook([place(left)]), notebook([place("abc")]));
    for (const place of [
      (value: unknown) => ({ ...cell, source: value }),
      (value: unknown) => ({ ...cell, attachments: { "a.svg": { "image/svg+xml": value } } }),
      (value: unknown) => ({ ...cell, outputs: [{ output_type: "stream", name: "stdout", text: value }] }),
      (value: unknown) => display({ "text/html": value }),
      (value: unknown) => display({ "application/javascript": value }),
    ]) {
      assert.equal(joined(place), true, JSON.stringify(place("abc")));
    }
    for (const place of [
      (value: unknown) => ({ ...cell, metadata: { tags: value } }),
      (value: unknown) => ({ ...cell, metadata: { source: value } }),
      (value: unknown) => ({ ...cell, outputs: [{ output_type: "error", traceback: value }] }),
      (value: unknown) => ({ ...cell, outputs: [{ output_type: "display_data", metadata: { text: value } }] }),
      (value: unknown) => display({ "application/json": value }),
      (value: unknown) => display({ "application/vnd.chart+json": value }),
      (value: unknown) => display({ "text/plain": { lines: value } }),
    ]) {
      assert.equal(separate(place), true, JSON.stringify(place("abc")));
    }
    assert.equal(isSame(notebook([], { authors: left }), notebook([], { authors: right })), false);
    assert.equal(isSame(notebook([], { authors: [] }), notebook([], { authors: "" })), false);
  });

  it("of any other file is the same bytes", () => {
    assert.equal(isSameContent("a.json", notebook([cell]), notebook([{ ...cell, id: "b2" }])), false);
    assert.equal(isSameContent("a.ipynb", Buffer.from("{"), Buffer.from("{ ")), false);
    assert.equal(isSameContent("a.ipynb", Buffer.from([0xff]), Buffer.from([0xfe])), false);
    assert.equal(isSameContent("a.bin", Buffer.from([0xff]), Buffer.from([0xff])), true);
  });
});
