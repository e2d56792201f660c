import * as z from "zod/mini";
import { defineCompanionOperation } from "../operation.ts";

const count = z.int().check(z.nonnegative());
const path = z.string().check(z.maxLength(4096));

/** The files to search or to list, as in the recursive listing of the contents API. */
const listing = {
  /** Content path; empty for the root. */
  folder: z.string(),
  ignoreFolders: z.array(z.string()),
  /** Extensions. Empty for all files. */
  fileTypes: z.array(z.string()),
  isRecursive: z.boolean(),
  includesHidden: z.boolean(),
  /** The editor's globs, compared with paths from the root. */
  exclude: z.array(z.string()),
  /** Whether to skip what .gitignore files exclude. */
  useIgnoreFiles: z.boolean(),
};

/** A match. All numbers start at 0. `start`, `end`, and `offset` count UTF-16 units from the start of the line. */
const match = z.object({
  /** Line in the file, or in the source of the cell. */
  line: count,
  start: count,
  end: count,
  /** The line. If it is long, the part of it that begins at `offset`. */
  text: z.string().check(z.maxLength(10_000)),
  offset: count,
  /** Index of the cell in a notebook. */
  cell: z.optional(count),
  /** The matched text, and its groups; null for one that has no part in the match. Missing if they are too long. */
  groups: z.optional(z.array(z.nullable(z.string().check(z.maxLength(100_000)))).check(z.maxLength(100))),
});

/** Finds text in files, and in the sources of notebooks' cells. Fails with `unsupportedPattern`, `slowPattern`, `noFolder`. */
export const searchText = defineCompanionOperation({
  name: "search.text",
  parameters: z.object({
    ...listing,
    /** A text, or a regular expression of Python. */
    text: z.string(),
    isCaseSensitive: z.boolean(),
    isRegularExpression: z.boolean(),
    maxMatches: count,
    maxPerFile: count,
    /** Maximum size of a file. Notebooks have a limit of their own. */
    maxBytes: count,
    isWholeWord: z.optional(z.boolean()),
    /** Whether to return the groups of each match. */
    withGroups: z.optional(z.boolean()),
    /** Whether to count the matches beyond the limits, and to name the files that are skipped. */
    countsRest: z.optional(z.boolean()),
    /** Texts to search in place of those on the server: of a file, or of the cells of a notebook. */
    unsaved: z.optional(z.array(z.object({ path, texts: z.array(z.string()), areCells: z.boolean() }))),
  }),
  result: z.object({
    searched: count,
    /** Binary, large, and unreadable files. */
    skipped: count,
    /** The first ones of these. */
    skippedFiles: z
      .array(z.object({ path, reason: z.enum(["binary", "large", "slow", "unreadable"]) }))
      .check(z.maxLength(1000)),
    /** False if the limit of matches was reached. */
    isComplete: z.boolean(),
    /** The matches beyond the limits, and the files that have them. */
    rest: z.object({ matches: count, files: count }),
  }),
  push: z.object({
    items: z.array(z.object({ path, matches: z.array(match).check(z.maxLength(10_000)) })).check(z.maxLength(100_000)),
    /** Number of files until now. */
    searched: count,
  }),
});

/** Lists files. Fails with `noFolder`. */
export const searchFiles = defineCompanionOperation({
  name: "search.files",
  parameters: z.object({ ...listing, maxFiles: count }),
  result: z.object({
    count,
    /** False if the limit was reached. */
    isComplete: z.boolean(),
  }),
  push: z.object({ items: z.array(path).check(z.maxLength(1_000_000)), searched: count }),
});
