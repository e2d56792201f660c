import type { IncomingMessage } from "../../wire/kernel-message.ts";
import type { Agenda } from "../agenda.ts";
import type { ExecutionRecord } from "../execution/execution.ts";

/** Maximum time that messages wait for the recorder to be read, in milliseconds. */
const maxWaitMs = 10_000;
/** Maximum size of the waiting messages, in bytes. */
const maxHeldBytes = 32 * 1024 * 1024;

/**
 * Messages of executions of an earlier window, held back until their cells are known and the recorder has been read, so
 * that nothing is shown twice or out of order. After a timeout, or beyond a size limit, the messages are shown as they
 * arrive, and the recorder's output replaces them later.
 */
export class HeldMessages {
  readonly #agenda: Agenda;
  readonly #maxBytes: number;
  /** Executions whose cells are known, and whose messages have not been read from the recorder yet. */
  readonly #records = new Set<ExecutionRecord>();
  #messages: IncomingMessage[] = [];
  #bytes = 0;
  #timer: number | undefined;

  constructor(agenda: Agenda, maxBytes = maxHeldBytes) {
    this.#agenda = agenda;
    this.#maxBytes = maxBytes;
  }

  /** Number of held messages, and of executions whose messages are held. */
  get size(): number {
    return this.#records.size + this.#messages.length;
  }

  /** Holds the messages of executions whose cells are known until `release` is called. */
  hold(records: readonly ExecutionRecord[]): void {
    for (const record of records) {
      this.#records.add(record);
    }
    this.#limitWait();
  }

  /** True if the messages of an execution are held. */
  holds(record: ExecutionRecord): boolean {
    return this.#records.has(record);
  }

  /** Holds a message. Returns messages to pass on, because there are too many, or drops it if no cell is known yet. */
  append(message: IncomingMessage): readonly IncomingMessage[] {
    this.#bytes += message.byteLength;
    const isTooMuch = this.#bytes > this.#maxBytes;
    if (!isTooMuch || this.#records.size > 0) {
      this.#messages.push(message);
    }
    if (isTooMuch && this.#records.size > 0) {
      return this.release();
    }
    if (this.#records.size > 0) {
      this.#limitWait();
    }
    return [];
  }

  /** Stops holding. Returns the held messages in order. */
  release(): readonly IncomingMessage[] {
    this.#agenda.cancelTimer(this.#timer);
    this.#timer = undefined;
    this.#records.clear();
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    return messages;
  }

  /** Removes and returns the messages that the kernel published before this number. */
  takeBefore(number: number): readonly IncomingMessage[] {
    const older = this.#messages.filter((message) => precedes(message, number));
    if (older.length > 0) {
      this.#messages = this.#messages.filter((message) => !precedes(message, number));
    }
    return older;
  }

  #limitWait(): void {
    if (this.#messages.length > 0) {
      this.#timer ??= this.#agenda.setTimer({ name: "heldMessages" }, maxWaitMs);
    }
  }
}

/** True if the kernel published a message before the one with this number: without a number, before it had the recorder. */
export function precedes({ channel, header }: IncomingMessage, number: number): boolean {
  return channel === "iopub" && (header.publishedNumber ?? 0) < number;
}
