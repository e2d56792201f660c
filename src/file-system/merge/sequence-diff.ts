import type { TimeSlices } from "../../api/time-slices.ts";
import { alignChanges, type MarkedLines } from "./change-groups.ts";
import { type ComparedRange, Diagonals, roughSquareRoot, SplitSearch } from "./split-search.ts";

/** Lines of the first file that the second one replaces. Either length can be 0. */
export interface SequenceChange {
  readonly start1: number;
  readonly length1: number;
  readonly start2: number;
  readonly length2: number;
}

/** Number of equal lines in the other file from which a line is frequent. */
const maxMatches = 1024;
/** Number of lines before and after a frequent line that are examined. */
const window = 100;

/**
 * Compares two sequences of lines, each given as a number that is the same for equal lines, from 0 to `tokens - 1`.
 * Finds the same changes as Git with its default options. Takes linear memory, and nearly linear time because it
 * doesn't look for the smallest difference of very different files.
 */
export class SequenceDiff {
  readonly #slices: TimeSlices;
  /** For each token, how often it occurs in the other file. All 0 between two comparisons. */
  readonly #counts1: Int32Array;
  readonly #counts2: Int32Array;

  constructor(tokens: number, slices: TimeSlices) {
    this.#slices = slices;
    this.#counts1 = new Int32Array(tokens);
    this.#counts2 = new Int32Array(tokens);
  }

  /** The changes from the first sequence to the second, in order. */
  async changes(lines1: Int32Array, lines2: Int32Array): Promise<readonly SequenceChange[]> {
    const file1 = { lines: lines1, changed: new Uint8Array(lines1.length + 1) };
    const file2 = { lines: lines2, changed: new Uint8Array(lines2.length + 1) };
    await this.#mark(file1, file2);
    await alignChanges(file1, file2, this.#slices);
    await alignChanges(file2, file1, this.#slices);
    return this.#script(file1, file2);
  }

  async #mark(file1: MarkedLines, file2: MarkedLines): Promise<void> {
    const [lines1, lines2] = [file1.lines, file2.lines];
    const shorter = Math.min(lines1.length, lines2.length);
    let start = 0;
    while (start < shorter && lines1[start] === lines2[start]) {
      start += 1;
    }
    let end = 0;
    while (end < shorter - start && lines1[lines1.length - 1 - end] === lines2[lines2.length - 1 - end]) {
      end += 1;
    }
    const end1 = lines1.length - end;
    const end2 = lines2.length - end;
    if (start === end1 || start === end2) {
      file1.changed.fill(1, start, end1);
      file2.changed.fill(1, start, end2);
      return;
    }
    await this.#count(lines1, lines2, 1);
    const kept1 = await this.#withoutUnmatched(file1, this.#counts2, start, end1);
    const kept2 = await this.#withoutUnmatched(file2, this.#counts1, start, end2);
    await this.#count(lines1, lines2, 0);
    await this.#compare(kept1, kept2);
  }

  /** Counts the lines of both files, or resets the counts. */
  async #count(lines1: Int32Array, lines2: Int32Array, step: 0 | 1): Promise<void> {
    for (const [lines, counts] of [
      [lines1, this.#counts1],
      [lines2, this.#counts2],
    ] as const) {
      for (let from = 0; from < lines.length; from += 4096) {
        for (const line of lines.subarray(from, from + 4096)) {
          counts[line] = step === 0 ? 0 : (counts[line] ?? 0) + 1;
        }
        if (this.#slices.isOver(1024)) {
          await this.#slices.pause();
        }
      }
    }
  }

  /**
   * Marks lines that the other file doesn't have, and frequent lines among them, which would cost much time and match
   * by coincidence. Returns the others.
   */
  async #withoutUnmatched(file: MarkedLines, counts: Int32Array, start: number, end: number): Promise<KeptLines> {
    const { lines, changed } = file;
    const frequent = Math.min(roughSquareRoot(lines.length), maxMatches);
    const matches = new Uint8Array(end);
    for (let at = start; at < end; at += 1) {
      const count = counts[lines[at] ?? 0] ?? 0;
      matches[at] = count === 0 ? 0 : count >= frequent ? 2 : 1;
    }
    const kept = { file, lines: new Int32Array(end - start), indices: new Int32Array(end - start) };
    let count = 0;
    for (let at = start; at < end; at += 1) {
      const match = matches[at];
      if (match === 1 || (match === 2 && !isAmongUnmatched(matches, at, start, end))) {
        kept.lines[count] = lines[at] ?? 0;
        kept.indices[count] = at;
        count += 1;
      } else {
        changed[at] = 1;
      }
      if (this.#slices.isOver(match === 2 ? 20 : 1)) {
        await this.#slices.pause();
      }
    }
    return { file, lines: kept.lines.subarray(0, count), indices: kept.indices.subarray(0, count) };
  }

  async #compare(kept1: KeptLines, kept2: KeptLines): Promise<void> {
    const [lines1, lines2] = [kept1.lines, kept2.lines];
    const diagonals = new Diagonals(lines1.length, lines2.length);
    const remaining: ComparedRange[] = [
      { from1: 0, to1: lines1.length, from2: 0, to2: lines2.length, isMinimal: false },
    ];
    for (let range = remaining.pop(); range !== undefined; range = remaining.pop()) {
      let { from1, to1, from2, to2 } = range;
      while (from1 < to1 && from2 < to2 && lines1[from1] === lines2[from2]) {
        from1 += 1;
        from2 += 1;
      }
      while (from1 < to1 && from2 < to2 && lines1[to1 - 1] === lines2[to2 - 1]) {
        to1 -= 1;
        to2 -= 1;
      }
      if (this.#slices.isOver(8)) {
        await this.#slices.pause();
      }
      if (from1 === to1 || from2 === to2) {
        markChanged(kept1, from1, to1);
        markChanged(kept2, from2, to2);
        continue;
      }
      const { isMinimal } = range;
      const search = new SplitSearch(lines1, lines2, { from1, to1, from2, to2, isMinimal }, diagonals);
      let split = search.advance();
      while (split === undefined) {
        if (this.#slices.isOver(search.width)) {
          await this.#slices.pause();
        }
        split = search.advance();
      }
      const { at1, at2, isMinimalBefore, isMinimalAfter } = split;
      remaining.push(
        { from1, to1: at1, from2, to2: at2, isMinimal: isMinimalBefore },
        { from1: at1, to1, from2: at2, to2, isMinimal: isMinimalAfter },
      );
    }
  }

