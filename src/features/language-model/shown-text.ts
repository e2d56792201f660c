import { onLines, onOneLine } from "../../api/displayed-text.ts";
import { maxBacktickRun } from "../../api/text.ts";
import { TimeSlices } from "../../api/time-slices.ts";
import { changesBetween } from "../../file-system/merge/string-diff.ts";
import { escaped } from "../../ui/details/markdown.ts";

/** A text of a model or a server in the Markdown of a confirmation: as it is, on one line, without invisible characters. */
export function shownText(text: string): string {
  return escaped(onOneLine(text));
}

/**
 * A Markdown code block that shows invisible characters, such as those that change the text direction. Its fence is
 * longer than any run of backticks in the code, so the code can't end the block.
 */
export function codeBlock(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, maxBacktickRun(code) + 1));
  return [`${fence}${language.replace(/[^\w-]/g, "")}`, ...linesOf(code).map(onLines), fence].join("\n");
}

/** The changed lines of a text and the unchanged lines next to them, as in a unified diff. */
export interface ShownChange {
  readonly lines: readonly string[];
  readonly added: number;
  readonly removed: number;
}

/** Unchanged lines that are shown before and after changed ones. */
const contextLines = 2;

/** All changed lines between two texts. Undefined if there was, or will be, no text. */
export async function changeOf(before: string | undefined, after: string | undefined): Promise<ShownChange> {
  const old = before === undefined ? [] : linesOf(before);
  const next = after === undefined ? [] : linesOf(after);
  const lines: string[] = [];
  let added = 0;
  let removed = 0;
  let shownTo = 0;
  const context = (from: number, to: number): void => {
    const start = Math.max(from, shownTo);
    if (start > shownTo) {
      lines.push("…");
    }
    lines.push(...old.slice(start, to).map((line) => `  ${line}`));
    shownTo = Math.max(shownTo, to);
  };
  for (const { start1: at, length1: length, start2, length2 } of await changesBetween(old, next, new TimeSlices())) {
    context(Math.max(0, at - contextLines), at);
    const gone = old.slice(at, at + length);
    const come = next.slice(start2, start2 + length2);
    for (const line of gone) {
      lines.push(`- ${line}`);
    }
    for (const line of come) {
      lines.push(`+ ${line}`);
    }
    removed += gone.length;
    added += come.length;
    shownTo = at + length;
    context(shownTo, Math.min(old.length, shownTo + contextLines));
  }
  if (shownTo < old.length) {
    lines.push("…");
  }
  return { lines, added, removed };
}

/** The lines as the editor and kernels have them. Other separators, such as U+2028, are shown within a line. */
function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r]/);
}
