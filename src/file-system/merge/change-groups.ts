import type { TimeSlices } from "../../api/time-slices.ts";

/** A file with a mark on each line that was changed, that is, has no counterpart in the other file. */
export interface MarkedLines {
  readonly lines: Int32Array;
  /** One element per line, and a 0 at the end. */
  readonly changed: Uint8Array;
}

/**
 * Changed lines in a row, possibly none. There is one group before each unchanged line and one at the end, so both
 * files have the same number of groups, and those with the same index correspond.
 */
class ChangeGroup {
  readonly #lines: Int32Array;
  readonly #changed: Uint8Array;
  start = 0;
  end = 0;

  constructor({ lines, changed }: MarkedLines) {
    this.#lines = lines;
    this.#changed = changed;
    this.#extendEnd();
  }

  get isEmpty(): boolean {
    return this.start === this.end;
  }

  /** Moves on to the next group. Returns false at the end of the file. */
  next(): boolean {
    if (this.end === this.#lines.length) {
      return false;
    }
    this.start = this.end + 1;
    this.end = this.start;
    this.#extendEnd();
    return true;
  }

  previous(): void {
    this.end = this.start - 1;
    this.start = this.end;
    this.#extendStart();
  }

  /** Moves the group down by a line, if the result is the same file. Merges it with a group that it then touches. */
  slideDown(): boolean {
    if (this.end >= this.#lines.length || this.#lines[this.start] !== this.#lines[this.end]) {
      return false;
    }
    this.#changed[this.start] = 0;
    this.#changed[this.end] = 1;
    this.start += 1;
    this.end += 1;
    this.#extendEnd();
    return true;
  }

  slideUp(): boolean {
    if (this.start === 0 || this.#lines[this.start - 1] !== this.#lines[this.end - 1]) {
      return false;
    }
    this.start -= 1;
    this.end -= 1;
    this.#changed[this.start] = 1;
    this.#changed[this.end] = 0;
    this.#extendStart();
    return true;
  }

  #extendEnd(): void {
    while (this.#changed[this.end] === 1) {
      this.end += 1;
    }
  }

  #extendStart(): void {
    while (this.start > 0 && this.#changed[this.start - 1] === 1) {
      this.start -= 1;
    }
  }
}

/**
 * Moves groups of changed lines that can move: to the last group of the other file that they can meet, otherwise down
 * as far as possible. Groups that touch are merged. This is where Git shows them, and where the changes of two people
 * to the same place are recognized as such.
 */
export async function alignChanges(file: MarkedLines, other: MarkedLines, slices: TimeSlices): Promise<void> {
  const group = new ChangeGroup(file);
  const counterpart = new ChangeGroup(other);
  do {
    if (slices.isOver(1)) {
      await slices.pause();
    }
    if (!group.isEmpty) {
      await align(group, counterpart, slices);
    }
    counterpart.next();
  } while (group.next());
}

async function align(group: ChangeGroup, counterpart: ChangeGroup, slices: TimeSlices): Promise<void> {
  let size: number;
  let highestEnd: number;
  let canMeet: boolean;
  do {
    size = group.end - group.start;
    while (group.slideUp()) {
      counterpart.previous();
      if (slices.isOver(1)) {
        await slices.pause();
      }
    }
    highestEnd = group.end;
    canMeet = !counterpart.isEmpty;
    while (group.slideDown()) {
      counterpart.next();
      canMeet ||= !counterpart.isEmpty;
      if (slices.isOver(1)) {
        await slices.pause();
      }
    }
  } while (group.end - group.start !== size);
  if (group.end !== highestEnd && canMeet) {
    while (counterpart.isEmpty && group.slideUp()) {
      counterpart.previous();
    }
  }
}
