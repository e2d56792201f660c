import { type FrameView, missingNames, type OpenedFrame } from "../../../api/companion/operations/frames.ts";
import type { GridContent } from "./grid-parts.ts";
import type { PageCache } from "./page-cache.ts";
import { directionOf } from "./view-changes.ts";

const maxShownLength = 200;

/** What the grid shows of a frame with a view: the cells that were read, and how its columns are sorted and filtered. */
export function frameContent(frame: OpenedFrame, view: FrameView, cache: PageCache): GridContent {
  const { columns, indexNames, shown } = frame;
  return {
    columns,
    indexNames,
    rows: shown,
    cell({ row, column }) {
      const value = cache.cell(row, column);
      return typeof value === "string"
        ? { text: shortened(value), isMissing: false }
        : value === undefined
          ? undefined
          : { text: missingNames[value] ?? "", isMissing: true };
    },
    labels: (row, column) => cache.labels(row, column),
    marks: (column) => ({
      direction: directionOf(view, column),
      order: view.sorting.length > 1 ? String(view.sorting.findIndex((sort) => sort.column === column) + 1) : "",
      isFiltered: view.filters.some((filter) => filter.column === column),
    }),
  };
}

function shortened(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}
