import type { TimeSlices } from "../../api/time-slices.ts";
import type { LineRange } from "./three-way-merge.ts";

/** Number of lines that are copied in one step. */
const linesPerStep = 4096;
/** Characters of a line that take as long as one step. */
const charactersPerStep = 64;

/** Numbers that are the same for equal lines, in any number of texts. */
export type LineTokens = Map<string, number>;

/**
 * A text as lines without their line ends, which are `\n` or `\r\n`. An empty text has no line. A line end after the
 * last line belongs to the text, not to the line.
 */
export class TextLines {
  readonly tokens: Int32Array;
  readonly endsWithLineEnd: boolean;
  readonly #text: string;
  /** Where each line starts, and the end of the text. */
  readonly #starts: Int32Array;
  readonly #lineEnds: "\n" | "\r\n" | "mixed";

  private constructor(text: string, starts: number[], tokens: number[], windowsLineEnds: number) {
    this.#text = text;
    this.tokens = Int32Array.from(tokens);
    this.endsWithLineEnd = text === "" || text.endsWith("\n");
    this.#starts = Int32Array.from([...starts, text.length]);
    const lineEnds = tokens.length - (text.endsWith("\n") ? 0 : 1);
    this.#lineEnds = windowsLineEnds === 0 ? "\n" : windowsLineEnds === lineEnds ? "\r\n" : "mixed";
  }

  static async read(text: string, tokens: LineTokens, slices: TimeSlices): Promise<TextLines> {
    const starts: number[] = [];
    const read: number[] = [];
    let windowsLineEnds = 0;
    for (let start = 0; start < text.length; ) {
      const lineEnd = text.indexOf("\n", start);
      const isWindows = lineEnd > start && text.charCodeAt(lineEnd - 1) === 13;
      const end = lineEnd < 0 ? text.length : isWindows ? lineEnd - 1 : lineEnd;
      windowsLineEnds += isWindows ? 1 : 0;
      const line = text.slice(start, end);
      let token = tokens.get(line);
      if (token === undefined) {
        token = tokens.size;
        tokens.set(line, token);
      }
      starts.push(start);
      read.push(token);
      start = lineEnd < 0 ? text.length : lineEnd + 1;
      if (slices.isOver(4 + line.length / charactersPerStep)) {
        await slices.pause();
      }
    }
    return new TextLines(text, starts, read, windowsLineEnds);
  }

  /** The line end of a text in which at least one line ends like this. */
  get lineEnd(): "\n" | "\r\n" {
    return this.#lineEnds === "\n" ? "\n" : "\r\n";
  }

  /** Lines with their own line ends, including the one of the last line. */
  raw({ start, end }: LineRange): string {
    return this.#text.slice(this.#starts[start], this.#starts[end]);
  }

  /** Adds lines to the parts of a text, each with the given line end. */
  async copy({ start, end }: LineRange, lineEnd: "\n" | "\r\n", to: string[], slices: TimeSlices): Promise<void> {
    for (let from = start; from < end; from += linesPerStep) {
      const raw = this.raw({ start: from, end: Math.min(end, from + linesPerStep) });
      to.push(this.#lineEnds === lineEnd ? raw : raw.replace(/\r?\n/g, lineEnd));
      if (slices.isOver(linesPerStep / 4)) {
        await slices.pause();
      }
    }
    if (start < end && end === this.tokens.length && !this.#text.endsWith("\n")) {
      to.push(lineEnd);
    }
  }
}

/** The lines of a text, without line ends. */
export function linesOf(text: string): readonly string[] {
  if (text === "") {
    return [];
  }
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  return text.endsWith("\n") ? lines.slice(0, -1) : lines;
}
