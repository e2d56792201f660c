/** Requests for one thing at the same moment are one request, whose result everybody gets. */
export class RequestSharing<T> {
  readonly #inFlight = new Map<string, Promise<T>>();

  /** The result of the request in flight for that key, else of this new one. */
  run(key: string, request: () => Promise<T>): Promise<T> {
    const running = this.#inFlight.get(key);
    if (running !== undefined) {
      return running;
    }
    const started = request().finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, started);
    return started;
  }

  /** The request in flight for that key. */
  inFlight(key: string): Promise<T> | undefined {
    return this.#inFlight.get(key);
  }
}
