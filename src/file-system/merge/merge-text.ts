import { diff3Merge } from "node-diff3";

/** A merged text. If both sides changed the same lines, both are between conflict markers. */
interface MergedText {
  readonly text: string;
  readonly conflicts: number;
  /** Counts the unresolved conflicts in a result: those with the markers, or with the changes of neither side. */
  readonly unresolvedIn: (result: string) => number;
}

type MergeRegion = ReturnType<typeof diff3Merge<string>>[number];

/** Labels of the two sides in conflict markers. */
export interface SideLabels {
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Merges two texts with a common base, line by line. The result has the line endings of `ours`. Rejects with the reason
 * of the signal if it is aborted.
 */
export async function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
  labels: SideLabels,
  signal?: AbortSignal,
): Promise<MergedText> {
  signal?.throwIfAborted();
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

/** Number of lines after a conflict that are compared to find its end. */
const linesCompared = 3;

/**
 * Counts unresolved conflicts by following the regions of the merge. Conflicts next to other edits count as resolved.
 */
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
  // If both sides only remove lines, a conflict is resolved when any line was removed.
  const isChanged = added.length === 0 ? o.some((line) => !lines.has(line)) : added.some((line) => lines.has(line));
  return isChanged && !hasMarkers;
}
