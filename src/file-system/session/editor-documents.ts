import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { authorityOf, scheme } from "../../tenants/workspace-uri.ts";
import type { ContentKeys } from "../versions/editor-copy.ts";

export type EditedDocument = vscode.TextDocument | vscode.NotebookDocument;

export function isText(document: EditedDocument): document is vscode.TextDocument {
  return "getText" in document;
}

export function isNotebook(document: EditedDocument): document is vscode.NotebookDocument {
  return !isText(document);
}

/** All documents of the editor. A notebook precedes the text documents of its cells. */
function documents(): readonly EditedDocument[] {
  return [...vscode.workspace.notebookDocuments, ...vscode.workspace.textDocuments];
}

function addressIn(authority: string, path: string): string {
  return vscode.Uri.from({ scheme, authority, path: `/${path}` }).toString();
}

/** The editor's documents for a path: a notebook, a text, or both. */
export function documentsAt(authority: string, path: string): readonly EditedDocument[] {
  const wanted = addressIn(authority, path);
  return documents().filter((document) => document.uri.toString() === wanted);
}

/**
 * The editor's document for a path. If there are two, the one with unsaved changes; if both have, the one that the user
 * works in.
 */
export function documentAt(authority: string, path: string): EditedDocument | undefined {
  const found = documentsAt(authority, path);
  const unsaved = found.filter(isUnsaved);
  const [only] = unsaved.length === 0 ? found : unsaved;
  const active = vscode.window.activeTextEditor?.document;
  return unsaved.find((document) => document === active) ?? only;
}

/** The URI of the file that a tab edits, and the kind of its document; undefined for other tabs. */
function editedIn({ input }: vscode.Tab): { readonly uri: vscode.Uri; readonly kind: CopyOfTab } | undefined {
  if (input instanceof vscode.TabInputNotebook) {
    return { uri: input.uri, kind: "notebook" };
  }
  if (input instanceof vscode.TabInputText) {
    return { uri: input.uri, kind: "text" };
  }
  return input instanceof vscode.TabInputCustom ? { uri: input.uri, kind: "file" } : undefined;
}

type CopyOfTab = "text" | "notebook" | "file";

function tabsOf(authority: string, path: string): readonly { readonly kind: CopyOfTab; readonly isDirty: boolean }[] {
  const wanted = addressIn(authority, path);
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap((tab) => {
      const edited = editedIn(tab);
      return edited?.uri.toString() === wanted ? [{ kind: edited.kind, isDirty: tab.isDirty }] : [];
    });
}

/** True if a tab shows the path in an editor of this kind. */
export function hasTab(authority: string, path: string, kind: CopyOfTab): boolean {
  return tabsOf(authority, path).some((tab) => tab.kind === kind);
}

/** The kinds of tabs of a path that have unsaved changes. */
export function unsavedTabs(authority: string, path: string): readonly CopyOfTab[] {
  return [...new Set(tabsOf(authority, path).flatMap(({ kind, isDirty }) => (isDirty ? [kind] : [])))];
}

/**
 * True for a document with unsaved changes. The editor reports a notebook that it has restored as unchanged until its
 * first change. Its tab shows the unsaved changes.
 */
export function isUnsaved(document: EditedDocument): boolean {
  const { isDirty, uri } = document;
  return isDirty || unsavedTabs(uri.authority, uri.path.slice(1)).includes(isText(document) ? "text" : "notebook");
}

/** True if the path is open with unsaved changes. */
export function isUnsavedAt(authority: string, path: string): boolean {
  return documentsAt(authority, path).some(isUnsaved) || unsavedTabs(authority, path).length > 0;
}

/**
 * Saves the unsaved changes of a path. Resolves with false if that failed. `isUnknown`: the document may have unsaved
 * changes that the editor doesn't report.
 */
export async function saveEditor(authority: string, path: string, isUnknown = false): Promise<boolean> {
  const document = documentAt(authority, path);
  if (document !== undefined) {
    return (!isUnknown && !isUnsaved(document)) || document.save();
  }
  if (unsavedTabs(authority, path).length === 0) {
    return true;
  }
  // Extensions can't see the documents of text files larger than 50 MB, and those of custom editors.
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(addressIn(authority, path), true));
  await vscode.commands.executeCommand("workbench.action.files.save");
  return unsavedTabs(authority, path).length === 0;
}

/** The documents of one workspace with unsaved changes. */
export function unsavedDocuments(tenantId: string, workspaceId: string): readonly EditedDocument[] {
  const authority = authorityOf(tenantId, workspaceId);
  return documents().filter(
    (document) => document.uri.scheme === scheme && document.uri.authority === authority && isUnsaved(document),
  );
}

