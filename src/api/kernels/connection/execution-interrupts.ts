import type { Log } from "../../http/log.ts";
import type { ExecutionRecord } from "../executions/execution-record.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";

/**
 * Milliseconds within which a kernel that has taken an execution runs its code. An interrupt before that would reach the kernel
 * itself, which then gives no answer.
 */
const codeBeginsWithin = 100;

interface ExecutionInterruptParts {
  readonly table: ExecutionTable;
  /** Interrupts the kernel. Rejects with a PlatformError when the server refuses. */
  readonly interrupt: () => Promise<void>;
  readonly flush: () => void | Promise<void>;
  readonly log: Log;
}

/** Ends executions before they end by themselves: what is not sent is dropped, what runs is interrupted. */
export class ExecutionInterrupts {
  readonly #parts: ExecutionInterruptParts;

  constructor(parts: ExecutionInterruptParts) {
    this.#parts = parts;
  }

  /** Interrupts what runs, and drops everything that is queued. What the kernel has queued is interrupted when it begins. */
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

  /** Ends one execution, and no other. */
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

  /** An execution has come further than the phase that it was in before. */
  advanced(record: ExecutionRecord, before: ExecutionRecord["phase"]): void {
    if (record.isUnwanted && before !== "running" && record.phase === "running") {
      // It was interrupted while it was queued, and began all the same.
      setTimeout(() => this.#interruptUnwanted(record), codeBeginsWithin);
    }
    if (before !== "ended" && record.phase === "ended") {
      this.#dropQueueAfter(record);
    }
  }

  #interruptUnwanted({ phase }: ExecutionRecord): void {
    if (phase === "running") {
      const { interrupt, log } = this.#parts;
      interrupt().catch((error: unknown) => log.warn(String(error)));
    }
  }

  /** What waits to be sent behind a failed execution is not sent, as the kernel does not run what it had got. */
  #dropQueueAfter(record: ExecutionRecord): void {
    const { table, flush } = this.#parts;
    void record.ended.then(({ type }) => {
      if (type === "error" && record.stopOnError) {
        for (const queued of table.pending.filter(({ phase }) => phase === "queued")) {
          table.end(queued, { type: "dropped" });
        }
        return flush();
      }
      return undefined;
    });
  }
}
