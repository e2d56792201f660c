import { setTimeout as delay } from "node:timers/promises";
import type { ContentClient } from "../client/client.ts";
import { unlessUnknown } from "../http/unknown-address.ts";
import { phrase } from "../phrase.ts";
import { WordedError } from "../worded-error.ts";
import { type SchedulerJob, schedulerJob } from "./scheduler-jobs.ts";
import {
  copySchedulerFiles,
  deleteSchedulerJob,
  getSchedulerJob,
  listSchedulerJobs,
  stopSchedulerJob,
} from "./scheduler-operations.ts";

/** The newest jobs of the server among which those of a notebook are found. */
const maxReadJobs = 500;
/** The jobs of a notebook that are listed. */
const maxListedJobs = 20;
/** Milliseconds between two looks at whether the files of a job are there, and for all of them. */
const pauseMs = 500;
const copyTimeoutMs = 60_000;

/** The jobs of a notebook, newest first. `none` if the server doesn't have Jupyter Scheduler. */
export type SchedulerJobs =
  | { readonly type: "none" }
  | { readonly type: "jobs"; readonly jobs: readonly SchedulerJob[] };

/**
 * Lists the jobs of notebooks with a file name. Jupyter Scheduler doesn't keep their folder. Doesn't count as activity on
 * the server. Throws a PlatformError.
 */
export async function listJobs(client: ContentClient, notebook: string): Promise<SchedulerJobs> {
  const response = await unlessUnknown(
    client.call(listSchedulerJobs, { sort_by: "desc(create_time)", max_items: maxReadJobs, no_track_activity: 1 }),
  );
  if (response === undefined) {
    return { type: "none" };
  }
  const jobs = response.jobs.slice(0, maxReadJobs).flatMap((item) => schedulerJob(item) ?? []);
  return { type: "jobs", jobs: jobs.filter((job) => job.notebook === notebook).slice(0, maxListedJobs) };
}

/** Stops a job that is running. What it has run is lost. */
export async function stopJob(client: ContentClient, { id }: SchedulerJob): Promise<void> {
  await client.call(stopSchedulerJob, { jobId: id, body: { status: "STOPPED" } });
}

/** Deletes a job with the files that Jupyter Scheduler has of it. Copies in the workspace stay. */
export async function deleteJob(client: ContentClient, { id }: SchedulerJob): Promise<void> {
  await client.call(deleteSchedulerJob, { jobId: id });
}

/**
 * Copies the files of a job into the workspace, unless the one with this format is there. Resolves with its content path.
 * Throws a WordedError if it isn't there in time, or a PlatformError.
 */
export async function fileOfJob(
  client: ContentClient,
  job: SchedulerJob,
  { format, signal, timeoutMs = copyTimeoutMs }: { format: string; signal: AbortSignal; timeoutMs?: number },
): Promise<string> {
  const known = pathOf(job, format);
  if (known !== undefined) {
    return known;
  }
  await client.call(copySchedulerFiles, { jobId: job.id }, { signal });
  const until = performance.now() + timeoutMs;
  for (;;) {
    const read = schedulerJob(await client.call(getSchedulerJob, { jobId: job.id, no_track_activity: 1 }, { signal }));
    const path = read === undefined ? undefined : pathOf(read, format);
    // The copy of the notebook is written last. A file that exists may not be complete before.
    if (path !== undefined && read !== undefined && pathOf(read, "input") !== undefined) {
      return path;
    }
    if (performance.now() > until) {
      throw new WordedError(phrase`Can't open the job of ${job.notebook}: Jupyter Scheduler didn't copy its files.`);
    }
    await delay(pauseMs, undefined, { signal });
  }
}

function pathOf({ files }: SchedulerJob, format: string): string | undefined {
  return files.find((file) => file.format === format)?.path;
}
