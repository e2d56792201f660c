import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

const count = z.int().check(z.nonnegative());
const name = z.string().check(z.maxLength(1000));
const text = z.string().check(z.maxLength(10_000));
const id = z.string().check(z.maxLength(100));

/** The longest text of a cell in a page. A text that is longer by one is cut. */
const maxCellLength = 200;
/** The most cells of one page. */
const maxPageCells = 20_000;
/** The most columns that are described. */
const maxFrameColumns = 10_000;

/** Keeps rows by the values of a column. Texts are read as the column's type. An empty bound is none. */
const filter = z.union([
  z.object({ column: count, kind: z.enum(["missing", "present"]) }),
  z.object({ column: count, kind: z.enum(["equals", "contains"]), text }),
  z.object({ column: count, kind: z.literal("range"), low: text, high: text }),
]);
export type FrameFilter = z.output<typeof filter>;

/** Which rows of a frame are shown, and in which order. */
export const frameView = z.object({
  filters: z.array(filter).check(z.maxLength(100)),
  /** The most significant column first. */
  sorting: z.array(z.object({ column: count, descending: z.boolean() })).check(z.maxLength(100)),
  /** A text that a row must contain in any column, without regard to case. Empty for all rows. */
  search: text,
});
export type FrameView = z.output<typeof frameView>;

const column = z.object({
  name,
  /** The name of the type in its library, such as `float64`. */
  type: name,
  category: z.enum(["number", "text", "boolean", "datetime", "other"]),
});
export type FrameColumn = z.output<typeof column>;

/** The variables of the kernel that are data frames. */
export const listFrames = defineCompanionOperation({
  name: "frames.list",
  parameters: z.object({}),
  result: z.object({
    frames: z
      .array(
        z.object({
          expression: name,
          kind: name,
          /** Null if only another process knows it. */
          rows: z.nullable(count),
          columns: count,
        }),
      )
      .check(z.maxLength(200)),
  }),
  push: z.never(),
});

/** What is known of an open frame. */
export const openedFrame = z.object({
  id,
  /** `pandas`, `polars`, `pyarrow`, `numpy`, `spark`, or `file`. */
  kind: name,
  rows: count,
  /** The number of rows in the view. */
  shown: count,
  /** The number of columns. */
  width: count,
  /** The first columns. */
  columns: z.array(column).check(z.maxLength(maxFrameColumns)),
  /** The names of the index's levels, empty for one without a name. */
  indexNames: z.array(name).check(z.maxLength(10)),
  /** Whether these are only the first rows of a larger table. */
  isPart: z.boolean(),
});
export type OpenedFrame = z.output<typeof openedFrame>;

/**
 * Opens the frame of an expression in the kernel, or of a CSV, TSV, or Parquet file with a content path. Fails with `gone`
 * if there is no such variable, `notFrame`, `noFile`, `missing` if no library reads the file, `tooLarge`, or `invalid`.
 */
export const openFrame = defineCompanionOperation({
  name: "frames.open",
  parameters: z.union([
    z.object({ expression: text, view: frameView }),
    z.object({ path: z.string().check(z.maxLength(4096)), view: frameView }),
  ]),
  result: openedFrame,
  push: z.never(),
});

/** An open frame, and the view whose rows are meant. */
const shown = { id, view: frameView };

/**
 * Filters and sorts the rows for the requests that follow with this view. The operations of an open frame fail with
 * `unknown` if it is no longer open, and with `changed` if the variable has another frame, the frame another shape, or
 * the file another content.
 */
export const prepareFrameView = defineCompanionOperation({
  name: "frames.view",
  parameters: z.object(shown),
  result: z.object({ shown: count }),
  push: z.never(),
});

const part = { start: count, stop: count, firstColumn: count, lastColumn: count };

/** A cell: its text, or what is missing, as an index of `missingNames`. */
const cell = z.union([z.string().check(z.maxLength(maxCellLength + 1)), z.int().check(z.minimum(0), z.maximum(4))]);
export type FrameCell = z.output<typeof cell>;
export const missingNames = ["NaN", "NaT", "None", "<NA>", "null"] as const;

export const framePage = z.object({
  /** The labels of the rows, with one text for each level of the index. */
  labels: z
    .array(z.array(z.string().check(z.maxLength(maxCellLength + 1))).check(z.maxLength(10)))
    .check(z.maxLength(maxPageCells)),
  /** By column. */
  cells: z.array(z.array(cell).check(z.maxLength(maxPageCells))).check(z.maxLength(maxPageCells)),
});
export type FramePage = z.output<typeof framePage>;

/** The texts of rows from `start` to `stop`, and of columns from `firstColumn` to `lastColumn`, both without the last. */
export const readFramePage = defineCompanionOperation({
  name: "frames.page",
  parameters: z.object({ ...shown, ...part }),
  result: framePage,
  push: z.never(),
});

export const fullCell = z.object({ text: z.string().check(z.maxLength(100_000)), isCut: z.boolean() });

/** The whole text of a cell, up to a limit. */
export const readFrameCell = defineCompanionOperation({
  name: "frames.cell",
  parameters: z.object({ ...shown, row: count, column: count }),
  result: fullCell,
  push: z.never(),
});

const value = z.string().check(z.maxLength(maxCellLength + 1));

export const columnSummary = z.object({
  /** The number of rows that were looked at. */
  rows: count,
  /** Whether these are only some of the view's rows, at equal distances. */
  isSample: z.boolean(),
  missing: count,
  distinct: count,
  low: z.optional(value),
  high: z.optional(value),
  /** The most frequent values. */
  top: z.array(z.object({ text: value, count })).check(z.maxLength(20)),
  /** Numbers in ranges of equal width between `low` and `high`. */
  histogram: z.optional(
    z.object({ low: value, high: value, mean: value, counts: z.array(count).check(z.minLength(1), z.maxLength(100)) }),
  ),
});
export type ColumnSummary = z.output<typeof columnSummary>;

/** Summarizes a column of the view. */
export const summarizeFrameColumn = defineCompanionOperation({
  name: "frames.summary",
  parameters: z.object({ ...shown, column: count }),
  result: columnSummary,
  push: z.never(),
});

/** A part of the view as CSV, with the names of its columns. Fails with `tooLarge`, too. */
export const copyFrameRows = defineCompanionOperation({
  name: "frames.csv",
  parameters: z.object({ ...shown, ...part }),
  result: z.object({ text: z.string().check(z.maxLength(8_000_000)) }),
  push: z.never(),
});

/** Code that makes the view, with pandas, polars, or numpy. */
export const frameCode = defineCompanionOperation({
  name: "frames.code",
  parameters: z.object(shown),
  result: z.object({ code: z.string().check(z.maxLength(2_000_000)) }),
  push: z.never(),
});

export const closeFrame = defineCompanionOperation({
  name: "frames.close",
  parameters: z.object({ id }),
  result: z.object({}),
  push: z.never(),
});
