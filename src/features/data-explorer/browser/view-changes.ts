import type { FrameFilter, FrameView } from "../../../api/companion/operations/frames.ts";

/** The direction in which a column is sorted; undefined if it isn't. */
export function directionOf({ sorting }: FrameView, column: number): "ascending" | "descending" | undefined {
  const sort = sorting.find((one) => one.column === column);
  return sort === undefined ? undefined : sort.descending ? "descending" : "ascending";
}

/** Sorts by a column: alone, or after the columns by which the view is sorted already. */
export function sortedBy(view: FrameView, column: number, descending: boolean, adds: boolean): FrameView {
  const sort = { column, descending };
  const isThere = view.sorting.some((one) => one.column === column);
  if (!adds) {
    return { ...view, sorting: [sort] };
  }
  const sorting = isThere ? view.sorting.map((one) => (one.column === column ? sort : one)) : [...view.sorting, sort];
  return { ...view, sorting };
}

export function notSortedBy(view: FrameView, column: number): FrameView {
  return { ...view, sorting: view.sorting.filter((one) => one.column !== column) };
}

/** The next step of a click on a column's name: ascending, descending, not sorted. */
export function nextSorting(view: FrameView, column: number, adds: boolean): FrameView {
  switch (directionOf(view, column)) {
    case undefined:
      return sortedBy(view, column, false, adds);
    case "ascending":
      return sortedBy(view, column, true, adds);
    case "descending":
      return adds ? notSortedBy(view, column) : { ...view, sorting: [] };
  }
}

export function withFilter(view: FrameView, filter: FrameFilter): FrameView {
  return { ...view, filters: [...view.filters, filter] };
}

export function withoutFilter(view: FrameView, index: number): FrameView {
  return { ...view, filters: view.filters.filter((_, other) => other !== index) };
}
