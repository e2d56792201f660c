import { posix } from "node:path";

/** The name of a file in a line of a terminal. */
export interface FileName {
  /** Index and number of its characters, including its line number. */
  readonly start: number;
  readonly length: number;
  readonly path: string;
  /** From 1. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** Longer lines are searched up to here. */
const maxLineLength = 4000;
const maxPathLength = 1000;
const maxNames = 10;
/** As in Python's tracebacks, where names have spaces, too. */
const tracebackName = /File "([^"]+)", line (\d{1,9})/g;
/** Characters that end a name, and a line number and a column after it. */
const plainName = /([^\s"'`()<>[\]{}|,;:*?!=\u2018\u2019\u201c\u201d]+)(?::(\d{1,9}))?(?::(\d{1,9}))?/g;
/** A folder and a name, or a name with an extension. */
const isFileLike = /\/[^/]|[^./]\.[A-Za-z]\w{0,9}$/;

/** The texts in a line that may be names of files. Takes time proportional to its length. */
export function fileNamesIn(text: string): readonly FileName[] {
  const line = text.slice(0, maxLineLength);
  const names: FileName[] = [];
  for (const { 0: whole, 1: path = "", 2: number, index } of line.matchAll(tracebackName)) {
    if (path.length <= maxPathLength) {
      names.push({ start: index, length: whole.length, path, line: Number(number), column: undefined });
    }
  }
  for (const { 0: whole, 1: found = "", 2: number, 3: column, index } of line.matchAll(plainName)) {
    const isSentence = number === undefined && found.endsWith(".");
    const path = isSentence ? found.slice(0, -1) : found;
    const isWithin = names.some(({ start, length }) => index < start + length && start < index + whole.length);
    if (!isWithin && path.length <= maxPathLength && !path.startsWith("//") && isFileLike.test(path)) {
      names.push({
        start: index,
        length: isSentence ? path.length : whole.length,
        path,
        line: number === undefined ? undefined : Number(number),
        column: column === undefined ? undefined : Number(column),
      });
    }
    if (names.length >= maxNames) {
      break;
    }
  }
  return names.slice(0, maxNames);
}

const maxCandidates = 12;
/** Folders of installed programs and libraries, which are not part of a workspace's files. */
const elsewhere =
  /^\/(?:usr|bin|sbin|lib|lib64|etc|proc|sys|dev|boot|run)\/|\/(?:site|dist)-packages\/|\/lib\/python\d/;

/**
 * The paths in a workspace that a name may mean, the most likely one first. The server doesn't report where its root is.
 * `folder`: where the terminal was started. `root`: the root's absolute path, if an earlier name has shown it.
 */
export function candidatesOf(path: string, folder: string, root: string | undefined): readonly string[] {
  if (path.startsWith("/") || path.startsWith("~/")) {
    const absolute = posix.normalize(path);
    if (root !== undefined && absolute.startsWith(`${root}/`)) {
      return [absolute.slice(root.length + 1)];
    }
    if (elsewhere.test(absolute)) {
      return [];
    }
    const segments = absolute.split("/").slice(1);
    return segments.map((_, index) => segments.slice(index).join("/")).slice(-maxCandidates);
  }
  const relative = [posix.join("/", folder), "/"].map((base) => posix.join(base, path).slice(1));
  return [...new Set(relative)].filter((candidate) => candidate !== "");
}

/** The root's absolute path, if an absolute name means this path in the workspace. */
export function rootOf(name: string, path: string): string | undefined {
  const absolute = posix.normalize(name);
  return absolute.startsWith("/") && absolute.endsWith(`/${path}`) ? absolute.slice(0, -path.length - 1) : undefined;
}
