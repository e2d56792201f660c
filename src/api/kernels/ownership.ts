import type { RunningKernel } from "./models.ts";

/** Who else uses a kernel that is about to be attached to. */
export type KernelOccupancy =
  | { readonly type: "free" }
  /** Other clients are connected: the person chooses to take over, to follow, or to start a kernel of their own. */
  | { readonly type: "shared"; readonly otherConnections: number };

/** Who else is connected, from a description that was read before this client connected. */
export function occupancyOf(kernel: RunningKernel): KernelOccupancy {
  return kernel.connections > 0 ? { type: "shared", otherConnections: kernel.connections } : { type: "free" };
}

/** One owner of a kernel across the person's windows. The caller gives the storage that windows share. */
export interface KernelLeases {
  /** Takes the lease unless another owner holds one that is not expired. Gives the owner that has it now. */
  acquire(kernelId: string, owner: string, milliseconds: number): Promise<string>;
  /** Takes the lease from whoever holds it. */
  takeOver(kernelId: string, owner: string, milliseconds: number): Promise<void>;
  release(kernelId: string, owner: string): Promise<void>;
}
