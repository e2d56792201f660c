/** Detects missing published messages of a kernel by their consecutive numbers. */
export class PublishedSequence {
  #first: number | undefined;
  #last: number | undefined;

  /** Records the number of a message that arrived. Returns true if messages before it are missing. */
  handle(number: number | undefined): boolean {
    if (number === undefined) {
      return false;
    }
    this.#first ??= number;
    const last = this.#last ?? number - 1;
    // Threads of a kernel may overtake each other by a few messages.
    this.advance(number);
    return number > last + 1;
  }

  /** True if messages before this number have not arrived. */
  lacksBefore(number: number): boolean {
    return this.#last !== undefined && number > this.#last + 1;
  }

  /** Records the number of a message that was read from the recorder. */
  advance(number: number | undefined): void {
    this.#last = number === undefined ? this.#last : Math.max(this.#last ?? number, number);
  }

  /** Restarts at the next number, because the kernel's process was replaced. */
  reset(): void {
    this.#first = undefined;
    this.#last = undefined;
  }

  /** Expects all numbers from 1 on, because the recorder is new. Returns true if the first ones are missing. */
  begin(): boolean {
    const isMissing = this.#first !== undefined && this.#first > 1;
    this.#first = 1;
    this.#last ??= 0;
    return isMissing;
  }
}
