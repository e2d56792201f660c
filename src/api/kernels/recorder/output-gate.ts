import type { IncomingMessage } from "../wire/kernel-message.ts";
import { RecentIds } from "../wire/recent-ids.ts";

/** Bytes of messages that are held back. What is beyond is dropped, and read from the recorder again. */
const mostHeld = 32 * 1024 * 1024;

/** Passes on the messages of executions: each once, and none while older ones are being read from the recorder. */
export class OutputGate {
  readonly #deliver: (message: IncomingMessage, isReplayed: boolean) => void;
  readonly #recent = new RecentIds();
  #held: IncomingMessage[] | undefined;
  #heldBytes = 0;
  #hasOverflowed = false;

  constructor(deliver: (message: IncomingMessage, isReplayed: boolean) => void) {
    this.#deliver = deliver;
  }

  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** A message that arrived from the server. */
  take(message: IncomingMessage): void {
    if (this.#held === undefined) {
      this.pass(message);
      return;
    }
    this.#heldBytes += message.byteLength;
    if (this.#heldBytes > mostHeld) {
      this.#held = [];
      this.#heldBytes = 0;
      this.#hasOverflowed = true;
    } else {
      this.#held.push(message);
    }
  }

  /** Delivers a message unless it was delivered before. `isReplayed`: its execution is shown anew from its beginning. */
  pass(message: IncomingMessage, isReplayed = false): void {
    const id = message.header.msg_id;
    if (!this.#recent.add(id)) {
      return;
    }
    if (message.channel === "iopub") {
      this.#recent.addInOrder(id);
    }
    this.#deliver(message, isReplayed);
  }

  hold(): void {
    this.#held ??= [];
  }

  /** Whether held messages had to be dropped since this was asked the last time. */
  takeOverflow(): boolean {
    const hasOverflowed = this.#hasOverflowed;
    this.#hasOverflowed = false;
    return hasOverflowed;
  }

  /** Delivers what was held back, without what came from the recorder meanwhile. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#heldBytes = 0;
    for (const message of held) {
      this.pass(message);
    }
  }

  /** Lets messages through again. */
  forget(ids: Iterable<string>): void {
    this.#recent.forget(ids);
  }

  /** The id from which on the recorder has to be read when output is missing from now on. */
  mark(): string | undefined {
    return this.#recent.mark();
  }
}
