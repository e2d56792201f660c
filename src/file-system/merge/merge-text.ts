import { detached } from "../../api/text.ts";
import { TimeSlices } from "../../api/time-slices.ts";
import { type LineTokens, linesOf, TextLines } from "./text-lines.ts";
import { combineChanges, type LineRange, type MergedChange, reduceConflicts } from "./three-way-merge.ts";
import { linesCompared, type MergedPart, unresolvedIn } from "./unresolved-lines.ts";

/** A merged text. If both sides changed the same lines, both are between conflict markers. */
export interface MergedText {
  readonly text: string;
  readonly conflicts: number;
  /** Counts the unresolved conflicts in a result: those with the markers, or with the changes of neither side. */
  readonly unresolvedIn: (result: string) => Promise<number>;
}

/** Labels of the two sides in conflict markers. */
export interface SideLabels {
  readonly ours: string;
  readonly theirs: string;
}

interface Sides {
  readonly base: TextLines;
  readonly ours: TextLines;
  readonly theirs: TextLines;
}

/**
 * Merges two texts with a common base, line by line, with the result of `git merge-file`. The result has the line
 * endings of `ours`, and a difference in line endings is not a change. Nor is a missing line end after the last line a
 * change of that line: the result has one there if the side that changed this has one. Pauses regularly, so other work
 * is not blocked. Rejects with the reason of the signal if it is aborted.
 */
export async function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
  labels: SideLabels,
  signal?: AbortSignal,
): Promise<MergedText> {
  signal?.throwIfAborted();
  const slices = new TimeSlices(signal);
  const tokens: LineTokens = new Map();
  const sides: Sides = {
    base: await TextLines.read(base, tokens, slices),
    ours: await TextLines.read(ours, tokens, slices),
    theirs: await TextLines.read(theirs, tokens, slices),
  };
  const sequences = {
    base: sides.base.tokens,
    ours: sides.ours.tokens,
    theirs: sides.theirs.tokens,
    tokens: tokens.size,
  };
  const areTrivial = (range: LineRange): boolean => !/[0-9A-Za-z]/.test(sides.ours.raw(range));
  const combined = await combineChanges(sequences, slices);
  const changes = await reduceConflicts(combined, sequences, areTrivial, slices);
  const conflicts = changes.filter(({ type }) => type === "conflict").length;
  const text = await mergedText(sides, changes, labels, slices);
  const parts = conflicts === 0 ? [] : await partsOf(sides, changes, slices);
  return { text, conflicts, unresolvedIn: (result) => unresolvedIn(parts, result) };
}

async function mergedText(
  { base, ours, theirs }: Sides,
  changes: readonly MergedChange[],
  labels: SideLabels,
  slices: TimeSlices,
): Promise<string> {
  const { lineEnd } = ours;
  const text: string[] = [];
  let at = 0;
  for (const change of changes) {
    if (change.type === "same") {
      continue;
    }
    await ours.copy({ start: at, end: change.ours.start }, lineEnd, text, slices);
    at = change.ours.end;
    if (change.type === "conflict") {
      text.push(`<<<<<<< ${labels.ours}${lineEnd}`);
    }
    if (change.type !== "theirs") {
      await ours.copy(change.ours, lineEnd, text, slices);
    }
    if (change.type === "conflict") {
      text.push(`=======${lineEnd}`);
    }
    if (change.type !== "ours") {
      await theirs.copy(change.theirs, lineEnd, text, slices);
    }
    if (change.type === "conflict") {
      text.push(`>>>>>>> ${labels.theirs}${lineEnd}`);
    }
  }
  await ours.copy({ start: at, end: ours.tokens.length }, lineEnd, text, slices);
  const endsWithLineEnd = (ours.endsWithLineEnd === base.endsWithLineEnd ? theirs : ours).endsWithLineEnd;
  const merged = text.join("");
  return endsWithLineEnd ? merged : merged.slice(0, Math.max(0, merged.length - lineEnd.length));
}

/** What is needed to find the conflicts in a result. Copies it, because a part of a text keeps all of it in memory. */
async function partsOf(
  { base, ours, theirs }: Sides,
  changes: readonly MergedChange[],
  slices: TimeSlices,
): Promise<readonly MergedPart[]> {
  const parts: MergedPart[] = [];
  /** The lines since the last conflict. */
  let length = 0;
  let firstLines: string[] = [];
  const addMerged = (lines: TextLines, { start, end }: LineRange): void => {
    length += end - start;
    const added = Math.min(end - start, linesCompared - firstLines.length);
    if (added > 0) {
      firstLines.push(...linesOf(detached(lines.raw({ start, end: start + added }))));
    }
  };
  const endMerged = (): void => {
    if (length > 0) {
      parts.push({ type: "merged", length, firstLines });
    }
    [length, firstLines] = [0, []];
  };
  let at = 0;
  for (const change of changes) {
    if (change.type === "same") {
      continue;
    }
    addMerged(ours, { start: at, end: change.ours.start });
    at = change.ours.end;
    if (change.type === "conflict") {
      endMerged();
      const copy = (lines: TextLines, range: LineRange): string => detached(lines.raw(range));
      parts.push({
        type: "conflict",
        ours: copy(ours, change.ours),
        theirs: copy(theirs, change.theirs),
        base: copy(base, change.base),
      });
    } else {
      addMerged(change.type === "ours" ? ours : theirs, change[change.type]);
    }
    if (slices.isOver(64)) {
      await slices.pause();
    }
  }
  addMerged(ours, { start: at, end: ours.tokens.length });
  endMerged();
  return parts;
}
