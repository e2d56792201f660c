import type { Workspace } from "../api/catalogue/models/workspaces.ts";
import { stateOf } from "../api/families/workspaces.ts";
import { causeOf } from "../api/http/errors.ts";

/** How waiting for a workspace to run ended. */
export type WaitResult =
  | { readonly result: "running"; readonly workspace: Workspace }
  | { readonly result: "ended"; readonly workspace: Workspace }
  | { readonly result: "timeLimit" };

export interface WaitOptions {
  readonly read: () => Promise<Workspace>;
  /** Waits, in milliseconds; rejects when cancelled. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly onRead?: (workspace: Workspace) => void;
  /** Milliseconds. */
  readonly firstPause?: number;
  readonly pause?: number;
  readonly limit?: number;
}

/** A fault on the way says nothing about the workspace; this many in a row end the waiting. */
const toleratedFaults = 3;

/**
 * Reads the workspace until it runs, or until its instance is gone after it was seen (`ended`). Throws what the reading
 * throws when that cannot change by waiting.
 */
export async function waitUntilRunning(options: WaitOptions): Promise<WaitResult> {
  const { firstPause = 1000, pause = 3000, limit = 300_000 } = options;
  let hasStarted = false;
  let faults = 0;
  for (let waited = firstPause, next = firstPause; waited <= limit; waited += pause, next = pause) {
    await options.sleep(next);
    let workspace: Workspace;
    try {
      workspace = await options.read();
    } catch (error) {
      faults += 1;
      if (!mayPass(error) || faults > toleratedFaults) {
        throw error;
      }
      continue;
    }
    faults = 0;
    options.onRead?.(workspace);
    const { state } = stateOf(workspace);
    if (state === "running") {
      return { result: "running", workspace };
    }
    if (state === "stopped" && hasStarted) {
      return { result: "ended", workspace };
    }
    hasStarted ||= state === "starting";
  }
  return { result: "timeLimit" };
}

/** How long a content server may take to answer after its workspace runs, in milliseconds. */
const servedWithin = 120_000;

export interface ServedOptions {
  /** Asks the content server for anything. */
  readonly ask: () => Promise<unknown>;
  /** Waits, in milliseconds; rejects when cancelled. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Asks the content server of a workspace that has begun to run until it answers, for two minutes at most: the platform calls
 * an instance running before the server in it listens. Any other failure ends the waiting, too: it is shown where the server is
 * needed next. True when the server answers.
 */
export async function waitUntilServed({ ask, sleep }: ServedOptions): Promise<boolean> {
  for (let waited = 0, pause = 500; ; waited += pause, pause = Math.min(pause * 2, 3000)) {
    try {
      await ask();
      return true;
    } catch (error) {
      if (!isNotServedYet(error) || waited >= servedWithin) {
        return false;
      }
    }
    await sleep(pause);
  }
}

function isNotServedYet(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause?.type === "workspaceNotRunning") {
    // A 403 may as well be about the token, which no waiting mends.
    return cause.status !== 403;
  }
  return cause?.type === "status" && [502, 503, 504].includes(cause.status);
}

function mayPass(error: unknown): boolean {
  const cause = causeOf(error);
  return cause?.type === "network" || cause?.type === "timeLimit" || (cause?.type === "status" && cause.status >= 500);
}
