import type { ExecutionEvent } from "../executions/executions.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { fieldsOf } from "../wire/message-codec.ts";
import { commOf, eventOf, isOutput } from "../wire/message-events.ts";

/** Maximum number of tracked comms that capture output. A kernel can send any number. */
const maxCaptures = 1000;

/** An output that a comm's widget shows instead of the cell. */
export interface CapturedOutput {
  readonly commId: string;
  readonly event: ExecutionEvent;
  /** True if the output was read again from the kernel's recorder. The widget has it already. */
  readonly isReplayed: boolean;
}

/** The execution whose outputs a comm message captures, or empty to end the capture; undefined for other messages. */
export function captureOf(
  message: IncomingMessage,
): { readonly commId: string; readonly parentId: string } | undefined {
  const comm = commOf(message);
  const parentId = fieldsOf(comm?.data.state).msg_id;
  // A widget captures nothing when it opens. The recorder doesn't keep the opening message, so it can arrive after
  // later ones.
  return comm?.type !== "message" || typeof parentId !== "string" ? undefined : { commId: comm.commId, parentId };
}

/**
 * Tracks which comms capture the outputs of which executions, as ipywidgets' Output does with the `msg_id` of its
 * state. Requires messages in the order in which the kernel sent them.
 */
export class OutputCaptures {
  readonly #parentIds = new Map<string, string>();

  /**
   * Returns the captured output, `noted` for the beginning or end of a capture, or undefined for a message for the
   * cell.
   */
  handle(message: IncomingMessage, isReplayed: boolean): CapturedOutput | "noted" | undefined {
    const asked = captureOf(message);
    if (asked !== undefined) {
      this.#note(asked.commId, asked.parentId);
      return "noted";
    }
    const { msg_type } = message.header;
    if (this.#parentIds.size === 0 || !(isOutput(msg_type) || msg_type === "clear_output")) {
      return undefined;
    }
    const parentId = message.parentHeader?.msg_id;
    // With nested captures, the most recent one is the innermost.
    const commId = [...this.#parentIds].findLast(([, id]) => id === parentId)?.[0];
    const event = commId === undefined || msg_type === "update_display_data" ? undefined : eventOf(message, 0);
    return commId === undefined || event === undefined ? undefined : { commId, event, isReplayed };
  }

  /** Discards all captures, because the kernel's process ended. */
  clear(): void {
    this.#parentIds.clear();
  }

  #note(commId: string, parentId: string): void {
    this.#parentIds.delete(commId);
    if (parentId !== "") {
      this.#parentIds.set(commId, parentId);
    }
    const [oldest] = this.#parentIds.keys();
    if (this.#parentIds.size > maxCaptures && oldest !== undefined) {
      this.#parentIds.delete(oldest);
    }
  }
}
