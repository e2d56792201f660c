import type { Workspace } from "../../api/catalogue/models/workspaces.ts";
import { stateOf } from "../../api/families/workspaces.ts";
import { causeOf } from "../../api/http/errors.ts";

/** How waiting for a workspace ended. */
export type WaitResult =
  | { readonly result: "running"; readonly workspace: Workspace }
  | { readonly result: "ended"; readonly workspace: Workspace }
  | { readonly result: "timeLimit" };

export interface WaitOptions {
  readonly read: () => Promise<Workspace>;
  /** Waits for a number of milliseconds. Rejects if the user cancels. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly onRead?: (workspace: Workspace) => void;
  /** Times in milliseconds. */
  readonly firstPauseMs?: number;
  readonly pause?: number;
  readonly limit?: number;
}

/** Maximum number of consecutive transient errors before waiting ends. */
const toleratedFaults = 3;

/**
 * Polls a workspace until it is running, or until its instance disappears after it was starting (`ended`). Throws
 * errors of `read` that waiting can't resolve.
 */
export async function waitUntilRunning(options: WaitOptions): Promise<WaitResult> {
  const { firstPauseMs = 1000, pause = 3000, limit = 300_000 } = options;
  let hasStarted = false;
  let faults = 0;
  for (let waited = firstPauseMs, next = firstPauseMs; waited <= limit; waited += pause, next = pause) {
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

/** Time limit for a content server to respond after its workspace is running, in milliseconds. */
const startTimeoutMs = 120_000;

export interface ServedOptions {
  /** Sends any request to the content server. */
  readonly ask: () => Promise<unknown>;
  /** Waits for a number of milliseconds. Rejects if the user cancels. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Polls the content server of a workspace that has just started until it responds, for up to two minutes. The platform
 * reports an instance as running before its server listens. Resolves with false on a timeout, and on any other error,
 * which is shown when the server is used next.
 */
export async function waitUntilServed({ ask, sleep }: ServedOptions): Promise<boolean> {
  for (let waited = 0, pause = 500; ; waited += pause, pause = Math.min(pause * 2, 3000)) {
    try {
      await ask();
      return true;
    } catch (error) {
      if (!isNotServedYet(error) || waited >= startTimeoutMs) {
        return false;
      }
    }
    await sleep(pause);
  }
}

function isNotServedYet(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause?.type === "workspaceNotRunning") {
    // A token can also cause a 403, which waiting doesn't change.
    return cause.status !== 403;
  }
  return cause?.type === "status" && [502, 503, 504].includes(cause.status);
}

function mayPass(error: unknown): boolean {
  const cause = causeOf(error);
  return cause?.type === "network" || cause?.type === "timeLimit" || (cause?.type === "status" && cause.status >= 500);
}
