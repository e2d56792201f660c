import type { FrameColumn } from "../../../api/companion/operations/frames.ts";
import type { Part } from "./page-cache.ts";

/** A cell by its row and column; the row -1 is that of the columns' names. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface ShownCell {
  readonly text: string;
  readonly isMissing: boolean;
}

/** What a grid shows. */
export interface GridContent {
  readonly columns: readonly FrameColumn[];
  readonly indexNames: readonly string[];
  readonly rows: number;
  /** Undefined while it is being read. */
  cell(place: Place): ShownCell | undefined;
  labels(row: number, column: number): readonly string[] | undefined;
  /** The marks of a column: how it is sorted, which one of several that is, and whether it is filtered. */
  marks(column: number): {
    readonly direction: "ascending" | "descending" | undefined;
    readonly order: string;
    readonly isFiltered: boolean;
  };
}

export interface GridEvents {
  /** The part that is visible now. */
  onShow(part: Part): void;
  onSort(column: number, adds: boolean): void;
  onColumn(column: number): void;
  onCell(place: Place): void;
  /** The user copies the selected part. */
  onCopy(): void;
}

/** A part with these two corners. */
export function partBetween(one: Place, other: Place): Part {
  return {
    start: Math.min(one.row, other.row),
    stop: Math.max(one.row, other.row) + 1,
    firstColumn: Math.min(one.column, other.column),
    lastColumn: Math.max(one.column, other.column) + 1,
  };
}

/** Where a key moves from a place. Undefined for another key. `page`: the number of visible rows. */
export function moved(
  { key, ctrlKey, metaKey }: { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean },
  { row, column }: Place,
  { rows, width, page }: { readonly rows: number; readonly width: number; readonly page: number },
): Place | undefined {
  const isFar = ctrlKey || metaKey;
  const last = { row: rows - 1, column: width - 1 };
  switch (key) {
    case "ArrowUp":
      return { row: isFar ? Math.min(0, rows - 1) : Math.max(-1, row - 1), column };
    case "ArrowDown":
      return { row: isFar ? last.row : Math.min(last.row, row + 1), column };
    case "ArrowLeft":
      return { row, column: isFar ? 0 : Math.max(0, column - 1) };
    case "ArrowRight":
      return { row, column: isFar ? last.column : Math.min(last.column, column + 1) };
    case "PageUp":
      return { row: Math.max(Math.min(0, last.row), row - page), column };
    case "PageDown":
      return { row: Math.min(last.row, Math.max(0, row) + page), column };
    case "Home":
      return isFar ? { row: Math.min(0, last.row), column: 0 } : { row, column: 0 };
    case "End":
      return isFar ? last : { row, column: last.column };
    default:
      return undefined;
  }
}
