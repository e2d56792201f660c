import { isCompanion } from "../../../api/kernels/kernel-server.ts";
import type { KernelSession, RunningKernel } from "../../../api/kernels/models.ts";
import type { RunningTerminal } from "../../../api/terminals/terminal-server.ts";

/** What runs on a content server: a kernel with the notebooks that use it, a companion, or a terminal. */
export type RunningItem =
  | { readonly type: "kernel"; readonly kernel: RunningKernel; readonly paths: readonly string[] }
  | { readonly type: "companion"; readonly kernel: RunningKernel }
  | { readonly type: "terminal"; readonly terminal: RunningTerminal };

/** A kernel among what runs. */
export type KernelItem = Extract<RunningItem, { readonly type: "kernel" }>;

/**
 * The kernels by the path of their first notebook, those without a notebook behind them, the companions, and then the
 * terminals. A kernel
 * that several notebooks share is listed once.
 */
export function runningItems(
  kernels: readonly RunningKernel[],
  sessions: readonly KernelSession[],
  terminals: readonly RunningTerminal[],
): readonly RunningItem[] {
  const paths = Map.groupBy(
    sessions.filter(({ path }) => path !== ""),
    ({ kernel }) => kernel?.id,
  );
  const companions = new Set(sessions.filter(isCompanion).map(({ kernel }) => kernel?.id));
  const others = kernels.filter(({ id }) => !companions.has(id));
  const items = others.map((kernel): KernelItem => {
    const own = new Set((paths.get(kernel.id) ?? []).map(({ path }) => path));
    return { type: "kernel", kernel, paths: [...own].toSorted() };
  });
  return [
    ...items.filter((item) => item.paths.length > 0).toSorted((one, other) => compare(one.paths[0], other.paths[0])),
    ...items.filter((item) => item.paths.length === 0),
    ...kernels.filter(({ id }) => companions.has(id)).map((kernel): RunningItem => ({ type: "companion", kernel })),
    ...terminals.map((terminal): RunningItem => ({ type: "terminal", terminal })),
  ];
}

/** The kernels that run nothing now, without companions. Those whose state isn't known are not among them. */
export function idleKernels(items: readonly RunningItem[]): readonly KernelItem[] {
  return items.filter((item): item is KernelItem => item.type === "kernel" && item.kernel.executionState === "idle");
}

function compare(one = "", other = ""): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
