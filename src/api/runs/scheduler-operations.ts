import * as z from "zod/mini";
import { defineOperation } from "../catalogue/operation.ts";

// Jobs of the extension Jupyter Scheduler of a content server. The API description does not mention it, so these are not
// operations of the catalog. A server without it responds with 404.

const jobId = z.string().check(z.minLength(1));
const readErrors = { otherwise: { kind: "retrieval" } } as const;
const changeErrors = { otherwise: { kind: "crud" } } as const;
/** Servers that stop when they are idle must not count a request with this parameter as activity. */
const noActivity = { no_track_activity: z.optional(z.literal(1)) };

/** Lists the jobs of all notebooks. Each item is checked by itself, so that one of another version hides no others. */
export const listSchedulerJobs = defineOperation({
  id: "scheduler.jobs.list",
  section: "beyond",
  summary: "List the jobs of Jupyter Scheduler",
  method: "GET",
  path: "scheduler/jobs",
  pathParameters: {},
  queryParameters: { ...noActivity, sort_by: z.string(), max_items: z.number() },
  body: z.undefined(),
  response: z.looseObject({ jobs: z.array(z.unknown()) }),
  credential: "notebook",
  effect: "read",
  failure: "Can't list the jobs of Jupyter Scheduler",
  entity: "jobs",
  errors: readErrors,
});

export const getSchedulerJob = defineOperation({
  id: "scheduler.jobs.get",
  section: "beyond",
  summary: "Read a job of Jupyter Scheduler",
  method: "GET",
  path: "scheduler/jobs/{jobId}",
  pathParameters: { jobId },
  queryParameters: noActivity,
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "read",
  failure: "Can't read the job of Jupyter Scheduler",
  entity: "job {jobId}",
  errors: readErrors,
});

export const stopSchedulerJob = defineOperation({
  id: "scheduler.jobs.stop",
  section: "beyond",
  summary: "Stop a job of Jupyter Scheduler",
  method: "PATCH",
  path: "scheduler/jobs/{jobId}",
  pathParameters: { jobId },
  queryParameters: {},
  body: z.strictObject({ status: z.literal("STOPPED") }),
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't stop the job of Jupyter Scheduler",
  entity: "job {jobId}",
  errors: changeErrors,
});

export const deleteSchedulerJob = defineOperation({
  id: "scheduler.jobs.delete",
  section: "beyond",
  summary: "Delete a job of Jupyter Scheduler and its files",
  method: "DELETE",
  path: "scheduler/jobs/{jobId}",
  pathParameters: { jobId },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "destroy",
  failure: "Can't delete the job of Jupyter Scheduler",
  entity: "job {jobId}",
  errors: changeErrors,
});

/** Asks the server to copy the files of a job to a folder that content clients see. It responds before they are there. */
export const copySchedulerFiles = defineOperation({
  id: "scheduler.jobs.files.copy",
  section: "beyond",
  summary: "Copy the files of a job of Jupyter Scheduler into the workspace",
  method: "GET",
  path: "scheduler/jobs/{jobId}/download_files",
  pathParameters: { jobId },
  queryParameters: {},
  body: z.undefined(),
  response: z.unknown(),
  credential: "notebook",
  effect: "change",
  failure: "Can't copy the files of the job of Jupyter Scheduler",
  entity: "job {jobId}",
  errors: readErrors,
});
