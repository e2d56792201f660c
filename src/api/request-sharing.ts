/** Combines concurrent requests with the same key into a single request, and returns its result to all callers. */
export class RequestSharing<T> {
  readonly #inFlight = new Map<string, Promise<T>>();

  /**
   * The result of the pending request with this key, or of a new one. The request can ask whether `renew` was called after
   * it began: then others have a newer result, or will.
   */
  run(key: string, request: (isRenewed: () => boolean) => Promise<T>): Promise<T> {
    const running = this.#inFlight.get(key);
    if (running !== undefined) {
      return running;
    }
    let started: Promise<T> | undefined;
    started = request(() => this.#inFlight.get(key) !== started).finally(() => {
      if (this.#inFlight.get(key) === started) {
        this.#inFlight.delete(key);
      }
    });
    this.#inFlight.set(key, started);
    return started;
  }

  /** Makes the next call send a request of its own, because the result of the pending one would be outdated. */
  renew(key: string): void {
    this.#inFlight.delete(key);
  }

  /** The pending request with this key. */
  inFlight(key: string): Promise<T> | undefined {
    return this.#inFlight.get(key);
  }
}
