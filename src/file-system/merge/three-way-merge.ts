import type { TimeSlices } from "../../api/time-slices.ts";
import { type SequenceChange, SequenceDiff } from "./sequence-diff.ts";

/** Lines from `start`, excluding `end`. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** A place where one side changed the base, or both did. Ranges are the same place in all three files. */
export interface MergedChange {
  readonly type: "ours" | "theirs" | "conflict" | "same";
  readonly base: LineRange;
  readonly ours: LineRange;
  readonly theirs: LineRange;
}

/** Three sequences, each with a number that is the same for equal lines, from 0 to `tokens - 1`. */
export interface MergedSequences {
  readonly base: Int32Array;
  readonly ours: Int32Array;
  readonly theirs: Int32Array;
  readonly tokens: number;
}

/** Number of equal lines between two conflicts that don't separate them. */
const joinedAcross = 3;

/**
 * The changes of both sides, in order, as Git combines them. Between them, all files are the same, or both sides made
 * the same change. Changes of both sides that overlap or touch are a conflict.
 */
export async function combineChanges(
  { base, ours, theirs, tokens }: MergedSequences,
  slices: TimeSlices,
): Promise<readonly MergedChange[]> {
  const diff = new SequenceDiff(tokens, slices);
  const mine = await diff.changes(base, ours);
  const other = await diff.changes(base, theirs);
  const combined: MergedChange[] = [];
  const isSame = (one: SequenceChange, two: SequenceChange): boolean => {
    if (one.start1 !== two.start1 || one.length1 !== two.length1 || one.length2 !== two.length2) {
      return false;
    }
    let line = 0;
    while (line < one.length2 && ours[one.start2 + line] === theirs[two.start2 + line]) {
      line += 1;
    }
    return line === one.length2;
  };
  // The difference between line numbers of a side and of the base, after the last change of that side.
  let [shiftOurs, shiftTheirs] = [0, 0];
  let [atMine, atOther] = [0, 0];
  while (atMine < mine.length || atOther < other.length) {
    if (slices.isOver(4)) {
      await slices.pause();
    }
    const [one, two] = [mine[atMine], other[atOther]];
    if (one !== undefined && (two === undefined || one.start1 + one.length1 < two.start1)) {
      append(combined, {
        type: "ours",
        base: rangeOf(one.start1, one.length1),
        ours: rangeOf(one.start2, one.length2),
        theirs: rangeOf(one.start1 + shiftTheirs, one.length1),
      });
      shiftOurs = endShift(one);
      atMine += 1;
    } else if (two !== undefined && (one === undefined || two.start1 + two.length1 < one.start1)) {
      append(combined, {
        type: "theirs",
        base: rangeOf(two.start1, two.length1),
        ours: rangeOf(two.start1 + shiftOurs, two.length1),
        theirs: rangeOf(two.start2, two.length2),
      });
      shiftTheirs = endShift(two);
      atOther += 1;
    } else if (one !== undefined && two !== undefined) {
      const start = Math.min(one.start1, two.start1);
      const [end1, end2] = [one.start1 + one.length1, two.start1 + two.length1];
      const end = Math.max(end1, end2);
      if (!isSame(one, two)) {
        append(combined, {
          type: "conflict",
          base: { start, end },
          ours: { start: one.start2 - (one.start1 - start), end: one.start2 + one.length2 + (end - end1) },
          theirs: { start: two.start2 - (two.start1 - start), end: two.start2 + two.length2 + (end - end2) },
        });
      }
      if (end1 >= end2) {
        shiftTheirs = endShift(two);
        atOther += 1;
      }
      if (end2 >= end1) {
        shiftOurs = endShift(one);
        atMine += 1;
      }
    }
  }
  return combined;
}

function rangeOf(start: number, length: number): LineRange {
  return { start, end: start + length };
}

function endShift({ start1, length1, start2, length2 }: SequenceChange): number {
  return start2 + length2 - (start1 + length1);
}

/** Adds a change. One that touches the last one becomes a part of it. */
function append(combined: MergedChange[], change: MergedChange): void {
  const last = combined.at(-1);
  if (last !== undefined && (change.ours.start <= last.ours.end || change.theirs.start <= last.theirs.end)) {
    combined[combined.length - 1] = {
      type: change.type === last.type ? last.type : "conflict",
      base: { start: last.base.start, end: change.base.end },
      ours: { start: last.ours.start, end: change.ours.end },
      theirs: { start: last.theirs.start, end: change.theirs.end },
    };
  } else {
    combined.push(change);
  }
}

/**
 * Reduces each conflict to the lines in which the sides differ, as Git does: a conflict is divided where both sides have
 * the same lines, unless these are few, or `areTrivial` returns true for these lines of `ours`. The parts of a divided
 * conflict have the base of the whole one.
 */
export async function reduceConflicts(
  changes: readonly MergedChange[],
  { ours, theirs, tokens }: MergedSequences,
  areTrivial: (range: LineRange) => boolean,
  slices: TimeSlices,
): Promise<readonly MergedChange[]> {
  const diff = new SequenceDiff(tokens, slices);
  const reduced: MergedChange[] = [];
  for (const change of changes) {
    if (slices.isOver(4)) {
      await slices.pause();
    }
    const { type, ours: mine, theirs: other } = change;
    if (type !== "conflict" || mine.start === mine.end || other.start === other.end) {
      reduced.push(change);
      continue;
    }
    const parts = await diff.changes(ours.subarray(mine.start, mine.end), theirs.subarray(other.start, other.end));
    if (parts.length === 0) {
      reduced.push({ ...change, type: "same" });
    }
    for (const { start1, length1, start2, length2 } of parts) {
      reduced.push({
        ...change,
        ours: rangeOf(mine.start + start1, length1),
        theirs: rangeOf(other.start + start2, length2),
      });
    }
  }
  return joinConflicts(reduced, areTrivial);
}

function joinConflicts(
  changes: readonly MergedChange[],
  areTrivial: (range: LineRange) => boolean,
): readonly MergedChange[] {
  const joined: MergedChange[] = [];
  for (const change of changes) {
    const last = joined.at(-1);
    const between = { start: last?.ours.end ?? 0, end: change.ours.start };
    if (
      last?.type === "conflict" &&
      change.type === "conflict" &&
      (between.end - between.start <= joinedAcross || areTrivial(between))
    ) {
      joined[joined.length - 1] = {
        type: "conflict",
        base: { start: last.base.start, end: change.base.end },
        ours: { start: last.ours.start, end: change.ours.end },
        theirs: { start: last.theirs.start, end: change.theirs.end },
      };
    } else {
      joined.push(change);
    }
  }
  return joined;
}
