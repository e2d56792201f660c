import assert from "node:assert/strict";
import type { FrameView } from "../../../../src/api/companion/operations/frames.ts";
import { ColumnWidths } from "../../../../src/features/data-explorer/browser/column-widths.ts";
import { moved } from "../../../../src/features/data-explorer/browser/grid-parts.ts";
import { PageCache } from "../../../../src/features/data-explorer/browser/page-cache.ts";
import { ScrollPosition } from "../../../../src/features/data-explorer/browser/scroll-position.ts";
import {
  directionOf,
  nextSorting,
  withFilter,
  withoutFilter,
} from "../../../../src/features/data-explorer/browser/view-changes.ts";

describe("the pages of a grid", () => {
  const pageOf = (rows: number, columns: number, text = (row: number, column: number) => `${row},${column}`) => ({
    labels: Array.from({ length: rows }, (_, row) => [String(row)]),
    cells: Array.from({ length: columns }, (_, column) => Array.from({ length: rows }, (__, row) => text(row, column))),
  });

  it("are requested in whole blocks, once", () => {
    const cache = new PageCache();
    const visible = { start: 150, stop: 190, firstColumn: 15, lastColumn: 25 };
    const missing = cache.missing(visible, 180, 24);
    assert.deepEqual(missing, { start: 100, stop: 180, firstColumn: 0, lastColumn: 24 });
    cache.add(missing, pageOf(80, 24));
    assert.equal(cache.missing(visible, 180, 24), undefined);
    assert.equal(cache.cell(179, 23), "79,23");
    assert.deepEqual(cache.labels(100, 0), ["0"]);
    assert.equal(cache.cell(99, 0), undefined);
    cache.clear();
    assert.equal(cache.cell(179, 23), undefined);
  });

  it("are bounded: those that were not used for the longest time are dropped", () => {
    const cache = new PageCache();
    const part = (start: number) => ({ start, stop: start + 100, firstColumn: 0, lastColumn: 20 });
    const long = "x".repeat(200);
    cache.add(
      part(0),
      pageOf(100, 20, () => long),
    );
    for (let block = 1; block < 60; block += 1) {
      assert.equal(cache.missing(part(0), 100, 20), undefined);
      cache.add(
        part(block * 100),
        pageOf(100, 20, () => long),
      );
    }
    assert.equal(cache.cell(0, 0), long);
    assert.equal(cache.cell(100, 0), undefined);
    assert.equal(cache.cell(5900, 0), long);
  });
});

describe("the position of a grid", () => {
  it("is that of the browser as long as that can be so high", () => {
    const position = new ScrollPosition();
    position.resize(1000, 20, 200);
    assert.deepEqual([position.scrollHeight, position.isScaled], [20_000, false]);
    position.scrollTo(110);
    assert.deepEqual([position.range, position.scrollTop], [{ start: 5, stop: 16 }, 110]);
    position.scrollTo(1_000_000);
    assert.deepEqual(position.range, { start: 990, stop: 1000 });
  });

  it("moves by single rows in a longer list, too", () => {
    const position = new ScrollPosition();
    position.resize(10_000_000, 20, 200);
    assert.equal(position.isScaled, true);
    position.reveal(9_999_999);
    assert.deepEqual(position.range, { start: 9_999_990, stop: 10_000_000 });
    position.reveal(5_000_000);
    assert.equal(position.range.start, 5_000_000);
    position.reveal(5_000_010);
    assert.equal(position.range.start, 5_000_001);
    position.moveTo(position.top + 20);
    assert.equal(position.range.start, 5_000_002);
    position.scrollTo(position.scrollHeight - 200);
    assert.equal(position.range.stop, 10_000_000);
  });

  it("keeps its row if the rows become fewer", () => {
    const position = new ScrollPosition();
    position.resize(1000, 20, 200);
    position.moveTo(10_000);
    position.resize(20, 20, 200);
    assert.deepEqual(position.range, { start: 10, stop: 20 });
    position.resize(0, 20, 200);
    assert.deepEqual(position.range, { start: 0, stop: 0 });
  });
});

describe("the keys of a grid", () => {
  const size = { rows: 100, width: 5, page: 10 };
  const press = (key: string, row: number, column: number, ctrlKey = false) =>
    moved({ key, ctrlKey, metaKey: false }, { row, column }, size);

  it("move within its cells, and to the names of its columns", () => {
    assert.deepEqual(press("ArrowUp", 0, 1), { row: -1, column: 1 });
    assert.deepEqual(press("ArrowUp", -1, 1), { row: -1, column: 1 });
    assert.deepEqual(press("ArrowDown", 99, 1), { row: 99, column: 1 });
    assert.deepEqual(press("ArrowRight", 3, 4), { row: 3, column: 4 });
    assert.deepEqual(press("PageDown", -1, 0), { row: 10, column: 0 });
    assert.deepEqual(press("PageUp", 3, 0), { row: 0, column: 0 });
    assert.deepEqual(press("End", 3, 0, true), { row: 99, column: 4 });
    assert.deepEqual(press("ArrowUp", 50, 2, true), { row: 0, column: 2 });
    assert.equal(press("a", 3, 0), undefined);
    assert.deepEqual(
      moved({ key: "End", ctrlKey: true, metaKey: false }, { row: -1, column: 0 }, { ...size, rows: 0 }),
      {
        row: -1,
        column: 4,
      },
    );
  });
});

describe("the widths of columns", () => {
  const column = (name: string) => ({ name, type: "int64", category: "number" as const });

  it("follow the names and the first texts, until the user changes one", () => {
    const widths = new ColumnWidths(10);
    widths.setColumns([column("a"), column("b".repeat(100)), column("c")]);
    assert.deepEqual([widths.widthOf(0), widths.widthOf(1), widths.total], [98, 418, 98 + 418 + 98]);
    assert.equal(widths.fit(0, ["x".repeat(20)]), true);
    assert.equal(widths.fit(0, ["x".repeat(30)]), false);
    assert.equal(widths.widthOf(0), 218);
    widths.set(0, 5);
    assert.equal(widths.widthOf(0), 40);
    assert.deepEqual(widths.between(0, 41), { first: 0, last: 2 });
    assert.deepEqual(widths.between(40, 41), { first: 1, last: 2 });
    widths.setColumns([column("a"), column("d")]);
    assert.deepEqual([widths.widthOf(0), widths.widthOf(1)], [40, 98]);
  });
});

describe("the changes of a view", () => {
  const plain: FrameView = { filters: [], sorting: [], search: "" };

  it("sort by a column, by several, and no longer", () => {
    let view = nextSorting(plain, 1, false);
    assert.equal(directionOf(view, 1), "ascending");
    view = nextSorting(view, 2, true);
    view = nextSorting(view, 2, true);
    assert.deepEqual(view.sorting, [
      { column: 1, descending: false },
      { column: 2, descending: true },
    ]);
    assert.deepEqual(nextSorting(view, 2, true).sorting, [{ column: 1, descending: false }]);
    assert.deepEqual(nextSorting(view, 2, false).sorting, []);
    assert.deepEqual(nextSorting(view, 3, false).sorting, [{ column: 3, descending: false }]);
  });

  it("add and remove filters", () => {
    const view = withFilter(withFilter(plain, { column: 0, kind: "missing" }), { column: 1, kind: "present" });
    assert.deepEqual(withoutFilter(view, 0).filters, [{ column: 1, kind: "present" }]);
  });
});
