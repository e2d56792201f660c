import { TimeSlices } from "../../api/time-slices.ts";
import { linesOf } from "./text-lines.ts";

/** A part of a merged text: lines without conflict, or a conflict with the text of both sides and of the base. */
export type MergedPart =
  | { readonly type: "merged"; readonly length: number; readonly firstLines: readonly string[] }
  | { readonly type: "conflict"; readonly ours: string; readonly theirs: string; readonly base: string };

/** Number of lines after a conflict that are compared to find its end. */
export const linesCompared = 3;

/**
 * Counts unresolved conflicts by following the parts of the merge. Conflicts next to other edits count as resolved.
 * Pauses regularly, so other work is not blocked.
 */
export async function unresolvedIn(parts: readonly MergedPart[], text: string): Promise<number> {
  if (parts.length === 0) {
    return 0;
  }
  const slices = new TimeSlices();
  const result = linesOf(text);
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
    const lines = new Set<string>();
    let hasMarkers = false;
    for (let line = result[end]; line !== undefined && !isEnd(end); line = result[end]) {
      lines.add(line);
      hasMarkers ||= line.startsWith("<<<<<<< ") || line.startsWith(">>>>>>> ");
      end += 1;
      if (slices.isOver(4)) {
        await slices.pause();
      }
    }
    if (hasMarkers || !isChanged(part, lines)) {
      unresolved += 1;
    }
    at = end;
  }
  return unresolved;
}

function isChanged(conflict: MergedPart & { readonly type: "conflict" }, lines: ReadonlySet<string>): boolean {
  const base = new Set(linesOf(conflict.base));
  const added = [...linesOf(conflict.ours), ...linesOf(conflict.theirs)].filter((line) => !base.has(line));
  // If both sides only remove lines, a conflict is resolved when any line was removed.
  return added.length === 0 ? !base.isSubsetOf(lines) : added.some((line) => lines.has(line));
}
