import type { ExecutionEvent } from "../executions/executions.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import { fieldsOf } from "../wire/message-codec.ts";
import { commOf, eventOf, isOutput } from "../wire/message-events.ts";

/** Comms that are remembered as catching output; a kernel can send any number. */
const mostCaptures = 1000;

/** An output that a comm's widget shows instead of the cell. */
export interface CapturedOutput {
  readonly commId: string;
  readonly event: ExecutionEvent;
  /** The widget had it before: it was read again from the kernel's recorder. */
  readonly isReplayed: boolean;
}

/** The id of the execution whose outputs a comm's message asks for; undefined for a message that says nothing of it. */
export function captureOf(
  message: IncomingMessage,
): { readonly commId: string; readonly parentId: string } | undefined {
  const comm = commOf(message);
  const parentId = fieldsOf(comm?.data.state).msg_id;
  return comm === undefined || typeof parentId !== "string" ? undefined : { commId: comm.commId, parentId };
}

/**
 * Which comms catch the outputs of which executions, as ipywidgets' Output does with the `msg_id` of its state. Messages
 * are taken in the order in which the kernel sent them.
 */
export class OutputCaptures {
  readonly #parentIds = new Map<string, string>();

  /** Takes a message: undefined for one that the cell shows. */
  take(message: IncomingMessage, isReplayed: boolean): CapturedOutput | "noted" | undefined {
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
    // The innermost one: it asked last.
    const commId = [...this.#parentIds].findLast(([, id]) => id === parentId)?.[0];
    const event = commId === undefined || msg_type === "update_display_data" ? undefined : eventOf(message);
    return commId === undefined || event === undefined ? undefined : { commId, event, isReplayed };
  }

  /** The kernel's process ended. */
  clear(): void {
    this.#parentIds.clear();
  }

  #note(commId: string, parentId: string): void {
    this.#parentIds.delete(commId);
    if (parentId !== "") {
      this.#parentIds.set(commId, parentId);
    }
    const [oldest] = this.#parentIds.keys();
    if (this.#parentIds.size > mostCaptures && oldest !== undefined) {
      this.#parentIds.delete(oldest);
    }
  }
}
