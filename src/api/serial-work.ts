/** Serializes work by key, in order of arrival. Work with several keys waits for all of them. */
export class SerialWork {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const running = Promise.allSettled(keys.map((key) => this.#last.get(key))).then(work);
    const settled = Promise.allSettled([running]);
    for (const key of keys) {
      this.#last.set(key, settled);
    }
    try {
      return await running;
    } finally {
      // Keep the map from growing with the number of keys.
      for (const key of keys) {
        if (this.#last.get(key) === settled) {
          this.#last.delete(key);
        }
      }
    }
  }
}
