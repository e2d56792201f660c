import * as vscode from "vscode";
import { addressOf, authorityOf, scheme } from "../../tenants/workspace-uri.ts";
import type { ContentVersion } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";

const storageKey = "unsavedVersions";

/**
 * Maximum delay between the event for a notebook's first change and the editor's report of its unsaved state, in
 * milliseconds.
 */
const editTakes = 100;

/** The open files of one workspace. */
export interface OpenEditors {
  isOpen(path: string): boolean;
  isDirty(path: string): boolean;
  /** True for a file that is open as a notebook. */
  isNotebook(path: string): boolean;
}

type StoredVersions = Readonly<Record<string, Readonly<Record<string, ContentVersion>>>>;
type EditedDocument = vscode.TextDocument | vscode.NotebookDocument;

/**
 * The open files, and those with unsaved changes. Stores the base version of each unsaved copy across a reload of the
 * window, because the editor then restores the copy and may save it.
 */
export class OpenDocuments implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #versionsOf: (authority: string) => EditorVersions;
  readonly #listeners: vscode.Disposable;
  readonly #stored: Map<string, Map<string, ContentVersion>>;
  readonly #storage: vscode.Uri | undefined;
  readonly #edited = new WeakSet<EditedDocument>();
  /**
   * Notebooks that have just opened and that show what was read before, unless the editor reports unsaved changes of an
   * earlier session next. A change, such as the output of a cell that is still running, may come before that report.
   */
  readonly #showingRead = new WeakSet<EditedDocument>();
  #keeping: Promise<unknown> = Promise.resolve();

  constructor(state: vscode.Memento, versionsOf: (authority: string) => EditorVersions, storage?: vscode.Uri) {
    this.#state = state;
    this.#storage = storage;
    this.#versionsOf = versionsOf;
    const stored = state.get<StoredVersions>(storageKey, {});
    this.#stored = new Map(Object.entries(stored).map(([key, bases]) => [key, new Map(Object.entries(bases))]));
    this.#listeners = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.#follow(document)),
      vscode.workspace.onDidOpenNotebookDocument((document) => this.#opened(document)),
      vscode.workspace.onDidChangeTextDocument((event) => this.#follow(event.document)),
      vscode.workspace.onDidChangeNotebookDocument((event) => this.#changed(event.notebook)),
      // The editor has no change event for saving a notebook. Without this, a reload would treat it as unsaved.
      vscode.workspace.onDidSaveNotebookDocument(({ uri }) => this.#saved(uri)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#closed(document.uri)),
      vscode.workspace.onDidCloseNotebookDocument((document) => this.#closed(document.uri)),
    );
  }

  /** The base versions of a workspace's unsaved copies from an earlier session. */
  storedFor(authority: string): Readonly<Record<string, ContentVersion>> {
    return Object.fromEntries(this.#stored.get(authority) ?? []);
  }

  /** The open files of one workspace. */
  editorsOf(authority: string): OpenEditors {
    const find = (path: string): EditedDocument | undefined => documentAt(authority, path);
    return {
      isOpen: (path) => find(path) !== undefined || unsavedTab(authority, path) !== undefined,
      isDirty: (path) => find(path)?.isDirty ?? unsavedTab(authority, path) !== undefined,
      isNotebook: (path) => !("getText" in (find(path) ?? { getText: undefined })),
    };
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  #opened(notebook: vscode.NotebookDocument): void {
    const { uri, isDirty } = notebook;
    if (uri.scheme === scheme && !isDirty && this.#versionsOf(uri.authority).hasOtherRead(addressOf(uri).path)) {
      this.#showingRead.add(notebook);
    }
    this.#follow(notebook);
  }

  #changed(notebook: vscode.NotebookDocument): void {
    if (this.#showingRead.delete(notebook)) {
      this.#versionsOf(notebook.uri.authority).becameClean(addressOf(notebook.uri).path);
    }
    this.#follow(notebook);
  }

  #follow(document: EditedDocument): void {
    if (document.uri.scheme !== scheme) {
      return;
    }
    const { path } = addressOf(document.uri);
    const { authority } = document.uri;
    const versions = this.#versionsOf(authority);
    if (document.isDirty) {
      this.#edited.add(document);
      this.#store(authority, path, versions.base(path));
      return;
    }
    this.#store(authority, path, undefined);
    if ("getText" in document || this.#edited.delete(document)) {
      versions.becameClean(path, (bytes) => shows(document, bytes));
      return;
    }
    const settle = (): void => {
      this.#showingRead.delete(document);
      if (!document.isClosed && !document.isDirty) {
        versions.becameClean(path);
      }
    };
    setTimeout(settle, editTakes);
  }

  #saved(uri: vscode.Uri): void {
    if (uri.scheme === scheme) {
      this.#store(uri.authority, addressOf(uri).path, undefined);
    }
  }

  #closed(uri: vscode.Uri): void {
    if (uri.scheme === scheme) {
      const { path } = addressOf(uri);
      if (documentAt(uri.authority, path) === undefined) {
        this.#versionsOf(uri.authority).closed(path);
        this.#store(uri.authority, path, undefined);
      }
    }
  }

  #store(authority: string, path: string, version: ContentVersion | undefined): void {
    const ofWorkspace = this.#stored.get(authority) ?? new Map<string, ContentVersion>();
    if (ofWorkspace.get(path) === version) {
      return;
    }
    if (version === undefined) {
      ofWorkspace.delete(path);
    } else {
      ofWorkspace.set(path, version);
    }
    this.#stored.set(authority, ofWorkspace);
    const plain = [...this.#stored].map(([key, bases]) => [key, Object.fromEntries(bases)] as const);
    void this.#state.update(storageKey, Object.fromEntries(plain.filter(([, bases]) => Object.keys(bases).length > 0)));
    this.#keep(authority, path, version);
  }

  #keep(authority: string, path: string, version: ContentVersion | undefined): void {
    const directory = this.#storage?.fsPath;
    const bytes = this.#versionsOf(authority).baseContent(path);
    if (directory === undefined || version === undefined || bytes === undefined) {
      return;
    }
    const work = async (): Promise<void> => {
      const { keepBase } = await import("../versions/merge-base-storage.ts");
      await keepBase(directory, `${authority}/${path}`, version, bytes);
    };
    // Without the bytes, a merge after a reload falls back to a comparison, so ignore errors.
    this.#keeping = this.#keeping.then(work).catch(() => undefined);
  }

  /** The bytes of the base version of unsaved changes from an earlier session. */
  async keptBase(authority: string, path: string, version: ContentVersion): Promise<Uint8Array | undefined> {
    const directory = this.#storage?.fsPath;
    if (directory === undefined) {
      return undefined;
    }
    return (await import("../versions/merge-base-storage.ts")).readBase(directory, `${authority}/${path}`, version);
  }
}

