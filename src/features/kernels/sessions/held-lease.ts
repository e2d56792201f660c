import * as vscode from "vscode";

/** A window's lease of a kernel, which all of its notebooks share. */
interface WindowLease {
  /** Renews the lease, unless it is lost. Never rejects. */
  renew(): Promise<void>;
  /** Takes the lease from the window that has it. */
  takeOver(): Promise<void>;
  /** Ends the use by a notebook. The last notebook releases the lease. Resolves when that is done. Never rejects. */
  leave(held: HeldLease): Promise<void>;
}

/** The use of a window's lease by one notebook, while the notebook is connected to the kernel. */
export class HeldLease implements vscode.Disposable {
  readonly #lease: WindowLease;
  readonly #changed = new vscode.EventEmitter<void>();
  #isLost = false;
  #released: Promise<void> | undefined;

  constructor(lease: WindowLease) {
    this.#lease = lease;
  }

  /** Fires when another window has the lease, and when this window has it again. */
  get onDidChange(): vscode.Event<void> {
    return this.#changed.event;
  }

  /** True if another window has the lease. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolves when this use has ended after `dispose`. */
  get released(): Promise<void> {
    return this.#released ?? Promise.resolve();
  }

  /** Renews the lease. If another window has it, reports that. Never rejects. */
  renew(): Promise<void> {
    return this.#released === undefined ? this.#lease.renew() : this.#released;
  }

  /** Takes the lease back from the window that has it, for all notebooks of this window. */
  reacquire(): Promise<void> {
    return this.#lease.takeOver();
  }

  /** Records whether this window has the lease. */
  settle(isOurs: boolean): void {
    if (this.#isLost === isOurs) {
      this.#isLost = !isOurs;
      this.#changed.fire();
    }
  }

  dispose(): void {
    this.#released ??= this.#lease.leave(this);
    this.#changed.dispose();
  }
}
