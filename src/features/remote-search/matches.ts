import * as z from "zod/mini";
import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import { literalPattern } from "../../ui/format/literal-pattern.ts";

/** The text or pattern to search for. */
export interface SearchQuery {
  readonly text: string;
  readonly isCaseSensitive: boolean;
  readonly isRegularExpression: boolean;
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
}

const notebook = z.looseObject({
  cells: z.array(z.looseObject({ source: z.optional(z.union([z.string(), z.array(z.string())])) })),
});

/** The regular expression of a query. Throws a SyntaxError if the user's expression is invalid. */
export function patternOf({ text, isCaseSensitive, isRegularExpression }: SearchQuery): RegExp {
  const source = isRegularExpression ? text : literalPattern(text);
  return new RegExp(source, isCaseSensitive ? "gu" : "giu");
}

/** Finds up to `most` matches in a text. In a notebook, searches the sources of the cells. */
export function matchesIn(path: string, text: string, pattern: RegExp, max: number): readonly SearchMatch[] {
  const cells = isNotebookPath(path) ? cellsOf(text) : undefined;
  if (cells === undefined) {
    return linesWith(text, pattern, max);
  }
  const found: SearchMatch[] = [];
  for (const [cell, source] of cells.entries()) {
    found.push(...linesWith(source, pattern, max - found.length).map((match) => ({ ...match, cell })));
    if (found.length >= max) {
      break;
    }
  }
  return found;
}

function cellsOf(text: string): readonly string[] | undefined {
  try {
    const read = z.safeParse(notebook, JSON.parse(text));
    return read.data?.cells.map(({ source = "" }) => (typeof source === "string" ? source : source.join("")));
  } catch {
    return undefined;
  }
}

function linesWith(text: string, pattern: RegExp, max: number): SearchMatch[] {
  const found: SearchMatch[] = [];
  for (const [line, content] of text.split(/\r\n|\r|\n/).entries()) {
    for (const match of content.matchAll(pattern)) {
      if (found.length >= max) {
        return found;
      }
      // Skip empty matches.
      if (match[0] !== "") {
        found.push({ line, start: match.index, end: match.index + match[0].length, text: content });
      }
    }
  }
  return found;
}
