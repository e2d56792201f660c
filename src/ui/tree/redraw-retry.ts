/** Milliseconds that the editor has to request what a redraw shows, and the number of retries. */
const retryDelayMs = 2_000;
const maxRetries = 5;

/**
 * Repeats a redraw until the editor requests what it shows. The editor can drop a redraw while it still receives the result
 * of an earlier request: it then shows the earlier rows, without those below them.
 */
export class RedrawRetry<Part> {
  readonly #timers = new Map<Part, NodeJS.Timeout>();

  /** Stops repeating redraws of the part: the editor has requested it, or it no longer exists. */
  stop(part: Part): void {
    clearTimeout(this.#timers.get(part));
    this.#timers.delete(part);
  }

  /** Called when the editor was told to redraw the part. Repeats `redraw` until the editor requests the part. */
  redrawn(part: Part, redraw: () => void, retries = maxRetries): void {
    this.stop(part);
    if (retries === 0) {
      return;
    }
    const retry = (): void => {
      redraw();
      this.redrawn(part, redraw, retries - 1);
    };
    this.#timers.set(part, setTimeout(retry, retryDelayMs));
  }

  /** Stops repeating all redraws. */
  dispose(): void {
    for (const part of [...this.#timers.keys()]) {
      this.stop(part);
    }
  }
}
