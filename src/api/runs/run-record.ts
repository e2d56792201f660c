import * as z from "zod/mini";

const maxText = 2000;
const short = z.string().check(z.maxLength(maxText));
const count = z.int().check(z.minimum(0), z.maximum(1_000_000));

/** What the program of a run writes into the metadata of the executed notebook (`src/companion/notebook_run/`). */
const shape = z.looseObject({
  metadata: z.looseObject({
    platform_workbench_run: z.looseObject({
      status: z.enum(["running", "succeeded", "failed", "canceled"]),
      source: short,
      parameters: z.record(short, z.string().check(z.maxLength(20_000))),
      cell: count,
      cells: count,
      error: z.optional(z.string()),
    }),
    papermill: z.optional(
      z.looseObject({
        start_time: z.optional(z.nullable(short)),
        duration: z.optional(z.nullable(z.number())),
      }),
    ),
  }),
});

/** The record of a run. */
export interface RunRecord {
  /** `running` also for a run that ended with its kernel. See {@link runState}. */
  readonly status: "running" | "succeeded" | "failed" | "canceled";
  /** The file name of the notebook. */
  readonly source: string;
  /** Python literals by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The number of the current code cell, from 1. */
  readonly cell: number;
  /** The number of code cells. */
  readonly cells: number;
  readonly error: string | undefined;
  /** ISO 8601. */
  readonly started: string | undefined;
  readonly seconds: number | undefined;
}

/** Reads the record in a notebook's content. Undefined for any other notebook. */
export function runRecord(content: unknown): RunRecord | undefined {
  const { data } = z.safeParse(shape, content);
  if (data === undefined) {
    return undefined;
  }
  const { platform_workbench_run: run, papermill } = data.metadata;
  return {
    status: run.status,
    source: run.source,
    parameters: run.parameters,
    cell: run.cell,
    cells: run.cells,
    error: run.error?.slice(0, maxText),
    started: papermill?.start_time ?? undefined,
    seconds: papermill?.duration ?? undefined,
  };
}

/** The state of a run. `lost`: its kernel ended before it could record an end, for example because the workspace stopped. */
export type RunState = RunRecord["status"] | "lost";

/** The state by the record, and by whether the session of the run still exists. */
export function runState({ status }: Pick<RunRecord, "status">, hasSession: boolean): RunState {
  return status === "running" && !hasSession ? "lost" : status;
}
