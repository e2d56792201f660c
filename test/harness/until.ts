import { setTimeout as delay } from "node:timers/promises";

/** Looks for a value, or whether a condition is true. An error that it throws ends the wait. */
export type Look<Value> = () => Value | undefined | false | Promise<Value | undefined | false>;

interface WaitOptions {
  /** The limit only ends a test that hangs. */
  readonly seconds?: number;
  /** Milliseconds between two looks. */
  readonly interval?: number;
  /** What is there instead, for the error. */
  readonly seen?: () => string;
}

// Tests advance or stop the clock.
const elapsed = performance.now.bind(performance);

/** Waits until a condition is true or a value exists, and returns it. */
export async function until<Value>(
  what: string,
  look: Look<Value>,
  { seconds = 120, interval = 10, seen }: WaitOptions = {},
): Promise<Value> {
  for (const limit = elapsed() + seconds * 1000; ; await delay(interval)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (elapsed() > limit) {
      throw new Error(`waited ${seconds} s for: ${what}${seen === undefined ? "" : `. There is: ${seen()}`}`);
    }
  }
}
