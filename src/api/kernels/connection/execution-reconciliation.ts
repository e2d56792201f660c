import type { ExecutionRecord } from "../executions/execution-record.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";

interface ExecutionReconciliationParts {
  readonly table: ExecutionTable;
  /** Delivers messages that were lost since the recorder was read. */
  readonly complete: (records: readonly ExecutionRecord[]) => Promise<void>;
  readonly flush: () => void | Promise<void>;
}

/** Settles executions and input replies that were sent on an earlier socket. */
export class ExecutionReconciliation {
  readonly #parts: ExecutionReconciliationParts;

  constructor(parts: ExecutionReconciliationParts) {
    this.#parts = parts;
  }

  /** Repeats input requests whose replies were sent on an earlier socket and may be lost. */
  async askAgain(socket: number): Promise<void> {
    const { table, flush } = this.#parts;
    for (const record of table.pending) {
      if (record.askAgain(socket)) {
        table.touch(record);
      }
    }
    await flush();
  }

  /**
   * Ends the executions of earlier sockets, because the kernel has processed everything that was sent before this
   * socket, and no more replies follow. `isRecorded`: the recorder contains everything that the kernel published for
   * them.
   */
  async settle(socket: number, isRecorded: boolean): Promise<void> {
    const { table, complete, flush } = this.#parts;
    const unsettled = (): readonly ExecutionRecord[] =>
      table.pending.filter((record) => record.phase !== "queued" && record.socket < socket);
    const withoutReply = unsettled().filter(({ hasReply }) => !hasReply);
    if (withoutReply.length > 0) {
      await complete(withoutReply);
    }
    for (const record of unsettled()) {
      if (record.hasReply) {
        record.endWithReply();
        table.touch(record);
      } else if (isRecorded && !record.hasTrace) {
        table.end(record, { type: "notReceived" });
      } else {
        record.gap({ type: "connectionLost" });
        table.end(record, { type: "unknown" });
      }
    }
    await flush();
  }
}
