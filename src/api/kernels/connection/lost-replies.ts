import type { ExecutionRecord } from "../executions/execution-record.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import type { KernelRequests } from "./kernel-requests.ts";

/** Milliseconds to wait for a missing reply before querying the kernel. Replies are often slightly late. */
const replyTimeoutMs = 1000;
/** Milliseconds to wait for a missing idle status. Output, which precedes it, can arrive much later than the reply. */
const idleTimeoutMs = 2000;

interface LostReplyParts {
  readonly requests: KernelRequests;
  readonly table: ExecutionTable;
  /** Number of the current socket. */
  readonly socket: () => number;
  /** Runs the work after all recovered output and the recorder's messages of the execution were delivered. */
  readonly afterRecovery: (record: ExecutionRecord, work: () => void) => void;
}

/**
 * Ends executions if one of their two final messages is missing: the reply or the idle status.
 *
 * ipykernel drops the reply if an interrupt arrives after it dequeued a cell and before the cell's code begins. Replies
 * on one socket arrive in the order of the requests, so a reply to a later request proves that an earlier one gets
 * none. Output may still follow, so the execution ends when the kernel has also reported that it is idle. The
 * reattachment settles executions that were sent on an earlier socket.
 *
 * The idle status can be lost between the kernel and the server, together with the last output. The kernel's next idle
 * status proves that.
 */
export class LostReplies {
  readonly #parts: LostReplyParts;

  constructor(parts: LostReplyParts) {
    this.#parts = parts;
  }

  /**
   * Checks for a missing message after an execution received one. `isRecovered`: the message comes from the recorder,
   * which may have dropped the reply to an earlier request.
   */
  notice(record: ExecutionRecord, message: IncomingMessage, isRecovered: boolean): void {
    const { header } = message;
    if (header.msg_type === "execute_reply") {
      if (!isRecovered) {
        this.#endEarlier(record);
      }
      if (record.isWaitingForIdle) {
        setTimeout(() => this.#askForIdle(record), idleTimeoutMs).unref();
      }
    } else if (header.msg_type === "status" && message.content.execution_state === "idle" && this.#isMissing(record)) {
      setTimeout(() => this.#ask(record), replyTimeoutMs).unref();
    }
  }

  #endEarlier(replied: ExecutionRecord): void {
    for (const record of this.#parts.table.sentBefore(replied)) {
      if (record.socket === replied.socket && this.#isMissing(record)) {
        this.#parts.table.loseReply(record);
      }
    }
  }

  /** The kernel replies to this request after everything that was sent before. */
  #ask(record: ExecutionRecord): void {
    if (!this.#isMissing(record)) {
      return;
    }
    const { requests, table, afterRecovery } = this.#parts;
    requests.request("shell", "kernel_info_request", {}, { idle: true }).then(
      () => afterRecovery(record, () => (this.#isMissing(record) ? table.loseReply(record) : undefined)),
      // The connection broke or the kernel ended. Both settle the execution.
      () => {},
    );
  }

  /** Anything that the kernel published before this reply arrives before the reply's idle status, or is lost. */
  #askForIdle(record: ExecutionRecord): void {
    const { requests, table, afterRecovery } = this.#parts;
    const isLost = (): boolean => record.isWaitingForIdle && record.socket === this.#parts.socket();
    if (!isLost()) {
      return;
    }
    const end = (): void => {
      if (isLost()) {
        record.gap({ type: "notDelivered" });
        record.endWithReply();
        table.touch(record);
      }
    };
    requests.request("shell", "kernel_info_request", {}, { idle: true }).then(
      () => (isLost() ? afterRecovery(record, end) : undefined),
      () => {},
    );
  }

  #isMissing(record: ExecutionRecord): boolean {
    return record.phase !== "ended" && !record.hasReply && record.socket === this.#parts.socket();
  }
}
