import type { IncomingMessage } from "../wire/kernel-message.ts";
import { RecentIds } from "../wire/recent-ids.ts";

/** Maximum size of the held messages, in bytes. Beyond it, they are dropped and read from the recorder instead. */
const maxHeldBytes = 32 * 1024 * 1024;

/** Delivers each message of an execution once. Holds back new messages while older ones are read from the recorder. */
export class OutputGate {
  readonly #deliver: (message: IncomingMessage, isReplayed: boolean) => boolean;
  readonly #recent = new RecentIds();
  #held: IncomingMessage[] | undefined;
  #heldBytes = 0;
  #hasOverflowed = false;
  /** The delivered message that the kernel published last. */
  #last: { readonly number: number; readonly id: string } | undefined;

  /** `deliver` returns false if no execution is known that the message could belong to. */
  constructor(deliver: (message: IncomingMessage, isReplayed: boolean) => boolean) {
    this.#deliver = deliver;
  }

  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** Handles a message from the server. */
  handle(message: IncomingMessage): void {
    if (this.#held === undefined) {
      this.pass(message);
      return;
    }
    this.#heldBytes += message.byteLength;
    if (this.#heldBytes > maxHeldBytes) {
      this.#held = [];
      this.#heldBytes = 0;
      this.#hasOverflowed = true;
    } else {
      this.#held.push(message);
    }
  }

  /**
   * Delivers a message unless it was delivered before. `isReplayed`: its execution is shown again from the beginning. A
   * message without an execution counts as not delivered, because a window may claim its execution a moment later.
   */
  pass(message: IncomingMessage, isReplayed = false): void {
    const id = message.header.msg_id;
    if (!this.#recent.add(id)) {
      return;
    }
    if (message.channel === "iopub") {
      this.#recent.addInOrder(id);
    }
    if (!this.#deliver(message, isReplayed)) {
      this.#recent.delete([id]);
      return;
    }
    const number = message.header.publishedNumber;
    if (number !== undefined && number > (this.#last?.number ?? 0)) {
      this.#last = { number, id };
    }
  }

  hasDelivered(messageId: string): boolean {
    return this.#recent.has(messageId);
  }

  /** Id of the recorded message before which everything was delivered; undefined while messages are held back. */
  get deliveredId(): string | undefined {
    return this.isHolding ? undefined : this.#last?.id;
  }

  /** Restarts the order of the published messages, because the kernel has a new recorder. */
  resetOrder(): void {
    this.#last = undefined;
  }

  hold(): void {
    this.#held ??= [];
  }

  /** True if held messages were dropped since the last call. */
  clearOverflow(): boolean {
    const hasOverflowed = this.#hasOverflowed;
    this.#hasOverflowed = false;
    return hasOverflowed;
  }

  /** Delivers the held messages, except for those that the recorder delivered meanwhile. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#heldBytes = 0;
    for (const message of held) {
      this.pass(message);
    }
  }

  /** Allows messages to be delivered again. */
  deleteIds(ids: Iterable<string>): void {
    this.#recent.delete(ids);
  }

  /** The id from which to read the recorder if output is missing from now on. */
  mark(): string | undefined {
    return this.#recent.mark();
  }
}
