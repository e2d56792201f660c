/**
 * Maximum number per second. Faster messages don't have to arrive one by one: an acknowledgment by the system, after 40 ms,
 * releases all that wait.
 */
const maxPerSecond = 200;

/**
 * Decides which received data a WebSocket acknowledges at once.
 *
 * A server that doesn't set TCP_NODELAY, such as Jupyter Server, holds a small message back until the one before has been
 * acknowledged, which a client's system delays by 40 ms, unless the client sends something. What a WebSocket can send
 * without a reply is a pong that nobody has asked for (RFC 6455, 5.5.3). A ping is worse: the server holds further
 * messages back until its pong has been acknowledged.
 */
export class PromptAcknowledgments {
  readonly #awaitsData: () => boolean;
  #secondStart = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** `awaitsData`: true while something waits for data of the server. */
  constructor(awaitsData: () => boolean) {
    this.#awaitsData = awaitsData;
  }

  /** True if data that arrived now is acknowledged. `now`: milliseconds of a monotonic clock. */
  take(now: number): boolean {
    if (!this.#awaitsData()) {
      return false;
    }
    if (now - this.#secondStart >= 1000) {
      this.#secondStart = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= maxPerSecond;
  }
}
