/** A range of whole lines, counted from 0. `end` is the line after the last one. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Maximum number of cells of one script. */
const maxCells = 1000;
/** The comment that begins a cell of a script: `# %%`, also `#%%`, with a title behind it. */
const marker = /^#\s?%%/;
/** The beginning of a line that continues the statement above it. */
const continuation = /^(?:[)\]}]|(?:elif|else|except|finally|case)\b)/;

/** The cells of a script, in order. Lines above the first marker belong to no cell. Empty without any marker. */
export function scriptCells(lines: readonly string[]): readonly LineRange[] {
  const starts = lines.flatMap((line, index) => (marker.test(line) ? [index] : [])).slice(0, maxCells);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? lines.length }));
}

/**
 * The lines to run for a cursor without a selection: its cell in a script with cells; otherwise, the whole top-level
 * statement around it, for example a function with its decorators. Undefined if there is no code at the cursor or below.
 */
export function linesAt(lines: readonly string[], line: number): LineRange | undefined {
  const cells = scriptCells(lines);
  const cell = cells.findLast(({ start }) => start <= line);
  if (cell !== undefined) {
    return cell;
  }
  const last = cells[0]?.start ?? lines.length;
  const first = lines.findIndex((text, index) => index >= line && index < last && !hasNoCode(text));
  return first === -1 ? undefined : statementAround(lines, first, last);
}

/** The code of these lines as a cell: without the marker, without the common indentation, and without blank ends. */
export function codeOf(lines: readonly string[]): string {
  const [first = ""] = lines;
  const code = marker.test(first) ? lines.slice(1) : lines;
  const indents = code.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const shared = indents.reduce((one, other) => one.slice(0, sharedLength(one, other)), indents[0] ?? "");
  const aligned = code.map((line) => (line.startsWith(shared) ? line.slice(shared.length) : line.trimStart()));
  const from = aligned.findIndex((line) => line.trim() !== "");
  const to = aligned.findLastIndex((line) => line.trim() !== "");
  return from === -1 ? "" : aligned.slice(from, to + 1).join("\n");
}

function statementAround(lines: readonly string[], line: number, last: number): LineRange {
  const within = linesWithin(lines);
  const belongs = (index: number): boolean => within[index] === true || continues(lines, index);
  let start = line;
  while (start > 0 && (hasNoCode(lines[start]) || belongs(start))) {
    start -= 1;
  }
  let end = line + 1;
  for (let next = end; next < last && (hasNoCode(lines[next]) || belongs(next)); next += 1) {
    end = belongs(next) ? next + 1 : end;
  }
  return { start, end };
}

/** True for an empty line and for a comment, which may stand anywhere, with any indentation. */
function hasNoCode(line: string | undefined): boolean {
  return /^\s*(?:#|$)/.test(line ?? "");
}

const tokens = /\\.|#|"""|'''|["'()[\]{}]/g;
/** Not within brackets: those above it were not closed yet. */
const newStatement = /^(?:@|(?:async|class|def|from|import)\b)/;

/** For each line, whether it begins in brackets or in a string. */
function linesWithin(lines: readonly string[]): readonly boolean[] {
  let depth = 0;
  let quote: string | undefined;
  return lines.map((line) => {
    depth = newStatement.test(line) ? 0 : depth;
    const isWithin = depth > 0 || quote !== undefined;
    for (const [token] of line.matchAll(tokens)) {
      if (quote !== undefined) {
        quote = token.startsWith(quote) ? undefined : quote;
      } else if (token === "#") {
        break;
      } else if (/["']/.test(token)) {
        quote = token;
      } else if (token.length === 1) {
        depth = Math.max(0, depth + ("([{".includes(token) ? 1 : -1));
      }
    }
    // Only a string with three quotes goes on without a backslash.
    quote = quote?.length === 1 && !line.endsWith("\\") ? undefined : quote;
    return isWithin;
  });
}

/** True if a line belongs to the statement that begins above it. */
function continues(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  const above = lines[index - 1] ?? "";
  return /^[ \t]/.test(line) || continuation.test(line) || above.endsWith("\\") || /^@/.test(above);
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) {
    length += 1;
  }
  return length;
}
