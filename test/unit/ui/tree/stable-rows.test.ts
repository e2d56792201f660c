import assert from "node:assert/strict";
import { rowOf } from "../../../../src/ui/tree/elements.ts";
import { StableRows } from "../../../../src/ui/tree/stable-rows.ts";

interface Row {
  readonly key: string;
  readonly value: unknown;
}

describe("the rows of a list for the editor", () => {
  let rows: StableRows<Row>;
  const list = (...listed: readonly (readonly [key: string, value: unknown])[]) =>
    rows.replace(listed.map(([key, value]) => ({ key, value })));

  beforeEach(() => {
    rows = new StableRows(({ key }) => key);
    list(["a", 1], ["b", { of: [2] }], ["c", 3]);
  });

  it("are the same objects while they are listed", () => {
    const [a, b, c] = rows.elements;
    assert.equal(list(["c", 3], ["b", 4], ["new", 5]), undefined);
    const [first, second, third] = rows.elements;
    assert.deepEqual([first === c, second === b, third?.row.value], [true, true, 5]);
    list(["a", 1]);
    assert.notEqual(rows.elements[0], a);
  });

  it("are drawn again only where they differ", () => {
    const [, b] = rows.elements;
    assert.deepEqual(list(["a", 1], ["b", { of: [2] }], ["c", 3]), []);
    const changed = list(["a", 1], ["b", { of: [2, 3] }], ["c", 3]);
    assert.deepEqual([changed?.length, changed?.[0] === b], [1, true]);
    assert.deepEqual(b?.row.value, { of: [2, 3] });
  });

  it("are drawn again as a whole if one was added, removed, or moved", () => {
    assert.equal(list(["a", 1], ["b", 2], ["c", 3], ["d", 4]), undefined);
    assert.equal(list(["a", 1], ["b", 2], ["c", 3]), undefined);
    assert.equal(list(["b", 2], ["a", 1], ["c", 3]), undefined);
    assert.equal(list(), undefined);
    assert.deepEqual(list(), []);
  });

  it("have different keys, as the editor requires", () => {
    list(["a", "first"], ["a", "second"]);
    assert.deepEqual(
      rows.elements.map(({ row }) => row.value),
      ["first"],
    );
    assert.deepEqual(list(["a", "first"], ["a", "third"]), []);
  });

  it("are what commands get", () => {
    const [a] = rows.elements;
    assert.deepEqual(rowOf(a), { key: "a", value: 1 });
  });
});
