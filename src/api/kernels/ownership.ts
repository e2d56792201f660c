import type { RunningKernel } from "./models.ts";

/** Whether other clients use a kernel that this client is about to attach to. */
export type KernelOccupancy =
  | { readonly type: "free" }
  /** Other clients are connected. The user chooses to take over, to follow, or to start another kernel. */
  | { readonly type: "shared"; readonly otherConnections: number };

/** The occupancy of a kernel that was read before this client connected. */
export function occupancyOf(kernel: RunningKernel): KernelOccupancy {
  return kernel.connections > 0 ? { type: "shared", otherConnections: kernel.connections } : { type: "free" };
}

/**
 * Leases that give each kernel one owner among the user's windows. The caller provides storage that the windows share.
 */
export interface KernelLeases {
  /** Acquires the lease unless another owner has an unexpired lease. Returns the current owner. */
  acquire(kernelId: string, owner: string, milliseconds: number): Promise<string>;
  /** Acquires the lease even if another owner has it. */
  takeOver(kernelId: string, owner: string, milliseconds: number): Promise<void>;
  release(kernelId: string, owner: string): Promise<void>;
}
