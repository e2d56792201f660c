import * as vscode from "vscode";
import { type Clock, systemClock } from "../../api/clock.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { ContentVersion } from "../versions/content-version.ts";
import type { ContentKeys } from "../versions/editor-copy.ts";
import type { CopyKind, EditorVersions } from "../versions/editor-versions.ts";
import { UnsavedCopies } from "../versions/unsaved-copies.ts";
import {
  contentKeys,
  documentsAt,
  type EditedDocument,
  hasTab,
  isNotebook,
  isText,
  isUnsaved,
  keyOfBytes,
  shows,
  unsavedTabs,
} from "./editor-documents.ts";
import type { WindowSession } from "./window-session.ts";

/**
 * Maximum delay between the event for a notebook's first change and the editor's report of its unsaved state, in
 * milliseconds.
 */
export const editDelayMs = 100;

/** A copy whose content is written. `key` identifies the content, if it is known. */
export interface SavedCopy {
  readonly kind: CopyKind;
  readonly key?: string | undefined;
  /** Another copy without unsaved changes that shows what is written, and the keys of this notebook's content. */
  readonly shown?: {
    readonly kind: CopyKind;
    readonly key: string | undefined;
    readonly content: ContentKeys;
  };
}

/** The open files of one workspace. */
export interface OpenEditors {
  isOpen(path: string): boolean;
  isDirty(path: string): boolean;
  /** The kinds of the path's copies with unsaved changes. The one whose save was announced last is first, then a text. */
  unsaved(path: string): readonly CopyKind[];
  /**
   * The editor's copies that a write of these bytes may save: one, or several if that can't be determined. None if no
   * editor has the file open.
   */
  saving(path: string, bytes: Uint8Array): readonly SavedCopy[];
}

/**
 * The open documents, and those with unsaved changes. Stores the base versions of each unsaved copy across a reload of
 * the window: the editor then restores the copy without reading the file, and the server's version may be newer.
 */
export class OpenDocuments implements vscode.Disposable {
  readonly #versionsOf: (authority: string) => EditorVersions;
  readonly #listeners: vscode.Disposable;
  readonly #copies: UnsavedCopies;
  readonly #clock: Clock;
  readonly #edited = new WeakSet<EditedDocument>();
  /** Texts whose content has changed since they were opened. */
  readonly #typed = new WeakSet<vscode.TextDocument>();
  /** The kind of the last announced save of a document, by its address. */
  readonly #announced = new Map<string, CopyKind>();
  /**
   * Notebooks that have just opened and that show what was read before, unless the editor reports unsaved changes of an
   * earlier session next. A change, such as the output of a cell that is still running, may come before that report.
   */
  readonly #showingRead = new WeakSet<EditedDocument>();

