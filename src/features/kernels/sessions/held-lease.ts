import type * as vscode from "vscode";
import type { KernelLeases } from "../../../api/kernels/ownership.ts";
import { leaseTime } from "./attachment.ts";

interface HeldLeaseParts {
  readonly leases: KernelLeases;
  readonly kernelId: string;
  /** Names this window in leases. */
  readonly owner: string;
  /** Another window has the lease. */
  readonly onLost: () => void;
  readonly onError: (error: unknown) => void;
}

/** Holds the lease of a kernel for as long as this window is connected to it, or until another window takes it over. */
export class HeldLease implements vscode.Disposable {
  readonly #parts: HeldLeaseParts;
  #timer: NodeJS.Timeout | undefined;
  #state: "held" | "lost" | "disposed" = "held";

  constructor(parts: HeldLeaseParts) {
    this.#parts = parts;
    this.#keep();
  }

  /** Whether another window has it. */
  get isLost(): boolean {
    return this.#state === "lost";
  }

  /** Renews the lease, or finds out that another window has it. Never rejects. */
  async renew(): Promise<void> {
    const { leases, kernelId, owner, onLost, onError } = this.#parts;
    try {
      if (this.#state !== "held" || (await leases.acquire(kernelId, owner, leaseTime)) === owner) {
        return;
      }
      if (this.#end("lost")) {
        onLost();
      }
    } catch (error) {
      onError(error);
    }
  }

  /** Takes it back from the window that has it. */
  async takeBack(): Promise<void> {
    const { leases, kernelId, owner } = this.#parts;
    await leases.takeOver(kernelId, owner, leaseTime);
    if (this.#state === "lost") {
      this.#state = "held";
      this.#keep();
    }
  }

  dispose(): void {
    const { leases, kernelId, owner, onError } = this.#parts;
    this.#end("disposed");
    leases.release(kernelId, owner).catch(onError);
  }

  #keep(): void {
    this.#timer = setInterval(() => void this.renew(), leaseTime / 2);
    this.#timer.unref();
  }

  /** False when it had ended before. */
  #end(state: "lost" | "disposed"): boolean {
    clearInterval(this.#timer);
    const wasHeld = this.#state === "held";
    this.#state = state;
    return wasHeld;
  }
}
