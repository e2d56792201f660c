import * as z from "zod/mini";
import { isContentPath } from "../catalogue/content-path.ts";
import type { RunState } from "./run-record.ts";

const maxText = 2000;
const maxParameters = 200;
const maxFiles = 50;

const milliseconds = z.nullish(z.number().check(z.minimum(0), z.maximum(8e15)));

/** A job in a response. What older releases don't have is optional. */
const shape = z.looseObject({
  job_id: z.string().check(z.regex(/^\w[\w-]{0,99}$/)),
  input_filename: z.string().check(z.minLength(1), z.maxLength(maxText)),
  status: z.string().check(z.maxLength(100)),
  name: z.nullish(z.string()),
  parameters: z.nullish(z.record(z.string().check(z.maxLength(maxText)), z.unknown())),
  create_time: milliseconds,
  update_time: milliseconds,
  start_time: milliseconds,
  end_time: milliseconds,
  status_message: z.nullish(z.string()),
  job_definition_id: z.nullish(z.string()),
  job_files: z.nullish(
    z.array(
      z.looseObject({ display_name: z.nullish(z.string()), file_format: z.string(), file_path: z.nullish(z.string()) }),
    ),
  ),
});

/** A file of a job: an output, or the copy of the notebook that was run. */
export interface JobFile {
  /** The name for people, such as `Notebook`. */
  readonly title: string;
  /** The name of nbconvert's format, such as `ipynb`, or `input`. */
  readonly format: string;
  /** The content path. Undefined if it isn't in the workspace yet. */
  readonly path: string | undefined;
}

/** A job of Jupyter Scheduler. */
export interface SchedulerJob {
  readonly id: string;
  readonly name: string;
  /** The file name of the notebook. The server doesn't keep its folder. */
  readonly notebook: string;
  /** In the words of the server, such as `IN_PROGRESS`. A job that waits for its start is `QUEUED`. */
  readonly status: string;
  /** Undefined for a status that isn't known. */
  readonly state: Exclude<RunState, "lost"> | undefined;
  /** Python expressions by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** When it began, or was made. ISO 8601. */
  readonly time: string | undefined;
  readonly seconds: number | undefined;
  readonly error: string | undefined;
  /** True if a schedule made it. */
  readonly isScheduled: boolean;
  readonly files: readonly JobFile[];
}

const states: Readonly<Record<string, SchedulerJob["state"]>> = {
  CREATED: "running",
  QUEUED: "running",
  IN_PROGRESS: "running",
  STOPPING: "running",
  COMPLETED: "succeeded",
  FAILED: "failed",
  STOPPED: "canceled",
};

/** Reads a job in a response. Undefined if it isn't one. */
export function schedulerJob(item: unknown): SchedulerJob | undefined {
  const { data } = z.safeParse(shape, item);
  if (data === undefined) {
    return undefined;
  }
  // The server's default status. Only a job that has begun can be stopped.
  const status = data.status === "STOPPED" && data.start_time == null ? "QUEUED" : data.status;
  const state = Object.hasOwn(states, status) ? states[status] : undefined;
  const start = data.start_time ?? data.create_time ?? undefined;
  // Only a job that succeeded has an end.
  const end = data.end_time ?? (state === "failed" || state === "canceled" ? data.update_time : undefined);
  return {
    id: data.job_id,
    name: cut(data.name) ?? "",
    notebook: data.input_filename,
    status,
    state,
    parameters: Object.fromEntries(
      Object.entries(data.parameters ?? {})
        .slice(0, maxParameters)
        .map(([name, value]) => [name, String(value ?? "").slice(0, maxText)]),
    ),
    time: start === undefined ? undefined : new Date(start).toISOString(),
    seconds: end == null || data.start_time == null ? undefined : Math.max(0, (end - data.start_time) / 1000),
    error: state === "failed" ? cut(data.status_message) : undefined,
    isScheduled: data.job_definition_id != null,
    files: (data.job_files ?? []).slice(0, maxFiles).map(({ display_name: title, file_format: format, file_path }) => ({
      title: cut(title ?? format) ?? "",
      format: cut(format) ?? "",
      path: file_path != null && file_path !== "" && isContentPath(file_path) ? file_path : undefined,
    })),
  };
}

function cut(text: string | null | undefined): string | undefined {
  return text?.slice(0, maxText);
}
