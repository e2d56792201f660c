import type * as vscode from "vscode";
import type { KernelLeases } from "../../../api/kernels/ownership.ts";
import { leaseTime } from "./attachment.ts";

/** Holds the lease of a kernel for as long as this window is connected to it. */
export class HeldLease implements vscode.Disposable {
  readonly #release: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(leases: KernelLeases, kernelId: string, owner: string, onError: (error: unknown) => void) {
    this.#timer = setInterval(() => void leases.acquire(kernelId, owner, leaseTime).catch(onError), leaseTime / 2);
    this.#timer.unref();
    this.#release = () => void leases.release(kernelId, owner).catch(onError);
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#release();
  }
}
