import type { ExecutionRecord } from "../executions/execution-record.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import type { KernelRequests } from "./kernel-requests.ts";

/** Milliseconds after which a reply that is still missing is asked about: usually it is only a little behind. */
const replyWithin = 1000;

interface DroppedReplyParts {
  readonly requests: KernelRequests;
  readonly table: ExecutionTable;
  /** Number of the socket that is open now. */
  readonly socket: () => number;
  /** Runs the work when all output that is being recovered was delivered. */
  readonly afterRecovery: (work: () => void) => void;
}

/**
 * Ends executions whose reply the kernel dropped: ipykernel gives none when an interrupt reaches it after it took a cell and
 * before the cell's code begins. Replies of one socket come in the order of the requests. So a reply to a later request
 * proves that an earlier one gets none. Its output may still be on its way: the execution ends when the kernel has reported
 * to be idle, too. The reattachment settles what was sent on an earlier socket.
 */
export class DroppedReplies {
  readonly #parts: DroppedReplyParts;

  constructor(parts: DroppedReplyParts) {
    this.#parts = parts;
  }

  /** Looks at a message after its execution took it. It has to come straight from the socket. */
  notice(record: ExecutionRecord, { header, content }: IncomingMessage): void {
    if (header.msg_type === "execute_reply") {
      this.#endEarlier(record);
    } else if (header.msg_type === "status" && content.execution_state === "idle" && this.#isMissing(record)) {
      setTimeout(() => this.#ask(record), replyWithin).unref();
    }
  }

  #endEarlier(replied: ExecutionRecord): void {
    for (const record of this.#parts.table.sentBefore(replied)) {
      if (record.socket === replied.socket && this.#isMissing(record)) {
        this.#parts.table.loseReply(record);
      }
    }
  }

  /** A question that is answered behind everything that was sent before. */
  #ask(record: ExecutionRecord): void {
    if (!this.#isMissing(record)) {
      return;
    }
    const { requests, table, afterRecovery } = this.#parts;
    requests.request("shell", "kernel_info_request", {}, { idle: true }).then(
      () => afterRecovery(() => (this.#isMissing(record) ? table.loseReply(record) : undefined)),
      // The connection broke, or the kernel ended: both settle the execution.
      () => {},
    );
  }

  #isMissing(record: ExecutionRecord): boolean {
    return record.phase !== "ended" && !record.hasReply && record.socket === this.#parts.socket();
  }
}
