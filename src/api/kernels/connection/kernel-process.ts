import { phrase } from "../../phrase.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";
import type { ExecutionOutcome } from "../executions/executions.ts";
import type { KernelInformation } from "../models.ts";
import type { ConnectionListeners } from "./connection-listeners.ts";
import type { KernelEnd } from "./connection-state.ts";
import type { ExecutionSender } from "./execution-sender.ts";
import { withdrawExecutions } from "./execution-withdrawal.ts";
import type { KernelRequests } from "./kernel-requests.ts";
import type { Reattachment } from "./reattachment.ts";

interface KernelProcessParts {
  readonly table: ExecutionTable;
  readonly requests: KernelRequests;
  readonly sender: ExecutionSender;
  readonly reattachment: Reattachment;
  readonly listeners: ConnectionListeners;
  /** Restarts the kernel through the server. Rejects with a PlatformError if the server refuses. */
  readonly restart: () => Promise<void>;
  /** Replaces the socket. */
  readonly reopen: () => void;
  /** Discards the kernel's comms. */
  readonly clearComms: () => void;
  /** The outcome of executions that can no longer be sent; undefined while they can. */
  readonly endOfUnsent: () => ExecutionOutcome | undefined;
  readonly flush: () => void | Promise<void>;
}

/** Handles the end and the replacement of the kernel's process. */
export class KernelProcess {
  readonly #parts: KernelProcessParts;
  #information: KernelInformation | undefined;
  #restarting: Promise<void> | undefined;
  /** True from the first report of a restart until the new process has sent its information. */
  #isRestartAnnounced = false;
  /** True if the old process has reported its exit during the current restart. */
  #hasLeft = false;
  /** Message ids of executions that the process discarded. */
  #notRun: ReadonlySet<string> = new Set();

  constructor(parts: KernelProcessParts) {
    this.#parts = parts;
  }

  /** Undefined until the kernel's first reply. */
  get information(): KernelInformation | undefined {
    return this.#information;
  }

  /** True while the server performs a restart that this client requested. */
  get isRestarting(): boolean {
    return this.#restarting !== undefined;
  }

  /** Records the information that the process has sent. */
  introduced(information: KernelInformation): void {
    this.#isRestartAnnounced = false;
    this.#information = information;
  }

  /** Restarts the kernel. Concurrent calls share one restart. Rejects with a PlatformError if the server refuses. */
  restart(): Promise<void> {
    if (this.#restarting !== undefined) {
      return this.#restarting;
    }
    const restarting = this.#restart().finally(() => {
      this.#restarting = this.#restarting === restarting ? undefined : this.#restarting;
    });
    this.#restarting = restarting;
    return restarting;
  }

  /** Handles a report of a restart by the ending process, or by the server that has replaced a lost process. */
  replaced(by: "process" | "server"): void {
    if (this.isRestarting) {
      this.#hasLeft = true;
      return;
    }
    void this.#replace(true);
    if (by === "server") {
      this.#parts.reopen();
    }
  }

  /** Handles the end of the kernel, which can still be restarted. */
  ended(end: KernelEnd): void {
    const { table, requests, reattachment, listeners, clearComms, flush } = this.#parts;
    reattachment.abandon();
    const queued = this.isRestarting ? [] : table.pending.filter(({ phase }) => phase === "queued");
    const notSent = queued.map(({ entry }) => entry);
    const running = table.endPending({ keepsQueued: this.isRestarting });
    requests.lose(phrase`The kernel ended.`);
    clearComms();
    table.removeJournal();
    listeners.emit("kernel", { type: "ended", end, running, notSent });
    void flush();
  }

  /**
   * Drops unsent executions, as JupyterLab does. Withdraws those in the kernel's queue before the server interrupts the
   * running cell, because a busy ipykernel might begin them before it exits. New executions wait for the new process.
   */
  async #restart(): Promise<void> {
    const { table, requests, sender, restart, flush } = this.#parts;
    this.#hasLeft = false;
    sender.hold();
    try {
      const withdrawn = table.withdrawPending();
      void flush();
      const hasGivenUp = await withdrawExecutions(requests, this.#information, withdrawn);
      this.#notRun = new Set(hasGivenUp ? withdrawn : []);
      await restart();
      await this.#replace(false);
    } catch (error) {
      await (this.#hasLeft ? this.#replace(false) : this.#continueAfterGap());
      throw error;
    }
  }

  /** Continues with the old process, because the server did not restart the kernel. */
  async #continueAfterGap(): Promise<void> {
    const { table, sender, endOfUnsent, flush } = this.#parts;
    table.reinstatePending();
    this.#restarting = undefined;
    const outcome = endOfUnsent();
    if (outcome === undefined) {
      sender.release();
    } else {
      table.endPending({ keepsQueued: false });
    }
    await flush();
  }

  /** Switches to the new process. The server, the ending kernel, and the response all report the same restart. */
  async #replace(isAutomatic: boolean): Promise<void> {
    const { table, requests, sender, reattachment, listeners, clearComms, flush } = this.#parts;
    // A server can report the restart that came before this connection, from the messages that it kept for the session.
    // What waits here is for the new process.
    const isEarlier = this.#information === undefined;
    const running = table.endPending({ keepsQueued: this.isRestarting || isEarlier, notRun: this.#notRun });
    this.#notRun = new Set();
    requests.lose(phrase`The kernel was restarted.`);
    clearComms();
    if (isEarlier ? running.length > 0 : !this.#isRestartAnnounced || running.length > 0) {
      this.#isRestartAnnounced = true;
      listeners.emit("kernel", { type: "restarted", isAutomatic, running });
    }
    sender.restart();
    reattachment.restart(sender.socket);
    await flush();
  }
}
