import * as vscode from "vscode";

const resultScheme = "platform-merge-result";

interface MergeResult {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly onSave: (bytes: Uint8Array) => Promise<void>;
}

/**
 * The documents that the editor's merge editor writes results into. It saves what it merges into as soon as it opens, so
 * that must not be the file itself: a result gets to the file when the person saves it.
 */
class MergeResults implements vscode.FileSystemProvider {
  readonly #results = new Map<string, MergeResult>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;

  add(uri: vscode.Uri, bytes: Uint8Array, onSave: MergeResult["onSave"]): vscode.Uri {
    const result = uri.with({ scheme: resultScheme });
    this.#results.set(result.toString(), { bytes, at: Date.now(), onSave });
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: result }]);
    return result;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, at } = this.#at(uri);
    return { type: vscode.FileType.File, ctime: at, mtime: at, size: bytes.byteLength };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#at(uri).bytes;
  }

  async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    const { at, onSave } = this.#at(uri);
    try {
      await onSave(bytes);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
    }
    this.#results.set(uri.toString(), { bytes, at: Math.max(Date.now(), at + 1), onSave });
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    this.#results.delete(uri.toString());
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  #at(uri: vscode.Uri): MergeResult {
    const result = this.#results.get(uri.toString());
    if (result === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return result;
  }
}

let registered: MergeResults | undefined;

/** The address of a new result of a merge of that file, with what it begins with; `onSave` takes what is saved there. */
export function mergeResultOf(
  uri: vscode.Uri,
  bytes: Uint8Array,
  onSave: (bytes: Uint8Array) => Promise<void>,
): vscode.Uri {
  if (registered === undefined) {
    registered = new MergeResults();
    vscode.workspace.registerFileSystemProvider(resultScheme, registered, { isCaseSensitive: true });
  }
  return registered.add(uri, bytes, onSave);
}
