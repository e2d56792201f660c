import type { KernelLeases } from "../../../api/kernels/ownership.ts";
import { HeldLease } from "./held-lease.ts";

/** Milliseconds until a lease expires. It is renewed while a notebook is connected to the kernel. */
const leaseMs = 120_000;

interface WindowLeasesParts {
  /** The leases that all windows share. */
  readonly leases: KernelLeases;
  /** The id of this window in leases. */
  readonly owner: string;
  readonly onError: (error: unknown) => void;
}

/** The leases of one window. It keeps the lease of a kernel while one of its notebooks runs cells on the kernel. */
export class WindowLeases {
  readonly #parts: WindowLeasesParts;
  readonly #kernels = new Map<string, KernelLease>();

  constructor(parts: WindowLeasesParts) {
    this.#parts = parts;
  }

  /** True if notebooks of this window use the lease, and no other window is known to have it. */
  isHeld(kernelId: string): boolean {
    return this.#kernels.get(kernelId)?.isHeld ?? false;
  }

  /** Acquires the lease, unless another window has it. Resolves with true if this window now has it. */
  acquire(kernelId: string): Promise<boolean> {
    return this.#of(kernelId).acquire();
  }

  /** Takes the lease from the window that has it. */
  takeOver(kernelId: string): Promise<void> {
    return this.#of(kernelId).takeOver();
  }

  /** Releases the lease, unless a notebook of this window uses it. */
  release(kernelId: string): Promise<void> {
    return this.#of(kernelId).release();
  }

  /** Acquires the lease for a notebook. It is lost at once if another window has it. */
  hold(kernelId: string): Promise<HeldLease> {
    return this.#of(kernelId).hold();
  }

  #of(kernelId: string): KernelLease {
    const known = this.#kernels.get(kernelId);
    if (known !== undefined) {
      return known;
    }
    const lease = new KernelLease(kernelId, this.#parts);
    this.#kernels.set(kernelId, lease);
    return lease;
  }
}

/** The lease of one kernel, with the notebooks of this window that use it. */
class KernelLease {
  readonly #kernelId: string;
  readonly #parts: WindowLeasesParts;
  readonly #users = new Set<HeldLease>();
  #isLost = false;
  #timer: NodeJS.Timeout | undefined;
  /** Serializes the steps, so that one notebook's release doesn't remove the next notebook's lease. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(kernelId: string, parts: WindowLeasesParts) {
    this.#kernelId = kernelId;
    this.#parts = parts;
  }

  get isHeld(): boolean {
    return this.#users.size > 0 && !this.#isLost;
  }

  async hold(): Promise<HeldLease> {
    const held = new HeldLease(this);
    this.#users.add(held);
    await this.acquire().catch(this.#parts.onError);
    return held;
  }

  acquire(): Promise<boolean> {
    const { leases, owner } = this.#parts;
    return this.#enqueue(async () => {
      const isOurs = (await leases.acquire(this.#kernelId, owner, leaseMs)) === owner;
      this.#settle(isOurs);
      return isOurs;
    });
  }

  async renew(): Promise<void> {
    if (this.isHeld) {
      await this.acquire().catch(this.#parts.onError);
    }
  }

  takeOver(): Promise<void> {
    const { leases, owner } = this.#parts;
    return this.#enqueue(async () => {
      await leases.takeOver(this.#kernelId, owner, leaseMs);
      this.#settle(true);
    });
  }

  release(): Promise<void> {
    const { leases, owner } = this.#parts;
    return this.#enqueue(async () => {
      if (this.#users.size === 0) {
        await leases.release(this.#kernelId, owner);
      }
    });
  }

  leave(held: HeldLease): Promise<void> {
    this.#users.delete(held);
    this.#keep();
    return this.release().catch(this.#parts.onError);
  }

  #settle(isOurs: boolean): void {
    this.#isLost = !isOurs;
    this.#keep();
    for (const held of [...this.#users]) {
      held.settle(isOurs);
    }
  }

  #keep(): void {
    clearInterval(this.#timer);
    if (this.isHeld) {
      this.#timer = setInterval(() => void this.renew(), leaseMs / 2);
      this.#timer.unref();
    }
  }

  #enqueue<Value>(step: () => Promise<Value>): Promise<Value> {
    const done = this.#work.then(step);
    this.#work = done.catch(() => undefined);
    return done;
  }
}
