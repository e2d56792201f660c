import assert from "node:assert/strict";
import type { FrameView, OpenedFrame } from "../../../../src/api/companion/operations/frames.ts";
import { frameContent } from "../../../../src/features/data-explorer/browser/frame-content.ts";
import { PageCache } from "../../../../src/features/data-explorer/browser/page-cache.ts";

describe("what the grid shows of a frame", () => {
  const frame: OpenedFrame = {
    ...{ id: "f", kind: "pandas", rows: 10, shown: 3, width: 2, isPart: false, indexNames: ["day"] },
    columns: [],
  };
  const content = (view: Partial<FrameView> = {}, cells: readonly (string | number)[] = []) => {
    const cache = new PageCache();
    const part = { start: 0, stop: cells.length, firstColumn: 0, lastColumn: 1 };
    cache.add(part, { labels: cells.map((_, row) => [`day ${row}`]), cells: [[...cells]] });
    return frameContent(frame, { filters: [], sorting: [], search: "", ...view }, cache);
  };

  it("are the rows of the view, with the cells that were read", () => {
    const { rows, indexNames, cell, labels } = content({}, ["a", "x".repeat(201), 1]);
    assert.deepEqual([rows, indexNames, labels(1, 0)], [3, ["day"], ["day 1"]]);
    assert.deepEqual(
      [0, 1, 2, 3].map((row) => cell({ row, column: 0 })),
      [
        { text: "a", isMissing: false },
        { text: `${"x".repeat(200)}…`, isMissing: false },
        { text: "NaT", isMissing: true },
        undefined,
      ],
    );
  });

  it("marks the columns by which it is sorted and filtered", () => {
    const one = content({ sorting: [{ column: 1, descending: true }] });
    assert.deepEqual(one.marks(1), { direction: "descending", order: "", isFiltered: false });
    assert.deepEqual(one.marks(0), { direction: undefined, order: "", isFiltered: false });
    const several = content({
      sorting: [
        { column: 1, descending: true },
        { column: 0, descending: false },
      ],
      filters: [{ column: 0, kind: "missing" }],
    });
    assert.deepEqual(several.marks(0), { direction: "ascending", order: "2", isFiltered: true });
    assert.deepEqual(several.marks(1), { direction: "descending", order: "1", isFiltered: false });
  });
});
