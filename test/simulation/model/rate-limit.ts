import type { IncomingMessage, MessageHeader } from "../../../src/api/kernels/wire/kernel-message.ts";

const windowMs = 3000;
const unlimited = new Set(["status", "comm_open", "execute_input"]);

/** The server's limit for published messages on one connection. */
export class RateLimit {
  readonly #maxMessages: number;
  /** When each message leaves the window. */
  #leaving: number[] = [];
  #isExceeded = false;

  /** `maxMessages`: within 3 seconds. */
  constructor(maxMessages: number) {
    this.#maxMessages = maxMessages;
  }

  /** Returns true to drop the message. Calls `onExceeded` with the header of its parent when the dropping begins. */
  drops(message: IncomingMessage, now: number, onExceeded: (parent: MessageHeader | undefined) => void): boolean {
    const { msg_type } = message.header;
    if (msg_type === "status" && message.content.execution_state === "idle") {
      this.#leaving = [];
      this.#isExceeded = false;
    }
    if (unlimited.has(msg_type)) return false;
    while ((this.#leaving[0] ?? Number.POSITIVE_INFINITY) <= now) this.#leaving.shift();
    this.#leaving.push(now + windowMs);
    const count = this.#leaving.length;
    if (count > this.#maxMessages) {
      if (!this.#isExceeded) {
        this.#isExceeded = true;
        onExceeded(message.parentHeader);
      }
    } else if (this.#isExceeded && count < 0.8 * this.#maxMessages) {
      this.#isExceeded = false;
    }
    if (this.#isExceeded) this.#leaving.pop();
    return this.#isExceeded;
  }
}
