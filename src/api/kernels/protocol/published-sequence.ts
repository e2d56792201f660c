/** Detects missing published messages of a kernel by their consecutive numbers. */
export class PublishedSequence {
  #last: number | undefined;

  /** Records the number of a message that arrived. Returns true if messages before it are missing. */
  handle(number: number | undefined): boolean {
    if (number === undefined) {
      return false;
    }
    const last = this.#last ?? number - 1;
    // Threads of a kernel may overtake each other by a few messages.
    this.advance(number);
    return number > last + 1;
  }

  /** Records the number of a message that was read from the recorder. */
  advance(number: number | undefined): void {
    this.#last = number === undefined ? this.#last : Math.max(this.#last ?? number, number);
  }

  /** Restarts at the next number, because the kernel has a new recorder. */
  reset(): void {
    this.#last = undefined;
  }
}
