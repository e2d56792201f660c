import type { Agenda } from "../agenda.ts";
import type { ExecutionRecord } from "../execution/execution.ts";
import type { Executions } from "../execution/executions.ts";
import type { Link } from "../link.ts";
import type { Progress } from "../output.ts";
import type { KernelRequests } from "../requests.ts";
import type { Recovery } from "./recovery.ts";

/** Milliseconds to wait for a missing reply before querying the kernel. Replies are often slightly late. */
const replyTimeoutMs = 1000;
/** Milliseconds to wait for a missing idle status. Output, which precedes it, can arrive much later than the reply. */
const idleTimeoutMs = 2000;

interface FinalMessagesParts {
  readonly agenda: Agenda;
  readonly link: Link;
  readonly requests: KernelRequests;
  readonly executions: Executions;
  readonly recovery: Recovery;
}

/**
 * Ends executions if one of their two final messages is missing: the reply or the idle status.
 *
 * ipykernel drops the reply if an interrupt arrives after it dequeued a cell and before the cell's code begins. Replies
 * on one socket arrive in the order of the requests, so a reply to a later request proves that an earlier one gets
 * none. Output may still follow, so the execution ends when the kernel has also reported that it is idle. The recovery
 * settles executions that were sent on an earlier socket.
 *
 * The idle status can be lost between the kernel and the server, together with the last output. The kernel's next idle
 * status proves that.
 */
export class FinalMessages {
  readonly #parts: FinalMessagesParts;

  constructor(parts: FinalMessagesParts) {
    this.#parts = parts;
  }

  /** Takes note of a final message. One from the recorder does not prove that an earlier reply is missing. */
  note({ record, type, isRecovered }: Progress): void {
    const { messageId } = record.entry;
    if (type === "replied") {
      if (!isRecovered) {
        this.#endEarlier(record);
      }
      if (record.isWaitingForIdle) {
        this.#parts.agenda.setTimer({ name: "missingIdle", messageId }, idleTimeoutMs);
      }
    } else if (type === "idle" && this.#isReplyMissing(record)) {
      this.#parts.agenda.setTimer({ name: "missingReply", messageId }, replyTimeoutMs);
    }
  }

  /** Asks the kernel, which replies to this request after everything that was sent before. */
  askForReply(messageId: string): void {
    const { executions, recovery } = this.#parts;
    const record = executions.get(messageId);
    if (record !== undefined && this.#isReplyMissing(record)) {
      this.#ask(() =>
        recovery.afterRecovery(record, () => {
          if (this.#isReplyMissing(record)) {
            executions.loseReply(record);
          }
        }),
      );
    }
  }

  /** Anything that the kernel published before this reply arrives before the reply's idle status, or is lost. */
  askForIdle(messageId: string): void {
    const { executions, recovery } = this.#parts;
    const record = executions.get(messageId);
    if (record === undefined || !this.#isIdleMissing(record)) {
      return;
    }
    const end = (): void => {
      if (this.#isIdleMissing(record)) {
        record.gap({ type: "notDelivered" });
        executions.endWithReply(record);
      }
    };
    this.#ask(() => {
      if (this.#isIdleMissing(record)) {
        recovery.afterRecovery(record, end);
      }
    });
  }

  /** If the connection breaks or the kernel ends before the reply, that settles the execution. */
  #ask(replied: () => void): void {
    this.#parts.requests.request("shell", "kernel_info_request", {}, { idle: true }).onResult(replied);
  }

  #endEarlier(replied: ExecutionRecord): void {
    const { executions, recovery } = this.#parts;
    for (const record of executions.sentBefore(replied)) {
      if (record.socket !== replied.socket || !this.#isReplyMissing(record)) {
        continue;
      }
      // A reply can also have gone to an earlier socket with the same session.
      recovery.afterRecovery(record, () => {
        if (this.#isReplyMissing(record)) {
          executions.loseReply(record);
        }
      });
    }
  }

  #isReplyMissing(record: ExecutionRecord): boolean {
    return record.socket !== undefined && record.socket === this.#parts.link.socket && !record.hasReply;
  }

  #isIdleMissing(record: ExecutionRecord): boolean {
    return record.isWaitingForIdle && record.socket === this.#parts.link.socket;
  }
}
