import * as vscode from "vscode";
import { parentOf } from "../../src/api/catalogue/content-path.ts";
import {
  createAgain,
  mergeWithServer,
  newerVersionOf,
  overwriteServer,
} from "../../src/file-system/merge/conflicts.ts";
import { editDelayMs } from "../../src/file-system/session/open-documents.ts";
import { editor, StandInDocument, TabInputNotebook, window } from "../harness/editor-stand-in/vscode.ts";
import type { FilesClient } from "./client.ts";

/**
 * The file differs from the one that the editor opened: the message of the editor, or of the extension, offers Compare
 * and Overwrite.
 */
export class ModifiedSinceError extends Error {
  override readonly name = "ModifiedSinceError";
  constructor(path: string) {
    super(`Failed to save '${path}': The content of the file is newer.`);
  }
}

/** The editor in which a file is open. A notebook can also be open as a text. */
export type EditorKind = "text" | "notebook";

function usualEditor(path: string): EditorKind {
  return path.endsWith(".ipynb") ? "notebook" : "text";
}

interface Opened {
  readonly path: string;
  readonly document: StandInDocument;
  seen: Seen;
  /** True if the extension, not the editor, has shown the conflict. Its message offers Overwrite, too. */
  isRefused?: boolean;
}

interface Seen {
  readonly mtime: number;
  readonly size: number;
}

/** Calls a client as the editor does when a user acts: the same calls in the same order. */
export class Person {
  readonly client: FilesClient;
  /** Restored notebooks that the editor doesn't yet report as unsaved. */
  readonly #restored = new Set<StandInDocument>();
  readonly #open = new Map<string, Opened>();

  constructor(client: FilesClient) {
    this.client = client;
  }

  /** Opens a file in an editor and returns its bytes. */
  async open(path: string, kind = usualEditor(path)): Promise<Uint8Array> {
    const { files } = this.client;
    const uri = this.client.uri(path);
    const [bytes, status] = await settled(files.readFile(uri), files.stat(uri));
    this.#show(path, kind, bytes, status);
    return bytes;
  }

