/** Ids that are remembered: more than a recorder keeps messages. */
const mostIds = 150_000;
/** Messages that may have overtaken each other on their way. */
const overlap = 64;

/** The ids of the messages that arrived last, so that none is delivered twice. */
export class RecentIds {
  #newer = new Set<string>();
  #older = new Set<string>();
  readonly #last: string[] = [];

  /** Remembers an id; false when it was known. */
  add(id: string): boolean {
    if (this.#newer.has(id) || this.#older.has(id)) {
      return false;
    }
    if (this.#newer.size >= mostIds / 2) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    this.#newer.add(id);
    return true;
  }

  /** Counts an id as arrived in order. */
  addInOrder(id: string): void {
    this.#last.push(id);
    if (this.#last.length > 2 * overlap) {
      this.#last.splice(0, overlap);
    }
  }

  /** Forgets ids: their messages may come again. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#newer.delete(id);
      this.#older.delete(id);
    }
  }

  /** A message from which on none is missing but for those behind it; undefined when all may be missing. */
  mark(): string | undefined {
    return this.#last.at(-overlap);
  }
}