  constructor(
    versionsOf: (authority: string) => EditorVersions,
    session: WindowSession,
    { storage, clock = systemClock }: { readonly storage?: vscode.Uri | undefined; readonly clock?: Clock | undefined },
  ) {
    this.#copies = new UnsavedCopies(storage?.fsPath, session);
    this.#clock = clock;
    this.#versionsOf = versionsOf;
    this.#listeners = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      vscode.workspace.onDidOpenNotebookDocument((document) => this.#opened(document)),
      vscode.workspace.onDidChangeTextDocument(({ document, reason, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.#typed.add(document);
        } else {
          this.#findUnknown(document);
        }
        this.#changed(document, reason === vscode.TextDocumentChangeReason.Undo);
      }),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => this.#changed(notebook)),
      vscode.workspace.onWillSaveTextDocument(({ document }) => this.#announced.set(document.uri.toString(), "text")),
      vscode.workspace.onWillSaveNotebookDocument(({ notebook }) => {
        this.#announced.set(notebook.uri.toString(), "notebook");
        // The event of a changed cell can come before the cell has its new text.
        this.#record(notebook, false);
      }),
      // The editor has no change event for saving a notebook. Without this, a reload would treat it as unsaved.
      vscode.workspace.onDidSaveNotebookDocument((notebook) => this.#saved(notebook)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#closed(document)),
      vscode.workspace.onDidCloseNotebookDocument((document) => this.#closed(document)),
      vscode.window.tabGroups.onDidChangeTabs(({ changed }) => this.#tabsChanged(changed)),
    );
  }

  /** Adds the bases of a workspace's unsaved copies from earlier sessions, and follows the changes of bases. */
  restore(authority: string, versions: EditorVersions): void {
    for (const { path, kind, bases } of this.#copies.storedFor(authority)) {
      versions.restore(path, bases, kind);
    }
    versions.observeBases((path, kind) => this.#keep(authority, path, kind));
  }

  /** The open files of one workspace. */
  editorsOf(authority: string): OpenEditors {
    const unsaved = (path: string): readonly CopyKind[] => this.#unsaved(authority, path);
    return {
      isOpen: (path) => documentsAt(authority, path).length > 0 || unsaved(path).length > 0,
      isDirty: (path) => unsaved(path).length > 0,
      unsaved,
      saving: (path, bytes) => this.#saving(authority, path, bytes),
    };
  }

  /** The bytes of a base version of unsaved changes from an earlier session. */
  storedBase(authority: string, path: string, version: ContentVersion): Promise<Uint8Array | undefined> {
    return this.#copies.content(authority, path, version);
  }

  /** Resolves when the bases of all unsaved copies are stored. */
  stored(): Promise<void> {
    return this.#copies.stored();
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  #unsaved(authority: string, path: string): readonly CopyKind[] {
    const versions = this.#versionsOf(authority);
    const documents = documentsAt(authority, path);
    const announced = this.#announcedAt(documents);
    const ofDocuments = documents
      .filter((document) => isUnsaved(document) || versions.isRestored(path, kindOf(document)))
      .map(kindOf);
    const kinds = new Set([...ofDocuments, ...unsavedTabs(authority, path)]);
    const rankOf = (kind: CopyKind): number => (kind === announced ? 0 : kind === "text" ? 1 : 2);
    return [...kinds].toSorted((one, other) => rankOf(one) - rankOf(other));
  }

  #saving(authority: string, path: string, bytes: Uint8Array): readonly SavedCopy[] {
    const documents = documentsAt(authority, path);
    const copies = documents.map((document) => ({
      kind: kindOf(document),
      key: keyOfBytes(document, bytes),
      document,
    }));
    const tabs = unsavedTabs(authority, path).filter((kind) => !copies.some((copy) => copy.kind === kind));
    const all: readonly SavedCopy[] = [...copies, ...tabs.map((kind) => ({ kind }))];
    if (all.length <= 1) {
      return all;
    }
    const same = copies.find(({ kind, document }) => kind === "text" && shows(document, bytes));
    const announced = all.find(({ kind }) => kind === this.#announcedAt(documents));
    const notebook = documents.find(isNotebook);
    if (announced?.kind === "notebook" && same !== undefined && isUnsaved(same.document)) {
      // Both have this content, and each can be based on another version.
      return [announced, same];
    }
    if (announced?.kind === "notebook" && notebook !== undefined && same !== undefined) {
      const content = contentKeys(notebook);
      return [{ ...announced, shown: { kind: same.kind, key: same.key, content } }];
    }
    const known = same ?? announced;
    return known === undefined ? all : [known];
  }

  /** The kind of the last announced save of a path's documents. */
  #announcedAt([document]: readonly EditedDocument[]): CopyKind | undefined {
    return document === undefined ? undefined : this.#announced.get(document.uri.toString());
  }

  #opened(document: EditedDocument): void {
    if (document.uri.scheme !== scheme) {
      return;
    }
    const { versions, path, kind } = this.#at(document);
    const isDirty = isUnsaved(document);
    versions.opened(path, kind, {
      ...{ isDirty, shows: (bytes) => shows(document, bytes), keys: () => contentKeys(document) },
    });
    this.#record(document, false);
    if (!isText(document) && !isDirty && versions.hasOtherRead(path, kind)) {
      this.#showingRead.add(document);
    }
    this.#follow(document);
  }

  /**
   * The editor opens a restored text before it reports the unsaved changes. Without a stored base, the text shows
   * something else than what was read.
   */
  #findUnknown(document: vscode.TextDocument): void {
    if (document.uri.scheme !== scheme || !document.isDirty || this.#typed.has(document)) {
      return;
    }
    const { versions, path, kind } = this.#at(document);
    const bytes = versions.baseContent(path, kind);
    if (!versions.isRestored(path, kind) && bytes !== undefined && !shows(document, bytes)) {
      versions.unknown(path, kind);
    }
  }

  #changed(document: EditedDocument, isUndo = false): void {
    if (document.uri.scheme !== scheme) {
      return;
    }
    const { versions, path, kind } = this.#at(document);
    if (this.#showingRead.delete(document)) {
      versions.becameClean(path, undefined, kind, () => contentKeys(document));
    }
    this.#record(document, isUndo);
    // A revert reports a text as saved before its tab does, and no later event would report it again.
    this.#follow(document, isText(document) ? document.isDirty : isUnsaved(document));
  }

