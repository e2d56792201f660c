import * as z from "zod/mini";
import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import { literalPattern } from "../../ui/format/literal-pattern.ts";

/** The text or pattern to search for. */
export interface SearchQuery {
  readonly text: string;
  readonly isCaseSensitive: boolean;
  readonly isRegularExpression: boolean;
  readonly isWholeWord: boolean;
}

/** A match. All numbers start at 0. */
export interface SearchMatch {
  /** Line in the file, or in the source of the cell. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The whole line, or the part of a long line that begins at `offset`. */
  readonly text: string;
  /** Default: 0. */
  readonly offset?: number;
  /** Index of the cell in a notebook. */
  readonly cell?: number;
  /** The matched text, then its groups; null for a group without a part in the match. Only if they were asked for. */
  readonly groups?: readonly (string | null)[];
}

/** The texts of a file: those of the cells of a notebook, or one. */
export interface SearchedTexts {
  readonly texts: readonly string[];
  readonly areCells: boolean;
}

/** A file that was not searched, and why. */
export interface SkippedFile {
  /** Content path. */
  readonly path: string;
  readonly reason: "binary" | "large" | "slow" | "unreadable";
}

/** What a search says besides its matches. */
export interface SearchedRest {
  /** Number of files that were searched. */
  readonly files: number;
  /** Number of files that were skipped. */
  readonly skipped: number;
  /** The first ones of these. Only if the matches are to be replaced. */
  readonly skippedFiles: readonly SkippedFile[];
  /** The matches beyond the limits, and the number of files that have them. Only if the matches are to be replaced. */
  readonly rest: { readonly matches: number; readonly files: number };
}

const notebook = z.looseObject({
  cells: z.array(z.looseObject({ source: z.optional(z.union([z.string(), z.array(z.string())])) })),
});

const wordCharacter = "[\\p{L}\\p{N}_]";

/** The regular expression of a query. Throws a SyntaxError if the user's expression is invalid. */
export function patternOf({ text, isCaseSensitive, isRegularExpression, isWholeWord }: SearchQuery): RegExp {
  const source = isRegularExpression ? text : literalPattern(text);
  const flags = isCaseSensitive ? "gu" : "giu";
  // Checked on its own, because an expression such as `a)|(b` must not become valid inside of another one.
  const pattern = new RegExp(source, flags);
  return isWholeWord ? new RegExp(wholeWord(source, isRegularExpression ? undefined : text), flags) : pattern;
}

/** An expression that matches no part of a word. A text that begins with another character may follow one. */
function wholeWord(source: string, text: string | undefined): string {
  const isBounded = (edge: string): boolean =>
    text === undefined || new RegExp(edge.replace("word", wordCharacter), "u").test(text);
  const before = isBounded("^word") ? `(?<!${wordCharacter})` : "";
  const after = isBounded("word$") ? `(?!${wordCharacter})` : "";
  return `${before}(?:${source})${after}`;
}

/** The texts to search in a file. In a notebook, these are the sources of the cells. */
export function textsOf(path: string, text: string): SearchedTexts {
  const cells = isNotebookPath(path) ? cellsOf(text) : undefined;
  return cells === undefined ? { texts: [text], areCells: false } : { texts: cells, areCells: true };
}

/** Finds up to `max` matches. If asked for, also returns their groups, and the number of further matches. */
export function matchesIn(
  { texts, areCells }: SearchedTexts,
  pattern: RegExp,
  max: number,
  { withGroups = false, countsRest = false } = {},
): { readonly matches: readonly SearchMatch[]; readonly rest: number } {
  const matches: SearchMatch[] = [];
  let rest = 0;
  for (const [cell, text] of texts.entries()) {
    for (const { groups, ...match } of matchesInLines(text, pattern)) {
      if (matches.length < max) {
        matches.push({ ...match, ...(areCells ? { cell } : {}), ...(withGroups ? { groups } : {}) });
      } else if (countsRest) {
        rest += 1;
      } else {
        return { matches, rest };
      }
    }
  }
  return { matches, rest };
}

function cellsOf(text: string): readonly string[] | undefined {
  try {
    const read = z.safeParse(notebook, JSON.parse(text));
    return read.data?.cells.map(({ source = "" }) => (typeof source === "string" ? source : source.join("")));
  } catch {
    return undefined;
  }
}

function* matchesInLines(text: string, pattern: RegExp) {
  for (const [line, content] of text.split(/\r\n|\r|\n/).entries()) {
    for (const match of content.matchAll(pattern)) {
      // Skip empty matches.
      if (match[0] !== "") {
        const groups = Array.from(match, (group: string | undefined) => group ?? null);
        yield { line, start: match.index, end: match.index + match[0].length, text: content, groups };
      }
    }
  }
}
