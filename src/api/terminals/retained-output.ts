import { endOf, overlapOf } from "../text-overlap.ts";

/** Number of characters at the end of the output that are kept to find where a repetition continues. */
const maxRetainedLength = 65_536;
/** Fewer equal characters, such as a line break, can be a coincidence. */
const minOverlap = 16;

/** What a repetition of recent output contains that was not received before. */
export interface MissingOutput {
  readonly text: string;
  /** True if output before the text is missing, because the server no longer has it. */
  readonly hasGap: boolean;
}

/**
 * The end of a terminal's output. When a socket opens, the server repeats the output of its last 1,000 reads, without
 * saying where that begins.
 */
export class RetainedOutput {
  #end = "";

  add(text: string): void {
    const joined = text.length < maxRetainedLength ? this.#end + text : text;
    // Cutting only at twice the length keeps the cost per character constant.
    this.#end = joined.length > 2 * maxRetainedLength ? joined.slice(-maxRetainedLength) : joined;
  }

  /** Compares the repeated output with what was received. Then continues with its end. */
  take(repeated: string): MissingOutput {
    const received = this.#end.slice(-maxRetainedLength);
    this.#end = "";
    this.add(repeated);
    if (received === "") {
      return { text: repeated, hasGap: false };
    }
    const known = Math.max(overlapOf(received, repeated), endOf(received, repeated));
    const isContinued = known >= Math.min(minOverlap, received.length, repeated.length);
    return isContinued ? { text: repeated.slice(known), hasGap: false } : { text: repeated, hasGap: true };
  }
}