  #show(path: string, kind: EditorKind, bytes: Uint8Array, seen: Seen): StandInDocument {
    const document = new StandInDocument(this.client.uri(path), bytes, kind === "notebook");
    document.save = async () => {
      await this.save(path, false, kind);
      return true;
    };
    this.#open.set(keyOf(path, kind), { path, document, seen });
    editor.open(document);
    return document;
  }

  /** Restores an editor of an earlier session with unsaved changes, as the editor does after a crash. */
  restore(path: string, bytes: Uint8Array, seen: Seen, kind = usualEditor(path)): void {
    const document = this.#show(path, kind, bytes, seen);
    editor.setDirty(document, true);
  }

  /**
   * Restores a notebook as the editor does: extensions see it without unsaved changes until it is edited. Only its tab,
   * if there is one, shows them.
   */
  restoreNotebook(path: string, bytes: Uint8Array, seen: Seen, { hasTab }: { readonly hasTab: boolean }): void {
    if (hasTab) editor.showTabs({ input: new TabInputNotebook(this.client.uri(path)), isDirty: true });
    const document = this.#show(path, "notebook", bytes, seen);
    // No content of it was saved: unlike after a save, the editor doesn't find it unchanged if the user undoes all changes.
    document.saved = undefined;
    this.#restored.add(document);
  }

  type(path: string, bytes: Uint8Array, kind = usualEditor(path)): void {
    editor.edit(this.#opened(path, kind).document, bytes);
  }

  /** Returns false if there is nothing to undo. */
  undo(path: string, kind = usualEditor(path)): boolean {
    return editor.undo(this.#opened(path, kind).document);
  }

  /** Merges the server's version into the editor's. */
  merge(path: string): Promise<void> {
    return mergeWithServer(this.client.files, this.client.uri(path));
  }

  /**
   * Saves. `overwrite`: the user chose Overwrite in the message for a text, or in the extension's message for a
   * notebook.
   */
  async save(path: string, overwrite = false, kind = usualEditor(path)): Promise<void> {
    const { files } = this.client;
    const opened = this.#opened(path, kind);
    const { document } = opened;
    const newer = overwrite ? await newerVersionOf(files, document.uri) : undefined;
    if (newer === "missing") return createAgain(files, document.uri);
    if (newer !== undefined && (document.isNotebook || opened.isRefused === true)) {
      return overwriteServer(files, document.uri, newer);
    }
    editor.announceSave(document, 1);
    // A user reads the message before choosing Overwrite, which takes longer than a status is reused.
    if (overwrite) this.client.time.pass(250);
    // The editor treats any failure here as a missing file, because it knows nothing better.
    const status = await files.stat(document.uri).then(
      (found) => found,
      () => undefined,
    );
    if (status === undefined) {
      await this.#makeParents(path);
    } else if (!overwrite && status.mtime > opened.seen.mtime && status.size !== opened.seen.size) {
      const isSame =
        status.size === document.bytes.byteLength &&
        Buffer.compare(await files.readFile(document.uri), document.bytes) === 0;
      if (!isSame) throw new ModifiedSinceError(path);
    }
    const written = document.bytes;
    await files.writeFile(document.uri, written, { create: true, overwrite: true }).catch((error: unknown) => {
      opened.isRefused = isConflict(error);
      throw document.isNotebook && isConflict(error) ? new ModifiedSinceError(path) : error;
    });
    opened.seen = await files.stat(document.uri);
    opened.isRefused = false;
    this.#becameClean(document);
    // The person may have changed the content during the save.
    editor.setDirty(document, document.bytes !== written);
    editor.saved(document);
  }

  #becameClean(document: StandInDocument): void {
    const isRestored = this.#restored.delete(document);
    if (isRestored && this.#isInTab(document)) {
      editor.showTabs({ input: new TabInputNotebook(document.uri), isDirty: false });
    }
  }

  #isInTab({ uri }: StandInDocument): boolean {
    const [group] = window.tabGroups.all;
    return group.tabs.some(({ input }) => input.uri.toString() === uri.toString());
  }

  /** The editor creates the missing folders of a file that it writes. */
  async #makeParents(path: string): Promise<void> {
    const { files } = this.client;
    const missing: string[] = [];
    for (let parent = parentOf(path); parent !== ""; parent = parentOf(parent)) {
      try {
        const status = await files.stat(this.client.uri(parent));
        if (status.type !== vscode.FileType.Directory) throw vscode.FileSystemError.FileNotADirectory(parent);
        break;
      } catch (error) {
        if (!(error instanceof vscode.FileSystemError && error.code === "FileNotFound")) throw error;
        missing.unshift(parent);
      }
    }
    for (const parent of missing) {
      await files.createDirectory(this.client.uri(parent)).catch((error: unknown) => {
        if (!(error instanceof vscode.FileSystemError && error.code === "FileExists")) throw error;
      });
    }
  }

  /** Discards the changes and loads the server's version. */
  async revert(path: string, kind = usualEditor(path)): Promise<void> {
    const opened = this.#opened(path, kind);
    const { files } = this.client;
    const [status, bytes] = await settled(files.stat(opened.document.uri), files.readFile(opened.document.uri));
    const wasDirty = opened.document.isDirty;
    opened.seen = status;
    this.#becameClean(opened.document);
    editor.reload(opened.document, bytes);
    // Until then, a newly shown version becomes the base without any event. Users type later than that.
    if (opened.document.isNotebook && !wasDirty) this.client.time.pass(editDelayMs);
  }

  close(path: string, kind = usualEditor(path)): void {
    const { document } = this.#opened(path, kind);
    this.#open.delete(keyOf(path, kind));
    if (this.#restored.delete(document) && this.#isInTab(document)) editor.showTabs();
    editor.close(document);
  }

  closeAll(): void {
    for (const { path, document } of [...this.#open.values()]) {
      this.close(path, document.isNotebook ? "notebook" : "text");
    }
    editor.showTabs();
  }

  isOpen(path: string, kind = usualEditor(path)): boolean {
    return this.#open.has(keyOf(path, kind));
  }

  isDirty(path: string, kind = usualEditor(path)): boolean {
    const document = this.#open.get(keyOf(path, kind))?.document;
    return document !== undefined && (document.isDirty || this.#restored.has(document));
  }

  bytes(path: string, kind = usualEditor(path)): Uint8Array {
    return this.#opened(path, kind).document.bytes;
  }

  seen(path: string, kind = usualEditor(path)): Seen {
    return this.#opened(path, kind).seen;
  }

  #opened(path: string, kind: EditorKind): Opened {
    const opened = this.#open.get(keyOf(path, kind));
    if (opened === undefined) throw new Error(`${path} is not open`);
    return opened;
  }
}

function keyOf(path: string, kind: EditorKind): string {
  return `${kind} ${path}`;
}

function isConflict(error: unknown): boolean {
  return (
    error instanceof Error &&
    / was changed on the server since (it was opened here|you opened it)\./.test(error.message)
  );
}

/** Both results, or the first failure. A failure of only the other one is never ignored. */
async function settled<A, B>(one: Promise<A>, other: Promise<B>): Promise<readonly [A, B]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
