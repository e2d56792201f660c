/**
 * A merge that changed nothing in a notebook, because the content had these changes already. Undo can remove them without
 * undoing an edit of the merge, and the editor doesn't report it. In a notebook's lines, each cell begins with its kind, and
 * the lines of its source are indented.
 */
export class UnseenMerge {
  readonly #before: readonly ReadonlyMap<string, number>[];
  readonly #merged: ReadonlyMap<string, number>;
  readonly #content: ReadonlyMap<string, number>;
  readonly #known: ReadonlySet<string>;

  /** The lines of each version that may be the common one, of the merged version, and of the content. */
  constructor(before: readonly (readonly string[])[], merged: readonly string[], content: readonly string[]) {
    this.#before = before.map(countsOf);
    this.#merged = countsOf(merged);
    this.#content = countsOf(content);
    this.#known = new Set([...before.flat(), ...merged, ...content]);
  }

  /**
   * True if the lines lack a merged change: if a line is back that the merge had removed, or if one that it had added is
   * gone and nothing new has been written. Whoever goes on writing in such a line knows what it was.
   */
  isUndone(lines: readonly string[]): boolean {
    const isNewWritten = lines.some((line) => !this.#known.has(line));
    return this.#lacksIn(lines, ({ isBack }) => isBack || !isNewWritten);
  }

  /** True if the lines have all merged changes. */
  isIn(lines: readonly string[]): boolean {
    return !this.#lacksIn(lines, () => true);
  }

  /** True if a merged change that counts is missing. `isBack`: a removed line is back; otherwise, an added one is gone. */
  #lacksIn(lines: readonly string[], counts: (change: { readonly isBack: boolean }) => boolean): boolean {
    const now = countsOf(lines);
    const hasAllCells = sumOfKinds(now) === sumOfKinds(this.#merged);
    const lacks = (common: ReadonlyMap<string, number>, line: string): boolean => {
      const [before = 0, merged = 0, content = 0, current = 0] = [common, this.#merged, this.#content, now].map((all) =>
        all.get(line),
      );
      if (line.trim() === "") {
        return false;
      }
      const isOfSource = line.startsWith(sourceStart);
      // A line that the content has kept is the user's own.
      const isBack = isOfSource && before > merged && current > Math.max(merged, content);
      const isGone = merged > before && current < merged && (isOfSource || hasAllCells);
      return (isBack || isGone) && counts({ isBack });
    };
    return this.#before.some((common) =>
      [...new Set([...common.keys(), ...this.#merged.keys()])].some((line) => lacks(common, line)),
    );
  }
}

const sourceStart = "  ";

/** The lines of a cell. `kind`: as in a file, such as `code`. */
export function linesOfCell(kind: string, source: string): readonly string[] {
  return [kind, ...source.split(/\r?\n/).map((line) => sourceStart + line)];
}

interface NotebookCells {
  readonly cells: readonly { readonly cell_type: string; readonly source: string | readonly string[] }[];
}

/** The lines of a notebook file; undefined for other content. */
export function linesOfNotebook(bytes: Uint8Array): readonly string[] | undefined {
  try {
    const { cells }: NotebookCells = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return cells.flatMap(({ cell_type, source }) => linesOfCell(cell_type, [source].flat().join("")));
  } catch {
    return undefined;
  }
}

function countsOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

function sumOfKinds(counts: ReadonlyMap<string, number>): number {
  return [...counts].reduce((sum, [line, count]) => (line.startsWith(sourceStart) ? sum : sum + count), 0);
}
