import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

/** Maximum number of rows per request. */
export const maxVariableRows = 500;
const maxPathLength = 50;

const count = z.int().check(z.nonnegative());
const text = z.string().check(z.maxLength(1000));

/** A step from a value to one below it, as the kernel has reported it. The first step is the name of a variable. */
const step = z.object({
  kind: z.enum(["name", "index", "position", "key", "attribute", "column"]),
  at: z.union([count, z.string().check(z.maxLength(4000))]),
});
const path = z.array(step).check(z.minLength(1), z.maxLength(maxPathLength));
export type VariablePath = z.output<typeof path>;

const page = { offset: count, count: z.int().check(z.positive(), z.maximum(maxVariableRows)) };

const row = z.object({
  label: text,
  step,
  type: text,
  /** The length of a container or text, such as `3`, or the dimensions of data, such as `(1000, 5)`. */
  shape: z.nullable(text),
  /** In bytes, without those of other values that it refers to. Null if only its own code could tell. */
  size: z.nullable(count),
  /** The beginning of its text; with `raised`, the error. Hostile, like everything here. */
  value: text,
  isCut: z.boolean(),
  /** Why there is no text: its code raised an error, took too long, or wasn't run because others took too long. */
  problem: z.nullable(z.enum(["raised", "slow", "skipped"])),
  hasChildren: z.boolean(),
  /** Whether it is a data frame: of pandas, polars, or pyarrow, or an array of numpy with two dimensions. */
  isFrame: z.boolean(),
  /** The expression that gives the value in the kernel. Null if there is none. */
  expression: z.nullable(text),
  /** The execution that set a variable. Null if it is unknown, and for what is below a variable. */
  setter: z.nullable(z.object({ cell: z.nullable(text), count: z.nullable(count) })),
});
export type VariableRow = z.output<typeof row>;
const rows = z.array(row).check(z.maxLength(maxVariableRows));

/**
 * A subscription to changes of the variables: after each cell, and at most once a second at any other time. A push says
 * only that something may have changed.
 */
export const watchVariables = defineCompanionOperation({
  name: "variables.watch",
  parameters: z.object({}),
  result: z.object({}),
  push: z.object({}),
});

/** Lists variables. All operations fail with `missing` in a kernel without IPython. */
export const listVariables = defineCompanionOperation({
  name: "variables.list",
  parameters: z.object({
    /** A part of the name or of the type, in any case. */
    filter: text,
    sort: z.enum(["name", "type", "size", "recent"]),
    /** Also modules, functions, classes, and names that begin with an underscore. */
    includesAll: z.boolean(),
    ...page,
  }),
  result: z.object({
    rows,
    /** Number of variables that match. */
    total: count,
    /** Number of variables without a filter, with those of all kinds. */
    all: count,
  }),
  push: z.never(),
});

/** Lists what is below a value. Fails with `gone`, `slow`, or `failed`. */
export const listVariableChildren = defineCompanionOperation({
  name: "variables.children",
  parameters: z.object({ path, ...page }),
  result: z.object({ rows, total: count }),
  push: z.never(),
});

/** The text of a value. Fails with `gone`, `raised`, or `slow`. */
export const readVariable = defineCompanionOperation({
  name: "variables.value",
  parameters: z.object({ path }),
  result: z.object({ text: z.string().check(z.maxLength(1_100_000)), isCut: z.boolean() }),
  push: z.never(),
});

/** Deletes variables. Fails with `busy` while a cell runs. */
export const deleteVariables = defineCompanionOperation({
  name: "variables.delete",
  parameters: z.object({ names: z.array(text).check(z.maxLength(1000)) }),
  result: z.object({ deleted: count }),
  push: z.never(),
});

/** Completes what is below a value, without running its code: after a dot, or as texts in brackets. */
export const listMembers = defineCompanionOperation({
  name: "variables.members",
  parameters: z.object({ expression: text, kind: z.enum(["attribute", "key"]) }),
  result: z.object({
    members: z
      .array(
        z.object({ name: z.string().check(z.maxLength(200)), type: z.enum(["function", "property", "statement"]) }),
      )
      .check(z.maxLength(1000)),
  }),
  push: z.never(),
});