/** False if the editor is known to show other bytes. Always true for notebooks and other encodings. */
function shows(document: EditedDocument, bytes: Uint8Array): boolean {
  if (!("getText" in document) || !document.encoding.startsWith("utf8")) {
    return true;
  }
  const inOneForm = (text: string): string => text.replace(/^\u{FEFF}/u, "").replace(/\r\n?/g, "\n");
  return inOneForm(document.getText()) === inOneForm(new TextDecoder().decode(bytes));
}

/** All documents of the editor. A notebook precedes the text documents of its cells. */
function documents(): readonly EditedDocument[] {
  return [...vscode.workspace.notebookDocuments, ...vscode.workspace.textDocuments];
}

function addressIn(authority: string, path: string): string {
  return vscode.Uri.from({ scheme, authority, path: `/${path}` }).toString();
}

/** The editor's document for a path: the notebook if there is one, otherwise the text. */
export function documentAt(authority: string, path: string): EditedDocument | undefined {
  const wanted = addressIn(authority, path);
  return documents().find((document) => document.uri.toString() === wanted);
}

/** The tab of a path with unsaved changes. For text files larger than 50 MB, extensions can see only the tab. */
function unsavedTab(authority: string, path: string): vscode.Tab | undefined {
  const wanted = addressIn(authority, path);
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input, isDirty }) => isDirty && input instanceof vscode.TabInputText && input.uri.toString() === wanted);
}

/** Saves the unsaved changes of a path. Resolves with false if that failed. */
export async function saveEditor(authority: string, path: string): Promise<boolean> {
  const document = documentAt(authority, path);
  const tab = unsavedTab(authority, path);
  if (document === undefined && tab?.input instanceof vscode.TabInputText) {
    await vscode.commands.executeCommand("vscode.open", tab.input.uri);
    await vscode.commands.executeCommand("workbench.action.files.save");
    return !tab.isDirty;
  }
  return document?.isDirty !== true || document.save();
}

/** The documents of one workspace with unsaved changes. */
export function unsavedDocuments(tenantId: string, workspaceId: string): readonly EditedDocument[] {
  const authority = authorityOf(tenantId, workspaceId);
  return documents().filter(({ uri, isDirty }) => uri.scheme === scheme && uri.authority === authority && isDirty);
}