  async #script(file1: MarkedLines, file2: MarkedLines): Promise<readonly SequenceChange[]> {
    const changes: SequenceChange[] = [];
    let [at1, at2] = [0, 0];
    while (at1 < file1.lines.length || at2 < file2.lines.length) {
      const [start1, start2] = [at1, at2];
      while (file1.changed[at1] === 1) {
        at1 += 1;
      }
      while (file2.changed[at2] === 1) {
        at2 += 1;
      }
      if (at1 > start1 || at2 > start2) {
        changes.push({ start1, length1: at1 - start1, start2, length2: at2 - start2 });
      }
      at1 += 1;
      at2 += 1;
      if (this.#slices.isOver(1)) {
        await this.#slices.pause();
      }
    }
    return changes;
  }
}

/** The lines of a file that are compared, and their indices in the file. */
interface KeptLines {
  readonly file: MarkedLines;
  readonly lines: Int32Array;
  readonly indices: Int32Array;
}

function markChanged({ file, indices }: KeptLines, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    file.changed[indices[at] ?? 0] = 1;
  }
}

/** True if most of the lines around a frequent line have no match, so its own match would be a coincidence. */
function isAmongUnmatched(matches: Uint8Array, at: number, start: number, end: number): boolean {
  const before = surroundings(matches, at, -1, Math.max(start, at - window) - 1);
  if (before.unmatched === 0) {
    return false;
  }
  const after = surroundings(matches, at, 1, Math.min(end, at + window + 1));
  if (after.unmatched === 0) {
    return false;
  }
  const unmatched = before.unmatched + after.unmatched;
  const frequent = before.frequent + after.frequent;
  return frequent * 4 < frequent + unmatched;
}

/** Counts the lines without a match and the frequent lines, up to one that is neither. Counts the line itself, too. */
function surroundings(
  matches: Uint8Array,
  at: number,
  step: 1 | -1,
  limit: number,
): { readonly unmatched: number; readonly frequent: number } {
  let [unmatched, frequent] = [0, 1];
  for (let other = at + step; other !== limit && matches[other] !== 1; other += step) {
    if (matches[other] === 0) {
      unmatched += 1;
    } else {
      frequent += 1;
    }
  }
  return { unmatched, frequent };
}
