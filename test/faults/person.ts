import { setTimeout as delay } from "node:timers/promises";
import * as vscode from "vscode";
import { parentOf } from "../../src/api/catalogue/content-path.ts";
import { newerVersionOf, overwriteServer } from "../../src/file-system/merge/conflicts.ts";
import { editor, StandInDocument } from "../harness/editor-stand-in/vscode.ts";
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

interface Seen {
  readonly mtime: number;
  readonly size: number;
}

/** Calls a client as the editor does when a user acts: the same calls in the same order. */
export class Person {
  readonly client: FilesClient;
  readonly #open = new Map<string, { readonly document: StandInDocument; seen: Seen }>();

  constructor(client: FilesClient) {
    this.client = client;
  }

  /** Opens a file in an editor and returns its bytes. */
  async open(path: string): Promise<Uint8Array> {
    const { files } = this.client;
    const uri = this.client.uri(path);
    const [bytes, status] = await settled(files.readFile(uri), files.stat(uri));
    const document = new StandInDocument(uri, bytes, path.endsWith(".ipynb"));
    document.save = async () => {
      await this.save(path);
      return true;
    };
    this.#open.set(path, { document, seen: status });
    editor.open(document);
    return bytes;
  }

  /** Restores an editor of an earlier session with unsaved changes, as the editor does after a crash. */
  restore(path: string, bytes: Uint8Array, seen: Seen): void {
    const document = new StandInDocument(this.client.uri(path), bytes, path.endsWith(".ipynb"));
    document.isDirty = true;
    this.#open.set(path, { document, seen });
    editor.open(document);
  }

  type(path: string, bytes: Uint8Array): void {
    const { document } = this.#opened(path);
    document.bytes = bytes;
    editor.setDirty(document, true);
  }

  /**
   * Saves. `overwrite`: the user chose Overwrite in the message for a text, or in the extension's message for a
   * notebook.
   */
  async save(path: string, overwrite = false): Promise<void> {
    const { files } = this.client;
    const opened = this.#opened(path);
    const { document } = opened;
    const newer = overwrite && document.isNotebook ? await newerVersionOf(files, document.uri) : undefined;
    if (newer !== undefined) return overwriteServer(files, document.uri, newer);
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
    await files.writeFile(document.uri, document.bytes, { create: true, overwrite: true }).catch((error: unknown) => {
      throw document.isNotebook && isConflict(error) ? new ModifiedSinceError(path) : error;
    });
    opened.seen = await files.stat(document.uri);
    editor.setDirty(document, false);
    editor.saved(document);
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
  async revert(path: string): Promise<void> {
    const opened = this.#opened(path);
    const [bytes, status] = await settled(
      this.client.files.readFile(opened.document.uri),
      this.client.files.stat(opened.document.uri),
    );
    const wasDirty = opened.document.isDirty;
    opened.document.bytes = bytes;
    opened.seen = status;
    editor.setDirty(opened.document, false);
    // For 100 ms, a newly shown version becomes the base without any event. Users type later than that.
    if (opened.document.isNotebook && !wasDirty) await delay(130);
  }

  close(path: string): void {
    const { document } = this.#opened(path);
    this.#open.delete(path);
    editor.close(document);
  }

  closeAll(): void {
    for (const path of [...this.#open.keys()]) this.close(path);
  }

  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  isDirty(path: string): boolean {
    return this.#open.get(path)?.document.isDirty ?? false;
  }

  bytes(path: string): Uint8Array {
    return this.#opened(path).document.bytes;
  }

  seen(path: string): Seen {
    return this.#opened(path).seen;
  }

  #opened(path: string): { readonly document: StandInDocument; seen: Seen } {
    const opened = this.#open.get(path);
    if (opened === undefined) throw new Error(`${path} is not open`);
    return opened;
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && / was changed on the server since it was opened here\./.test(error.message);
}

/** Both results, or the first failure. A failure of only the other one is never ignored. */
async function settled<A, B>(one: Promise<A>, other: Promise<B>): Promise<readonly [A, B]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
