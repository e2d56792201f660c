/** Notices that published messages of a kernel are missing, by their consecutive numbers. */
export class PublishedSequence {
  #last: number | undefined;

  /** Takes the number of a message that arrived. Returns true if messages before it are missing. */
  take(number: number | undefined): boolean {
    if (number === undefined) {
      return false;
    }
    const last = this.#last ?? number - 1;
    // Threads of a kernel may overtake each other by a few messages.
    this.#last = Math.max(last, number);
    return number > last + 1;
  }

  /** Starts over with the next number: on a new socket, or with a new process of the kernel. */
  reset(): void {
    this.#last = undefined;
  }
}
