import { type Clock, systemClock } from "../../clock.ts";
import type { ExecutionRecord } from "../executions/execution-record.ts";
import type { ExecutionTable } from "../executions/execution-table.ts";
import type { IncomingMessage } from "../wire/kernel-message.ts";

/** Maximum time that messages wait for the recorder to be read, in milliseconds. */
const maxWaitMs = 10_000;
/** Maximum size of the waiting messages, in bytes. */
const maxHeldBytes = 32 * 1024 * 1024;

interface HeldMessagesParts {
  readonly table: ExecutionTable;
  /** Passes a message on to its execution. */
  readonly pass: (message: IncomingMessage) => void;
  readonly flush: () => void | Promise<void>;
  readonly clock?: Clock | undefined;
  readonly maxBytes?: number;
}

/**
 * Holds back messages of executions of an earlier window until their cells are known and the recorder has been read, so
 * that nothing is shown twice or out of order. After a timeout, or beyond a size limit, the messages are shown as they
 * arrive, and the recorder's output replaces them later.
 */
export class HeldMessages {
  readonly #parts: HeldMessagesParts;
  readonly #clock: Clock;
  readonly #maxBytes: number;
  /** Executions whose cells are known, and whose messages have not been read from the recorder yet. */
  readonly #records = new Set<ExecutionRecord>();
  #messages: IncomingMessage[] = [];
  #bytes = 0;
  #cancelWait: (() => void) | undefined;

  constructor(parts: HeldMessagesParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.#maxBytes = parts.maxBytes ?? maxHeldBytes;
  }

  /** Holds the messages of executions whose cells are known until `release` is called. */
  hold(records: readonly ExecutionRecord[]): void {
    for (const record of records) {
      this.#records.add(record);
    }
    this.#limitWait();
  }

  /**
   * Handles a message of an execution whose cell is known, or output without an execution, which most likely belongs to
   * the latest one.
   */
  handle(message: IncomingMessage): void {
    const { table } = this.#parts;
    const record = table.recordOf(message) ?? table.latest;
    const isAwaited = record === undefined ? table.hasUnclaimed : this.#records.has(record);
    if (!isAwaited) {
      this.#parts.pass(message);
      return;
    }
    this.append(message);
    this.#limitWait();
  }

  /** Holds a message. Beyond the limit, releases all messages, or drops this one if no cell is known yet. */
  append(message: IncomingMessage): void {
    this.#bytes += message.byteLength;
    const isTooMuch = this.#bytes > this.#maxBytes;
    if (!isTooMuch || this.#records.size > 0) {
      this.#messages.push(message);
    }
    if (isTooMuch && this.#records.size > 0) {
      this.release();
    }
  }

  /** Passes on all held messages in order, and stops holding. Drops messages without an execution. */
  release(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#records.clear();
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    for (const message of messages) {
      if ((this.#parts.table.recordOf(message) ?? this.#parts.table.latest) !== undefined) {
        this.#parts.pass(message);
      }
    }
  }

  #limitWait(): void {
    if (this.#messages.length > 0) {
      this.#cancelWait ??= this.#clock.schedule(maxWaitMs, () => {
        this.release();
        void this.#parts.flush();
      });
    }
  }
}
