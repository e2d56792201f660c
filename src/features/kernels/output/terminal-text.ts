import { escapeCharacter, sequenceAt } from "../../../api/escape-sequences.ts";
import { detached } from "../../../api/text.ts";
import { endOfComplete, hasMovement, type Part, partsOf, withoutLoneEscapes } from "./terminal-sequences.ts";

/** How a write changed the text: it appended text at the end, or replaced the entire text. */
export type TextChange =
  | { readonly type: "none" }
  | { readonly type: "append"; readonly text: string }
  | { readonly type: "replace" };

/** Where the next text is written, if that is not the end of the text, and the beginning of an incomplete sequence. */
export interface TerminalPosition {
  /** Number of rows from the cursor to the last one. */
  readonly up: number;
  /** Undefined if the cursor is at the end of the row. */
  readonly column: number | undefined;
  readonly incomplete: string;
  readonly colors: string;
}

/** Number of rows above the last one that the cursor can reach. */
const reachableRows = 100;
/** Last column that a movement to the right can reach. */
const reachableColumns = 1_000;

/**
 * The text of a stream as a terminal shows it. Carriage returns, backspaces, and the cursor movements of progress bars
 * overwrite text. Colors stay in the text. A chunk can end anywhere, even in the middle of a sequence.
 */
export class TerminalText {
  #text: string;
  /** Number of rows from the cursor to the last one. */
  #up: number;
  /** Undefined if the cursor is at the end of the row. */
  #column: number | undefined;
  /** The beginning of an incomplete sequence at the end of the last chunk. */
  #incomplete: string;
  /** Pending color sequences in the middle of a row, which apply to the next text that is written there. */
  #colors: string;

  constructor(text = "", position?: TerminalPosition) {
    this.#text = text;
    this.#up = position?.up ?? 0;
    this.#column = position?.column;
    this.#incomplete = position?.incomplete ?? "";
    this.#colors = position?.colors ?? "";
  }

  /** Undefined at the end of the text. */
  get position(): TerminalPosition | undefined {
    return this.#isAtEnd && this.#incomplete === ""
      ? undefined
      : { up: this.#up, column: this.#column, incomplete: this.#incomplete, colors: this.#colors };
  }

  get text(): string {
    return this.#text;
  }

  write(chunk: string): TextChange {
    const given = this.#incomplete + chunk;
    const end = endOfComplete(given);
    this.#incomplete = detached(given.slice(end));
    const complete = withoutLoneEscapes(given, end);
    if (complete === "") {
      return { type: "none" };
    }
    if (this.#isAtEnd && !hasMovement(complete)) {
      this.#text += complete;
      return { type: "append", text: complete };
    }
    return this.#overwrite(complete);
  }

  /**
   * Removes text from the beginning, in whole rows if possible, to keep about this number of characters. Returns the
   * number of removed characters.
   */
  keepEnd(length: number): number {
    const cut = this.#text.length - length;
    if (cut <= 0) {
      return 0;
    }
    const newline = this.#text.indexOf("\n", cut);
    const removed = newline < 0 ? cut : newline + 1;
    this.#text = detached(this.#text.slice(removed));
    return removed;
  }

  get #isAtEnd(): boolean {
    return this.#up === 0 && this.#column === undefined && this.#colors === "";
  }

