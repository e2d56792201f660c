import type { MessageHeader } from "../../wire/kernel-message.ts";

/** Detects missing published messages of a kernel's process by their consecutive numbers. */
export class PublishedSequence {
  /** Session of the process whose messages are counted; undefined before the first one, or if it is not known. */
  #session: string | undefined;
  /** True if messages of other processes are ignored. */
  #isKnown = false;
  #first: number | undefined;
  #last: number | undefined;

  /** Counts only the messages of this process from now on. */
  follow(session: string): void {
    if (this.#session !== session) {
      this.reset();
    }
    this.#session = session;
    this.#isKnown = true;
  }

  /** Records the number of a message that arrived. Returns true if messages before it are missing. */
  handle({ publishedNumber, session }: MessageHeader): boolean {
    if (publishedNumber === undefined || (this.#isKnown && session !== this.#session)) {
      return false;
    }
    this.#session = session;
    this.#first ??= publishedNumber;
    const last = this.#last ?? publishedNumber - 1;
    // Threads of a kernel may overtake each other by a few messages.
    this.advance(publishedNumber);
    return publishedNumber > last + 1;
  }

  /** The newest number that arrived, or was read from the recorder; 0 before the first one. */
  get newest(): number {
    return this.#last ?? 0;
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
    this.#isKnown = false;
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
