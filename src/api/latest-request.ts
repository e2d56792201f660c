/**
 * Requests of which only the latest counts: each cancels the one before, like `switchMap` of RxJS. Whoever awaits a response
 * drops it if the signal of its request is aborted.
 */
export class LatestRequest {
  #latest = new AbortController();

  /** Cancels the request before. Returns the signal of the next one, which is aborted when another one begins. */
  begin(): AbortSignal {
    this.#latest.abort();
    this.#latest = new AbortController();
    return this.#latest.signal;
  }

  /** Cancels the latest request, whose response is no longer wanted. */
  cancel(): void {
    this.#latest.abort();
  }
}