  #overwrite(chunk: string): TextChange {
    const before = this.#text;
    const start = startOfRows(before, reachableRows);
    const rows = before.slice(start).split("\n");
    const cursor = { row: Math.max(0, rows.length - 1 - this.#up), column: this.#column, colors: this.#colors };
    for (const part of partsOf(chunk)) {
      move(rows, cursor, part);
    }
    this.#up = rows.length - 1 - cursor.row;
    this.#colors = cursor.colors;
    const isAtEnd = cursor.column === undefined || cursor.column === cellsOf(rows[cursor.row] ?? "").length;
    this.#column = isAtEnd ? undefined : cursor.column;
    const tail = rows.join("\n");
    this.#text = before.slice(0, start) + tail;
    const old = before.slice(start);
    if (!tail.startsWith(old)) {
      return { type: "replace" };
    }
    return tail.length === old.length ? { type: "none" } : { type: "append", text: tail.slice(old.length) };
  }
}

interface Cursor {
  row: number;
  column: number | undefined;
  colors: string;
}

function move(rows: string[], cursor: Cursor, part: Part): void {
  if (part.type !== "text" && cursor.colors !== "") {
    placeColors(rows, cursor);
  }
  const row = rows[cursor.row] ?? "";
  switch (part.type) {
    case "text": {
      const written = writeAt(row, cursor.column, cursor.colors + part.text);
      rows[cursor.row] = written.row;
      cursor.column = written.column;
      cursor.colors = written.colors;
      return;
    }
    case "return":
      cursor.column = 0;
      return;
    case "backspace":
      cursor.column = Math.max(0, (cursor.column ?? cellsOf(row).length) - 1);
      return;
    case "newline":
      cursor.row += 1;
      if (cursor.row === rows.length) {
        rows.push("");
      }
      cursor.column = 0;
      return;
    case "move":
      moveBy(rows, cursor, part.direction, part.count);
      return;
    case "erase":
      cursor.column ??= cellsOf(row).length;
      rows[cursor.row] = erased(row, cursor.column, part.mode);
  }
}

/** Inserts pending color sequences at the cursor, because no text follows them. */
function placeColors(rows: string[], cursor: Cursor): void {
  const cells = cellsOf(rows[cursor.row] ?? "");
  const before = cells.slice(0, cursor.column).join("");
  if (before !== "") {
    rows[cursor.row] = before + cursor.colors + cells.slice(cursor.column).join("");
  }
  cursor.colors = "";
}

function moveBy(rows: readonly string[], cursor: Cursor, direction: "A" | "B" | "C" | "D", count: number): void {
  const column = cursor.column ?? cellsOf(rows[cursor.row] ?? "").length;
  switch (direction) {
    case "A":
      cursor.column = column;
      cursor.row = Math.max(0, cursor.row - count);
      return;
    case "B":
      cursor.column = column;
      cursor.row = Math.min(rows.length - 1, cursor.row + count);
      return;
    case "C":
      cursor.column = Math.min(column + count, reachableColumns);
      return;
    case "D":
      cursor.column = Math.max(0, column - count);
  }
}

/** Overwrites a row starting at a column. Text further to the right stays. */
function writeAt(
  row: string,
  column: number | undefined,
  text: string,
): Omit<Cursor, "row"> & { readonly row: string } {
  if (column === undefined || row === "") {
    const indent = row === "" ? (column ?? 0) : 0;
    return { row: row + " ".repeat(indent) + text, column: undefined, colors: "" };
  }
  const cells = cellsOf(row);
  if (column >= cells.length) {
    return { row: row + " ".repeat(column - cells.length) + text, column: undefined, colors: "" };
  }
  const bodyEnd = startOfTrailingColors(text);
  const written = cellsOf(text.slice(0, bodyEnd));
  const colors = text.slice(bodyEnd);
  const end = column + written.length;
  const replaced = [...cells.slice(0, column), ...written, ...cells.slice(end)].join("");
  return end >= cells.length
    ? { row: replaced + colors, column: undefined, colors: "" }
    : { row: replaced, column: end, colors };
}

/** The index from which a text consists only of color sequences. */
function startOfTrailingColors(text: string): number {
  let start = text.length;
  for (let index = 0; index < text.length; ) {
    const sequence = sequenceAt(text, index);
    if (sequence.type === "complete") {
      start = Math.min(start, index);
      index = sequence.end;
    } else {
      start = text.length;
      index += 1;
    }
  }
  return start;
}

function erased(row: string, at: number, mode: number): string {
  const cells = cellsOf(row);
  switch (mode) {
    case 0:
      return cells.slice(0, at).join("");
    case 1:
      return " ".repeat(Math.min(at, cells.length)) + cells.slice(at).join("");
    case 2:
      return "";
    default:
      return row;
  }
}

/** The visible characters of a row, each with the color sequences before it. The last one also has those at the end. */
function cellsOf(row: string): string[] {
  if (!row.includes(escapeCharacter)) {
    return [...row];
  }
  const cells: string[] = [];
  let colors = "";
  for (let index = 0; index < row.length; ) {
    const sequence = sequenceAt(row, index);
    if (sequence.type === "complete") {
      colors += row.slice(index, sequence.end);
      index = sequence.end;
      continue;
    }
    const character = String.fromCodePoint(row.codePointAt(index) ?? 0);
    cells.push(colors + character);
    colors = "";
    index += character.length;
  }
  if (colors !== "") {
    cells.push((cells.pop() ?? "") + colors);
  }
  return cells;
}

/** The index at which the last `count` rows of a text begin. */
function startOfRows(text: string, count: number): number {
  let start = text.length;
  for (let rows = 0; rows < count && start > 0; rows += 1) {
    const newline = text.lastIndexOf("\n", start - 1);
    if (newline < 0) {
      return 0;
    }
    start = newline;
  }
  return start === 0 ? 0 : start + 1;
}
