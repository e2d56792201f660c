import * as z from "zod/mini";
import { isNotebookPath } from "../../api/catalogue/content-path.ts";
import { literalPattern } from "../../ui/format/literal-pattern.ts";

/** What is searched for. */
export interface SearchQuery {
  readonly text: string;
  readonly isCaseSensitive: boolean;
  readonly isRegularExpression: boolean;
}

/** One place where the text was found; all numbers count from 0. */
export interface SearchMatch {
  /** The line within the file, or within the source of the cell. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The line as it stands there. */
  readonly text: string;
  /** The cell of a notebook. */
  readonly cell?: number;
}

const notebook = z.looseObject({
  cells: z.array(z.looseObject({ source: z.optional(z.union([z.string(), z.array(z.string())])) })),
});

/** The pattern of a query. Throws a SyntaxError for a regular expression that is none. */
export function patternOf({ text, isCaseSensitive, isRegularExpression }: SearchQuery): RegExp {
  const source = isRegularExpression ? text : literalPattern(text);
  return new RegExp(source, isCaseSensitive ? "gu" : "giu");
}

/** Where the pattern is in a text, at most `most` places; in a notebook in the sources of its cells, as people see them. */
export function matchesIn(path: string, text: string, pattern: RegExp, most: number): readonly SearchMatch[] {
  const cells = isNotebookPath(path) ? cellsOf(text) : undefined;
  if (cells === undefined) {
    return linesWith(text, pattern, most);
  }
  const found: SearchMatch[] = [];
  for (const [cell, source] of cells.entries()) {
    found.push(...linesWith(source, pattern, most - found.length).map((match) => ({ ...match, cell })));
    if (found.length >= most) {
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

function linesWith(text: string, pattern: RegExp, most: number): SearchMatch[] {
  const found: SearchMatch[] = [];
  for (const [line, content] of text.split(/\r\n|\r|\n/).entries()) {
    for (const match of content.matchAll(pattern)) {
      if (found.length >= most) {
        return found;
      }
      // A pattern that fits nothing at all is not a place.
      if (match[0] !== "") {
        found.push({ line, start: match.index, end: match.index + match[0].length, text: content });
      }
    }
  }
  return found;
}
