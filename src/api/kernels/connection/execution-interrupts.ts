import type { Log } from "../../http/log.ts";
import type { ExecutionRecord } from "../executions/execution-record.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";

/**
 * Milliseconds from the start of an execution until its code runs. An earlier interrupt would hit the kernel itself,
 * which then sends no reply.
 */
const codeStartTimeoutMs = 100;

interface ExecutionInterruptParts {
  readonly table: ExecutionTable;
  /** Interrupts the kernel. Rejects with a PlatformError if the server refuses. */
  readonly interrupt: () => Promise<void>;
  /** True while the server restarts the kernel. */
  readonly isRestarting: () => boolean;
  readonly flush: () => void | Promise<void>;
  readonly log: Log;
}

/** Interrupts and cancels executions. */
export class ExecutionInterrupts {
  readonly #parts: ExecutionInterruptParts;

  constructor(parts: ExecutionInterruptParts) {
    this.#parts = parts;
  }

  /**
   * Drops unsent executions, and interrupts the rest. Executions in the kernel's queue are interrupted when they begin.
   */
  async interruptAll(): Promise<void> {
    const { table, interrupt, flush } = this.#parts;
    for (const record of table.pending) {
      if (record.phase === "queued") {
        table.end(record, { type: "dropped" });
      } else if (record.phase === "sent") {
        record.isUnwanted = true;
      }
    }
    await flush();
    await interrupt();
  }

  /** Cancels a single execution by its message id. */
  async cancel(messageId: string): Promise<void> {
    const { table, interrupt, flush } = this.#parts;
    const record = table.get(messageId);
    switch (record?.phase) {
      case "queued":
        table.end(record, { type: "dropped" });
        await flush();
        break;
      case "sent":
        record.isUnwanted = true;
        break;
      case "running":
        await interrupt();
        break;
    }
  }

  /** Call this when an execution may have left the phase `before`. */
  advanced(record: ExecutionRecord, before: ExecutionRecord["phase"]): void {
    if (record.isUnwanted && before !== "running" && record.phase === "running") {
      // It began even though it was interrupted while it was queued.
      setTimeout(() => this.#interruptUnwanted(record), codeStartTimeoutMs);
    }
    if (before !== "ended" && record.phase === "ended") {
      this.#dropQueueAfter(record);
    }
  }

  #interruptUnwanted({ phase, isUnwanted }: ExecutionRecord): void {
    if (phase === "running" && isUnwanted && !this.#parts.isRestarting()) {
      const { interrupt, log } = this.#parts;
      interrupt().catch((error: unknown) => log.warn(String(error)));
    }
  }

  /** Drops the unsent executions after a failed one. The kernel does the same with those in its queue. */
  #dropQueueAfter(record: ExecutionRecord): void {
    const { table, flush } = this.#parts;
    void record.ended.then(({ type }) => {
      // Executions that are queued during a restart are for the new process.
      if (type === "error" && record.stopOnError && !this.#parts.isRestarting()) {
        for (const queued of table.pending.filter(({ phase }) => phase === "queued")) {
          table.end(queued, { type: "dropped" });
        }
        return flush();
      }
      return undefined;
    });
  }
}
