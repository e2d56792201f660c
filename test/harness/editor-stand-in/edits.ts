// Edits of documents, as far as the extension makes them: a whole text, and cells and metadata of a notebook.

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}
export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: Position, end: Position) {
    this.start = start;
    this.end = end;
  }
  contains({ start, end }: Range): boolean {
    const isBefore = (first: Position, second: Position): boolean =>
      first.line < second.line || (first.line === second.line && first.character <= second.character);
    return isBefore(this.start, start) && isBefore(end, this.end);
  }
}
export class NotebookRange {
  readonly start: number;
  readonly end: number;
  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
  get isEmpty(): boolean {
    return this.start === this.end;
  }
}
export class NotebookCellData {
  readonly kind: number;
  readonly value: string;
  readonly languageId: string;
  metadata: Readonly<Record<string, unknown>> = {};
  outputs: readonly unknown[] = [];
  constructor(kind: number, value: string, languageId: string) {
    this.kind = kind;
    this.value = value;
    this.languageId = languageId;
  }
}

interface JsonCellMetadata {
  readonly id?: string;
  readonly execution_count?: number | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

type NotebookChange = (notebook: JsonNotebook) => JsonNotebook;

export const NotebookEdit = {
  replaceCells:
    (range: NotebookRange, cells: readonly NotebookCellData[]): NotebookChange =>
    (notebook) => ({
      ...notebook,
      cells: [...notebook.cells.slice(0, range.start), ...cells.map(jsonCell), ...notebook.cells.slice(range.end)],
    }),
  /** In the editor, the metadata of a code cell contains its execution count. */
  updateCellMetadata:
    (index: number, { metadata = {}, ...members }: JsonCellMetadata): NotebookChange =>
    (notebook) => ({
      ...notebook,
      cells: notebook.cells.map((cell, at) => (at === index ? { ...cell, ...members, metadata } : cell)),
    }),
  updateNotebookMetadata:
    (metadata: Readonly<Record<string, unknown>>): NotebookChange =>
    (notebook) => ({ ...notebook, metadata }),
};

export class WorkspaceEdit {
  readonly changes: {
    readonly uri: { toString(): string };
    readonly isNotebook: boolean;
    readonly apply: (bytes: Uint8Array) => Uint8Array;
  }[] = [];
  /** What was replaced, where, and whether the user must confirm it. */
  readonly replaced: {
    readonly uri: string;
    readonly range: Range;
    readonly text: string;
    readonly needsConfirmation: boolean;
  }[] = [];
  replace(
    uri: { toString(): string },
    range: Range,
    text: string,
    metadata?: { readonly needsConfirmation: boolean },
  ): void {
    this.replaced.push({ uri: uri.toString(), range, text, needsConfirmation: metadata?.needsConfirmation === true });
    this.changes.push({ uri, isNotebook: false, apply: () => new TextEncoder().encode(text) });
  }
  set(uri: { toString(): string }, edits: readonly NotebookChange[]): void {
    this.changes.push({
      uri,
      isNotebook: true,
      apply: (bytes) =>
        new TextEncoder().encode(JSON.stringify(edits.reduce((notebook, edit) => edit(notebook), parsed(bytes)))),
    });
  }
}

interface JsonCell {
  readonly cell_type: string;
  readonly id?: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly source: string | readonly string[];
}

interface JsonNotebook {
  readonly cells: readonly JsonCell[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

function parsed(bytes: Uint8Array): JsonNotebook {
  return JSON.parse(new TextDecoder().decode(bytes));
}

function jsonCell({ kind, value, metadata: { id, ...metadata } }: NotebookCellData): JsonCell {
  const outputs = kind === 2 ? { execution_count: null, outputs: [] } : {};
  return { cell_type: kind === 2 ? "code" : "markdown", id, metadata, source: value, ...outputs };
}

/** The metadata and the cells of a notebook's bytes in the editor's form. Without any if they are not a notebook. */
export function notebookIn(bytes: Uint8Array): {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly cells: readonly unknown[];
} {
  let notebook: JsonNotebook;
  try {
    notebook = parsed(bytes);
  } catch {
    return { metadata: {}, cells: [] };
  }
  const cells = (notebook.cells ?? []).map(({ cell_type: type, id, metadata, source }, index) => {
    const text = typeof source === "string" ? source : source.join("");
    const document = { getText: () => text, languageId: type === "code" ? "python" : "markdown" };
    return { index, kind: type === "code" ? 2 : 1, metadata: { ...metadata, id }, outputs: [], document };
  });
  return { metadata: notebook.metadata ?? {}, cells };
}
