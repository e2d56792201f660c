import type { TimeSlices } from "../../api/time-slices.ts";
import { type SequenceChange, SequenceDiff } from "./sequence-diff.ts";

/** Numbers for strings, the same for equal ones. */
export class Numbering {
  readonly #numbers = new Map<string, number>();

  get count(): number {
    return this.#numbers.size;
  }

  all(keys: readonly string[]): Int32Array {
    return Int32Array.from(keys, (key) => {
      const number = this.#numbers.get(key) ?? this.#numbers.size;
      this.#numbers.set(key, number);
      return number;
    });
  }
}

/** The changes from a list of strings, such as lines, to another. */
export function changesBetween(
  before: readonly string[],
  after: readonly string[],
  slices: TimeSlices,
): Promise<readonly SequenceChange[]> {
  const numbers = new Numbering();
  const [old, next] = [numbers.all(before), numbers.all(after)];
  return new SequenceDiff(numbers.count, slices).changes(old, next);
}
