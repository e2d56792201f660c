import { diff3Merge } from "node-diff3";

/** A merged text; where both sides changed the same lines, both stand in it between conflict markers. */
interface MergedText {
  readonly text: string;
  readonly conflicts: number;
}

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
  return { text: lines.join(lineEnd), conflicts };
}
