import { linesOf } from "./text-lines.ts";

/** A part of a merged text: lines without conflict, or a conflict with the text of both sides and of the base. */
export type MergedPart =
  | { readonly type: "merged"; readonly length: number; readonly firstLines: readonly string[] }
  | { readonly type: "conflict"; readonly ours: string; readonly theirs: string; readonly base: string };

/** Number of lines after a conflict that are compared to find its end. */
export const linesCompared = 3;

/**
 * Counts unresolved conflicts by following the parts of the merge. Conflicts next to other edits count as resolved.
 */
export function unresolvedIn(parts: readonly MergedPart[], result: readonly string[]): number {
  let unresolved = 0;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (part.type === "merged") {
      at += part.length;
      continue;
    }
    const following = parts[index + 1];
    const next = following?.type === "merged" ? following.firstLines : [];
    const isEnd = (line: number): boolean =>
      next.length === 0 ? line === result.length : next.every((one, offset) => result[line + offset] === one);
    let end = at;
    while (end < result.length && !isEnd(end)) {
      end += 1;
    }
    if (!isResolved(part, new Set(result.slice(at, end)))) {
      unresolved += 1;
    }
    at = end;
  }
  return unresolved;
}

function isResolved(conflict: MergedPart & { readonly type: "conflict" }, lines: ReadonlySet<string>): boolean {
  const base = new Set(linesOf(conflict.base));
  const added = [...linesOf(conflict.ours), ...linesOf(conflict.theirs)].filter((line) => !base.has(line));
  const hasMarkers = [...lines].some((line) => line.startsWith("<<<<<<< ") || line.startsWith(">>>>>>> "));
  // If both sides only remove lines, a conflict is resolved when any line was removed.
  const isChanged = added.length === 0 ? !base.isSubsetOf(lines) : added.some((line) => lines.has(line));
  return isChanged && !hasMarkers;
}