/** The form in which texts are compared: the editor changes line ends, and removes a byte order mark. */
function inOneForm(text: string): string {
  return text.replace(/^\u{FEFF}/u, "").replace(/\r\n?/g, "\n");
}

/** A text in one form, if it was decoded from UTF-8 by the editor. */
function documentText(document: EditedDocument): string | undefined {
  return isText(document) && document.encoding.startsWith("utf8") ? inOneForm(document.getText()) : undefined;
}

/** False if the editor is known to show other bytes. Always true for texts in other encodings. */
export function shows(document: EditedDocument, bytes: Uint8Array): boolean {
  if (!isText(document)) {
    const cells = cellsIn(bytes);
    return cells === undefined || sameCells(cellsOf(document), cells);
  }
  const text = documentText(document);
  return text === undefined || text === inOneForm(new TextDecoder().decode(bytes));
}

/** What a notebook shows of a cell, as far as it is the same in the editor and in a file. */
interface ShownCell {
  readonly kind: string;
  readonly source: string;
  readonly outputs: number;
}

function cellsOf(notebook: vscode.NotebookDocument): readonly ShownCell[] {
  return notebook.getCells().map(({ kind, document, outputs }) => ({
    kind: kind === vscode.NotebookCellKind.Markup ? "markdown" : document.languageId === "raw" ? "raw" : "code",
    source: inOneForm(document.getText()),
    outputs: outputs.length,
  }));
}

/** The cells of a notebook file; undefined for other content. */
function cellsIn(bytes: Uint8Array): readonly ShownCell[] | undefined {
  try {
    const { cells }: NotebookFile = JSON.parse(new TextDecoder().decode(bytes));
    return cells.map(({ cell_type, source, outputs }) => ({
      kind: cell_type,
      source: inOneForm([source].flat().join("")),
      outputs: outputs?.length ?? 0,
    }));
  } catch {
    return undefined;
  }
}

interface NotebookFile {
  readonly cells: readonly {
    readonly cell_type: string;
    readonly source: string | readonly string[];
    readonly outputs?: readonly unknown[];
  }[];
}

/** Compares cells. Empty ones don't count: the editor adds one to a notebook without any. */
function sameCells(one: readonly ShownCell[], other: readonly ShownCell[]): boolean {
  const [ours, theirs] = [one, other].map((cells) => cells.filter(({ source }) => source !== ""));
  return JSON.stringify(ours) === JSON.stringify(theirs);
}

/** Identifies the current content of a document: a text, or a whole notebook. */
function contentKey(document: EditedDocument): string {
  const hash = createHash("sha256");
  if (isText(document)) {
    return hash.update(inOneForm(document.getText())).digest("base64");
  }
  hash.update(JSON.stringify(document.metadata));
  for (const cell of document.getCells()) {
    const { kind, metadata, outputs } = cell;
    const source = inOneForm(cell.document.getText());
    hash.update(JSON.stringify([kind, cell.document.languageId, source, metadata, outputs.length]));
    for (const { items, metadata: ofOutput } of outputs) {
      hash.update(JSON.stringify([ofOutput, items.map(({ mime, data }) => [mime, data.byteLength])]));
      for (const { data } of items) {
        hash.update(data);
      }
    }
  }
  return hash.digest("base64");
}

/** The keys of a document's content. `isWhole`: also that of a whole notebook. */
export function contentKeys(document: EditedDocument, isWhole = true): ContentKeys {
  if (isText(document)) {
    return [contentKey(document)];
  }
  const hash = createHash("sha256");
  for (const { kind, document: cell } of document.getCells()) {
    hash.update(JSON.stringify([kind, cell.languageId, hashOfSource(cell)]));
  }
  const sources = hash.digest("base64");
  return isWhole ? [contentKey(document), sources] : [sources];
}

/** The hashes of cells' sources: a change of a notebook is a change of few cells. */
const sourceHashes = new WeakMap<vscode.TextDocument, { readonly version: number; readonly hash: string }>();

function hashOfSource(cell: vscode.TextDocument): string {
  const known = sourceHashes.get(cell);
  if (known !== undefined && known.version === cell.version) {
    return known.hash;
  }
  const hash = createHash("sha256").update(inOneForm(cell.getText())).digest("base64");
  sourceHashes.set(cell, { version: cell.version, hash });
  return hash;
}

/** The key of a text with these bytes; undefined if the document has another encoding, or is a notebook. */
export function keyOfBytes(document: EditedDocument, bytes: Uint8Array): string | undefined {
  return documentText(document) === undefined
    ? undefined
    : createHash("sha256")
        .update(inOneForm(new TextDecoder().decode(bytes)))
        .digest("base64");
}
