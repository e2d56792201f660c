// Contents of files in which each line or cell has a mark: a word that occurs nowhere else, so that its loss is noticed.

/** A change of a content. `at`: the index of a line or cell, modulo their number. */
export interface Edit {
  /** `replace` keeps the size. */
  readonly kind: "insert" | "append" | "replace" | "remove";
  readonly at: number;
}

interface Cell {
  readonly id?: string;
  readonly source: string | readonly string[];
}

interface Notebook {
  readonly cells: readonly Cell[];
}

export function markOf(number: number): string {
  return `mark${String(number).padStart(5, "0")}.`;
}

export function marksIn(content: string): ReadonlySet<string> {
  return new Set(content.match(/mark\d{5}\./g));
}

export function isNotebook(path: string): boolean {
  return path.endsWith(".ipynb");
}

function sourceOf({ source }: Cell): string {
  return typeof source === "string" ? source : source.join("");
}

/** The lines or cells of a content. */
function partsOf(path: string, content: string): readonly string[] {
  return isNotebook(path) ? parsed(content).cells.map(sourceOf) : content.split("\n").filter((line) => line !== "");
}

function parsed(content: string): Notebook {
  return JSON.parse(content);
}

function joined(path: string, all: readonly string[]): string {
  if (!isNotebook(path)) return all.map((line) => `${line}\n`).join("");
  const cells = all.map((source) => ({
    ...{ cell_type: "code", execution_count: null, id: idOf(source), metadata: {}, outputs: [] },
    source,
  }));
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

function idOf(source: string): string {
  return `c${/\d{5}/.exec(source)?.[0] ?? "0"}`;
}

/** A new content with these marks. */
export function contentWith(path: string, marks: readonly string[]): string {
  return joined(path, marks);
}

/** The content after a change, in which `mark` is new. */
export function edited(path: string, content: string, { kind, at }: Edit, mark: string): string {
  const all = [...partsOf(path, content)];
  const index = all.length === 0 ? 0 : at % all.length;
  const old = all[index];
  if (old === undefined || kind === "insert") all.splice(index, 0, mark);
  else if (kind === "append") all[index] = `${old} ${mark}`;
  else if (kind === "replace") all[index] = old.replace(/mark\d{5}\./, mark);
  else all.splice(index, 1);
  return joined(path, all);
}

/** The content with these marks added at its end. */
export function withMarks(path: string, content: string, marks: readonly string[]): string {
  return marks.length === 0 ? content : joined(path, [...partsOf(path, content), ...marks]);
}

/** The content without the lines of conflict markers: everything of both sides. */
export function withoutMarkers(text: string): string {
  return text.replace(/^(<{7}|\|{7}|={7}|>{7}).*\n/gm, "");
}

/** True for the same lines or cells. A server formats the JSON of a notebook, and names its cells, in its own way. */
export function isSame(path: string, one: string | undefined, other: string | undefined): boolean {
  if (one === other || one === undefined || other === undefined || !isNotebook(path)) return one === other;
  return JSON.stringify(partsOf(path, one)) === JSON.stringify(partsOf(path, other));
}

/** The content of a notebook with the members of its objects in alphabetical order. Their order has no meaning. */
export function withSortedMembers(content: string): string {
  return JSON.stringify(JSON.parse(content), (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => one.localeCompare(other)))
      : value,
  );
}

/** The content of the other file of a pair, as a server with paired notebooks writes it. */
export function pairedContent(from: string, to: string, content: string): string {
  return joined(to, partsOf(from, content));
}

/** The content with other cell ids. */
export function withServerIds(content: string): string {
  const notebook = parsed(content);
  return JSON.stringify({
    ...notebook,
    cells: notebook.cells.map((cell) => ({ ...cell, id: `server-${idOf(sourceOf(cell))}` })),
  });
}
