/** Number of ids to keep, which is more than the number of messages that a recorder keeps. */
const maxIds = 150_000;
/** Number of messages that may arrive out of order. `mark` is older than this many messages. */
export const overlap = 64;

/** The ids of recent messages, so that no message is delivered twice. */
export class RecentIds {
  #newer = new Set<string>();
  #older = new Set<string>();
  readonly #last: string[] = [];

  has(id: string): boolean {
    return this.#newer.has(id) || this.#older.has(id);
  }

  /** Adds an id. Returns false if it is already known. */
  add(id: string): boolean {
    if (this.has(id)) {
      return false;
    }
    if (this.#newer.size >= maxIds / 2) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    this.#newer.add(id);
    return true;
  }

  /** Records an id as the latest one in order of arrival. */
  addInOrder(id: string): void {
    this.#last.push(id);
    if (this.#last.length > 2 * overlap) {
      this.#last.splice(0, overlap);
    }
  }

  /** Forgets ids, so that their messages can be delivered again. */
  delete(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#newer.delete(id);
      this.#older.delete(id);
    }
  }

  /** The id of a message before which nothing is missing; undefined if everything may be missing. */
  mark(): string | undefined {
    return this.#last.at(-overlap);
  }
}
