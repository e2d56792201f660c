import * as z from "zod/mini";
import { nameOf } from "../catalogue/content-path.ts";
import { getContent } from "../catalogue/operations/content-reading.ts";
import type { ContentClient } from "../client/client.ts";
import { inParallel } from "../content-server/concurrency.ts";
import { readBeginning } from "../content-server/raw-files.ts";
import { memberText } from "../http/json-member.ts";
import { KernelServer } from "../kernels/kernel-server.ts";
import type { KernelSession } from "../kernels/models.ts";
import { compareRunNames, notebookOfRun } from "./run-names.ts";
import { type RunRecord, type RunState, runRecord, runState } from "./run-record.ts";

/** The number of runs of a notebook that are listed, newest first. */
const maxListedRuns = 20;
/** Bytes. Of a larger notebook, the beginning is read first, where the program of a run writes the record. */
const maxReadBytes = 4 * 1024 * 1024;
const beginningBytes = 1024 * 1024;
/** Bytes. Of a larger one, nothing else is read. */
const maxRecordBytes = 32 * 1024 * 1024;

/** A run in the folder of its notebook. */
export interface ListedRun {
  /** The content path of the executed notebook. */
  readonly path: string;
  /** ISO 8601; undefined if the server doesn't report it. */
  readonly changed: string | undefined;
  /** Undefined for a notebook that only has the name of a run, or whose record can't be read. */
  readonly record: RunRecord | undefined;
  readonly state: RunState | undefined;
  readonly session: KernelSession | undefined;
}

const children = z.array(
  z.looseObject({
    name: z.string(),
    path: z.string(),
    type: z.string(),
    last_modified: z.nullish(z.string()),
    size: z.nullish(z.number()),
  }),
);

/** The items of a folder with the name of a run, and the names of all. */
async function folderOf(client: ContentClient, path: string, signal?: AbortSignal) {
  const folder = path.split("/").slice(0, -1).join("/");
  const { content } = await client.call(
    getContent,
    { path: folder, content: 1, type: "directory", no_track_activity: 1 },
    signal === undefined ? {} : { signal },
  );
  const { data = [] } = z.safeParse(children, content);
  return { folder, items: data };
}

/** The content path in the folder of another path. */
export function besides(path: string, name: string): string {
  return [...path.split("/").slice(0, -1), name].join("/");
}

/** The names in the folder of a path: of its items, and of runs that are just being started. */
export async function namesBeside(client: ContentClient, path: string): Promise<ReadonlySet<string>> {
  const [{ items }, sessions] = await Promise.all([
    folderOf(client, path),
    new KernelServer(async () => client).sessionsIfAny(),
  ]);
  // A second session at the path of a run would be that of the run itself.
  const started = sessions.map((session) => nameOf(session.path)).filter((name) => notebookOfRun(name) !== undefined);
  return new Set([...items.map(({ name }) => name), ...started]);
}

/** The records of runs by path, as of the last change of the file. */
export type KnownRecords = Map<string, { readonly stamp: string; readonly record: RunRecord | undefined }>;

/**
 * Lists the runs of a notebook, newest first: what has their names in its folder. Reads only notebooks that have changed.
 * None of the requests counts as activity on the server.
 */
export async function listRuns(
  client: ContentClient,
  notebook: string,
  known: KnownRecords,
): Promise<readonly ListedRun[]> {
  const [{ items }, sessions] = await Promise.all([
    folderOf(client, notebook),
    new KernelServer(async () => client).sessionsIfAny(),
  ]);
  const own = nameOf(notebook);
  const found = items
    // A server lists a notebook whose extension has capital letters as a file.
    .filter(({ name, type }) => type !== "directory" && notebookOfRun(name) === own)
    .toSorted((one, other) => compareRunNames(one.name, other.name))
    .slice(0, maxListedRuns);
  const listed = new Map<string, ListedRun>();
  await inParallel(found, async ({ name, last_modified: changed, size }) => {
    const path = besides(notebook, name);
    const stamp = `${changed} ${size}`;
    const before = known.get(path);
    const record = before?.stamp === stamp ? before.record : await readRecord(client, path, size ?? 0);
    known.set(path, { stamp, record });
    const session = sessions.find((one) => one.path === path);
    listed.set(path, {
      path,
      changed: changed ?? undefined,
      record,
      state: record === undefined ? undefined : runState(record, session !== undefined),
      session,
    });
  });
  return found.flatMap(({ name }) => listed.get(besides(notebook, name)) ?? []);
}

/** The content of a notebook, as the server has it. */
export async function readContent(client: ContentClient, path: string): Promise<unknown> {
  const input = { path, content: 1, type: "notebook", no_track_activity: 1 } as const;
  return (await client.call(getContent, input)).content;
}

/**
 * The record of a run, without its state. `size` is that of its notebook in bytes, if it is known. Undefined for a very
 * large notebook that something else has saved since.
 */
export async function readRecord(client: ContentClient, path: string, size = 0): Promise<RunRecord | undefined> {
  const record = size > maxReadBytes ? recordIn(await readBeginning(client, path, beginningBytes)) : undefined;
  return record ?? (size > maxRecordBytes ? undefined : runRecord(await readContent(client, path)));
}

function recordIn(beginning: Uint8Array | undefined): RunRecord | undefined {
  try {
    const metadata = memberText(new TextDecoder().decode(beginning), "metadata");
    return metadata === undefined ? undefined : runRecord({ metadata: JSON.parse(metadata) });
  } catch {
    // Not all of it is at the beginning.
    return undefined;
  }
}