  /**
   * Records the content of a document. The editor doesn't say whether a change of a notebook is an Undo, which is
   * recognized by a content that the notebook has had before, from its opening on.
   */
  #record(document: EditedDocument, isUndo: boolean): void {
    if (document.uri.scheme !== scheme) {
      return;
    }
    const { versions, path, kind } = this.#at(document);
    const hasBases = versions.hasBases(path, kind);
    if (hasBases || !isText(document)) {
      versions.changed(path, kind, { keys: contentKeys(document, hasBases), isUndo });
    }
  }

  #follow(document: EditedDocument, hasChanges = isUnsaved(document)): void {
    const { versions, authority, path, kind } = this.#at(document);
    if (hasChanges) {
      this.#edited.add(document);
      this.#keep(authority, path, kind);
      return;
    }
    const becomeClean = (): void => {
      versions.becameClean(
        path,
        (bytes) => shows(document, bytes),
        kind,
        () => contentKeys(document),
      );
      this.#keep(authority, path, kind);
    };
    const isEdited = this.#edited.delete(document);
    if (isEdited || (isText(document) && !versions.isRestored(path, kind))) {
      becomeClean();
    } else {
      const settle = (): void => {
        // Without a tab, it is unknown whether a notebook of an earlier session has unsaved changes, unless it shows what
        // was read last, as after a revert.
        const isUnknown =
          !this.#showingRead.delete(document) &&
          !isText(document) &&
          versions.isRestored(path, kind) &&
          !hasTab(authority, path, kind) &&
          !versions.showsOtherRead(path, kind, (bytes) => shows(document, bytes));
        if (document.isClosed) {
          return;
        }
        if (isUnsaved(document)) {
          this.#edited.add(document);
          this.#keep(authority, path, kind);
        } else if (!isUnknown) {
          becomeClean();
        }
      };
      this.#clock.schedule(editDelayMs, settle);
    }
  }

  #saved(notebook: vscode.NotebookDocument): void {
    if (notebook.uri.scheme === scheme) {
      const { authority, path, kind } = this.#at(notebook);
      this.#copies.set({ authority, path, kind }, []);
    }
  }

  #closed(document: EditedDocument): void {
    if (document.uri.scheme === scheme) {
      const { versions, authority, path, kind } = this.#at(document);
      const others = documentsAt(authority, path).map(kindOf);
      if (!others.includes(kind)) {
        versions.closed(path, others.length === 0 ? undefined : kind);
        this.#copies.set({ authority, path, kind }, []);
      }
    }
  }

  /** Other editors have no events for the documents that they have saved or reverted. */
  #tabsChanged(changed: readonly vscode.Tab[]): void {
    for (const { input, isDirty } of changed) {
      if (input instanceof vscode.TabInputCustom && input.uri.scheme === scheme && !isDirty) {
        this.#versionsOf(input.uri.authority).becameClean(addressOf(input.uri).path, undefined, "file");
      }
    }
  }

  /** Stores the bases of a copy if it has unsaved changes. */
  #keep(authority: string, path: string, kind: CopyKind): void {
    const versions = this.#versionsOf(authority);
    const isKept = kind !== "file" && this.#unsaved(authority, path).includes(kind);
    this.#copies.set({ authority, path, kind }, isKept ? versions.stored(path, kind) : []);
  }

  #at(document: EditedDocument): {
    readonly versions: EditorVersions;
    readonly authority: string;
    readonly path: string;
    readonly kind: "text" | "notebook";
  } {
    const { uri } = document;
    return {
      versions: this.#versionsOf(uri.authority),
      authority: uri.authority,
      path: addressOf(uri).path,
      kind: kindOf(document),
    };
  }
}

/** The kind of a document's copy. */
export function kindOf(document: EditedDocument): "text" | "notebook" {
  return isText(document) ? "text" : "notebook";
}
