import type { RunningKernel } from "../../../api/kernels/models.ts";
import type { Culling, ResourceUsage } from "../../../api/resources/resource-usage.ts";
import type { RunningItem } from "./running-items.ts";

/** What a kernel uses, with the processes that it has started. */
export interface ItemUsage {
  /** Resident bytes. */
  readonly memory: number;
  /** In processors; undefined if it wasn't measured yet. */
  readonly processor: number | undefined;
  /** Whether it uses more memory than any other kernel of the workspace. False if there is no other. */
  readonly leadsInMemory: boolean;
}

/** What an item uses, and when the server ends it while it is idle, as far as that is known. */
export function usageOf(
  item: RunningItem,
  usage: ResourceUsage | undefined,
): { readonly usage: ItemUsage | undefined; readonly culling: Culling | undefined } {
  const culling = usage?.culling ?? undefined;
  const found = item.type === "terminal" ? undefined : usage?.kernels.find(({ id }) => id === item.kernel.id);
  if (usage === undefined || found === undefined) {
    return { usage: undefined, culling };
  }
  const top = Math.max(...usage.kernels.map(({ memory }) => memory));
  const { memory, processor } = found;
  const leadsInMemory = item.type === "kernel" && usage.kernels.length > 1 && memory === top;
  return { usage: { memory, processor: processor ?? undefined, leadsInMemory }, culling };
}

/**
 * Milliseconds after which the server may end a kernel that stays as it is. Undefined if it doesn't end it in this state:
 * by default, it keeps kernels that are busy or that a client is connected to.
 */
export function millisecondsUntilCulled(
  { connections, executionState, lastActivity }: RunningKernel,
  { idleSeconds, endsBusy, endsConnected }: Culling,
  now: number,
): number | undefined {
  const last = Date.parse(lastActivity ?? "");
  const isKept = (connections > 0 && !endsConnected) || (executionState === "busy" && !endsBusy);
  return isKept || Number.isNaN(last) ? undefined : Math.max(0, last + idleSeconds * 1000 - now);
}
