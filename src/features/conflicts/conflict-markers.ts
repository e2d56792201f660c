/** Lines from `start` to before `end`, counted from 0. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** A conflict in a text, between the markers of Git or of our merges. */
export interface MarkedConflict {
  /** With the markers. */
  readonly whole: LineRange;
  readonly current: LineRange;
  readonly incoming: LineRange;
}

/** What is kept of a conflict. `both`: the current lines, then the incoming ones. */
export type KeptSide = "current" | "incoming" | "both";

export const keptSides = ["current", "incoming", "both"] as const satisfies readonly KeptSide[];

/**
 * The complete conflicts in a text. A marker that doesn't follow the previous one, as in a nested conflict, starts anew or
 * is text.
 */
export function markedConflicts(lines: readonly string[]): readonly MarkedConflict[] {
  const conflicts: MarkedConflict[] = [];
  let start: number | undefined;
  let currentEnd: number | undefined;
  let separator: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("<<<<<<< ")) {
      [start, currentEnd, separator] = [index, undefined, undefined];
    } else if (start === undefined) {
    } else if (line.startsWith("||||||| ") && separator === undefined) {
      currentEnd ??= index;
    } else if (line === "=======" && separator === undefined) {
      currentEnd ??= index;
      separator = index;
    } else if (line.startsWith(">>>>>>> ") && separator !== undefined) {
      conflicts.push({
        whole: { start, end: index + 1 },
        current: { start: start + 1, end: currentEnd ?? separator },
        incoming: { start: separator + 1, end: index },
      });
      [start, currentEnd, separator] = [undefined, undefined, undefined];
    }
  }
  return conflicts;
}

/** The lines to delete so that only the kept side is left. The ranges neither overlap nor touch. */
export function linesToDelete({ whole, current, incoming }: MarkedConflict, kept: KeptSide): readonly LineRange[] {
  const sides = { current: [current], incoming: [incoming], both: [current, incoming] }[kept];
  const deleted: LineRange[] = [];
  let start = whole.start;
  for (const side of sides.filter((range) => range.end > range.start)) {
    deleted.push({ start, end: side.start });
    start = side.end;
  }
  return [...deleted, { start, end: whole.end }];
}
