import type { ExecutionOutcome } from "../../api/kernels/executions/executions.ts";

/** A cell whose run has ended. */
export interface EndedCell<Cell> {
  readonly cell: Cell;
  readonly outcome: ExecutionOutcome["type"];
  /** Milliseconds for which the kernel ran it; undefined if it didn't begin, or if that isn't known. */
  readonly durationMs: number | undefined;
}

/** What the user learns about a run of one or more cells of a notebook that ended while they did something else. */
export type RunReport<Cell> =
  | { readonly type: "failed"; readonly ended: EndedCell<Cell>; readonly isAborted: boolean }
  | { readonly type: "uncertain"; readonly ended: EndedCell<Cell> }
  | { readonly type: "finished"; readonly ended: EndedCell<Cell>; readonly count: number };

interface RunContext {
  /** True if the user sees the notebook. */
  readonly isInFront: boolean;
  /** A run is reported if one of its cells took longer than this, or if it failed. 0: no run is reported. */
  readonly thresholdMs: number;
}

/**
 * The report of a run, given its cells in the order in which they ended; undefined if there is nothing to report. The
 * loss of a kernel is not reported here, because its own message names the cells that were running.
 */
export function reportOf<Cell>(
  cells: readonly EndedCell<Cell>[],
  { isInFront, thresholdMs }: RunContext,
): RunReport<Cell> | undefined {
  const ended = new Set(cells.map(({ outcome }) => outcome));
  if (isInFront || thresholdMs <= 0 || ended.has("kernelEnded")) {
    return undefined;
  }
  const failed = cells.find(({ outcome }) => outcome === "error");
  if (failed !== undefined) {
    return { type: "failed", ended: failed, isAborted: ended.has("aborted") || ended.has("dropped") };
  }
  const uncertain = cells.find(({ outcome }) => outcome === "unknown" || outcome === "notReceived");
  if (uncertain !== undefined) {
    return { type: "uncertain", ended: uncertain };
  }
  const finished = cells.filter(({ outcome }) => outcome === "ok");
  const last = finished.at(-1);
  const isLong = finished.some(({ durationMs = 0 }) => durationMs > thresholdMs);
  return last === undefined || !isLong ? undefined : { type: "finished", ended: last, count: finished.length };
}
