import type { ExecutionTable } from "../executions/execution-table.ts";
import { OutputCaptures } from "../recorder/output-captures.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";
import type { CommTraffic } from "./comm-traffic.ts";
import type { ConnectionListeners } from "./connection-listeners.ts";
import type { ExecutionInterrupts } from "./execution-interrupts.ts";
import type { LostReplies } from "./lost-replies.ts";

interface OutputDeliveryParts {
  readonly table: ExecutionTable;
  readonly comms: CommTraffic;
  readonly listeners: ConnectionListeners;
  readonly lostReplies: LostReplies;
  readonly interrupts: ExecutionInterrupts;
}

/** Delivers each message to its execution, or to the widget that captures the output. */
export class OutputDelivery {
  readonly #parts: OutputDeliveryParts;
  readonly #captures = new OutputCaptures();

  constructor(parts: OutputDeliveryParts) {
    this.#parts = parts;
  }

  /**
   * Delivers a message. `isReplayed`: its execution is shown again. `isRecovered`: the message comes from the recorder,
   * not the socket. Returns false if no execution is known that it could belong to.
   */
  deliver(message: IncomingMessage, from: { readonly isReplayed: boolean; readonly isRecovered: boolean }): boolean {
    const { table, comms, listeners, lostReplies, interrupts } = this.#parts;
    const captured = this.#captures.handle(message, from.isReplayed);
    if (captured === "noted") {
      return true;
    }
    if (captured !== undefined && listeners.has("capturedOutput")) {
      listeners.emit("capturedOutput", captured);
      return true;
    }
    const cell = table.get(comms.cellOf(message) ?? "");
    const record = table.recordOf(message) ?? cell ?? table.latest;
    if (record === undefined) {
      return false;
    }
    const before = record.phase;
    table.handle(record, message);
    lostReplies.notice(record, message, from.isRecovered);
    interrupts.advanced(record, before);
    return true;
  }

  /** Discards all captures, because the kernel's process ended. */
  clear(): void {
    this.#captures.clear();
  }
}
