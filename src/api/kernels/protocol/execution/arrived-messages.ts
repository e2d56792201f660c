import type { ExecutionEvent, ExecutionOutcome } from "../../executions/executions.ts";
import type { IncomingMessage } from "../../wire/kernel-message.ts";
import { stringField } from "../../wire/message-codec.ts";
import { countOf, messageTime, payloadOf } from "../../wire/message-events.ts";

/**
 * A reply that has arrived. The execution ends only when the kernel is also idle, because output arrives on another
 * channel.
 */
export type Reply = Extract<ExecutionEvent, { type: "ended" }>;

/** The error that a cell shows if the kernel ends it with `abort`, as some kernels do when they are interrupted. */
const interrupted: ExecutionEvent = {
  type: "error",
  name: "Interrupted",
  value: "The cell was interrupted.",
  traceback: [],
};

/** What has arrived of an execution: the beginning, an error, and the two final messages. */
export class ArrivedMessages {
  #hasBegun = false;
  #hasError = false;
  /** `lost`: the kernel dropped it. */
  reply: Reply | "lost" | undefined;
  /** When the kernel was idle again, by its clock. */
  idleAt: number | undefined;

  note(event: ExecutionEvent): void {
    switch (event.type) {
      case "started":
        this.#hasBegun = true;
        break;
      case "error":
        this.#hasError = true;
        break;
      case "idle":
        this.idleAt = event.at;
        break;
    }
  }

  /** Takes the reply. Returns the error that the cell shows because of it. */
  takeReply({ header, content }: IncomingMessage, now: number): ExecutionEvent | undefined {
    const status = stringField(content.status);
    const isAborted = status.startsWith("abort");
    // The reply can arrive before the message that the execution began. Only executions that began have a count.
    const hasBegun = this.#hasBegun || countOf(content) !== undefined;
    const at = messageTime(header, now);
    if (isAborted && !hasBegun) {
      // Some kernels report nothing else about an execution that they did not begin.
      this.idleAt ??= at;
    }
    const outcome: ExecutionOutcome =
      status === "ok" ? { type: "ok" } : isAborted && !hasBegun ? { type: "aborted" } : { type: "error" };
    this.reply = { type: "ended", outcome, executionCount: countOf(content), at, payload: payloadOf(content) };
    return isAborted && hasBegun && !this.#hasError ? interrupted : undefined;
  }
}
