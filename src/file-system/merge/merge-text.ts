import { diff3Merge } from "node-diff3";

/** A merged text; where both sides changed the same lines, both stand in it between conflict markers. */
interface MergedText {
  readonly text: string;
  readonly conflicts: number;
  /** How many of the conflicts are not resolved in a result: the change of neither side is in it, or the markers are. */
  readonly unresolvedIn: (result: string) => number;
}

type MergeRegion = ReturnType<typeof diff3Merge<string>>[number];

/** What the markers call the two sides. */
export interface SideLabels {
  readonly ours: string;
  readonly theirs: string;
}

/** Merges two texts that came from one, line by line. Line ends count as ours has them. */
export function mergeTexts(base: string, ours: string, theirs: string, labels: SideLabels): MergedText {
  const lineEnd = ours.includes("\r\n") ? "\r\n" : "\n";
  const linesOf = (text: string): string[] => text.replace(/\r\n/g, "\n").split("\n");
  const regions = diff3Merge(linesOf(ours), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true });
  const lines: string[] = [];
  let conflicts = 0;
  for (const { ok, conflict } of regions) {
    if (conflict === undefined) {
      lines.push(...(ok ?? []));
      continue;
    }
    conflicts += 1;
    lines.push(`<<<<<<< ${labels.ours}`, ...conflict.a, "=======", ...conflict.b, `>>>>>>> ${labels.theirs}`);
  }
  return { text: lines.join(lineEnd), conflicts, unresolvedIn: (result) => unresolvedIn(regions, linesOf(result)) };
}

/** So many lines after a conflict tell where it ends. */
const linesCompared = 3;

/** Walks the result along the regions of the merge. Where it was edited beside the conflicts, these count as resolved. */
function unresolvedIn(regions: readonly MergeRegion[], result: readonly string[]): number {
  let unresolved = 0;
  let at = 0;
  for (const [index, { ok, conflict }] of regions.entries()) {
    if (conflict === undefined) {
      at += ok?.length ?? 0;
      continue;
    }
    const next = regions[index + 1]?.ok?.slice(0, linesCompared) ?? [];
    const isEnd = (line: number): boolean =>
      next.length === 0 ? line === result.length : next.every((one, offset) => result[line + offset] === one);
    let end = at;
    while (end < result.length && !isEnd(end)) {
      end += 1;
    }
    if (!isResolved(conflict, new Set(result.slice(at, end)))) {
      unresolved += 1;
    }
    at = end;
  }
  return unresolved;
}

function isResolved({ a, o, b }: NonNullable<MergeRegion["conflict"]>, lines: ReadonlySet<string>): boolean {
  const before = new Set(o);
  const added = [...a, ...b].filter((line) => !before.has(line));
  const hasMarkers = [...lines].some((line) => line.startsWith("<<<<<<< ") || line.startsWith(">>>>>>> "));
  // Of two sides that only remove lines, either result is as it should be when some line is gone.
  const isChanged = added.length === 0 ? o.some((line) => !lines.has(line)) : added.some((line) => lines.has(line));
  return isChanged && !hasMarkers;
}
