import * as vscode from "vscode";
import { backgroundClock, type Clock } from "../../api/clock.ts";
import { errorText, withoutName } from "../../tenants/error-text.ts";

const resultScheme = "platform-merge-result";

/**
 * Maximum number of results that no editor shows, and the milliseconds for which they are kept after an editor last
 * showed them.
 */
const maxUnshown = 10;
const unshownRetentionMs = 10 * 60_000;
const expiryIntervalMs = 60_000;

interface MergeResult {
  readonly uri: vscode.Uri;
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly onSave: (bytes: Uint8Array) => Promise<void>;
  /** When an editor last showed it, or when it was written. Milliseconds by the clock. */
  readonly usedAt: number;
}

interface MergeResultsHost {
  readonly clock: Clock;
  readonly isShown: (uri: vscode.Uri) => boolean;
  /** Called when the last result has expired. */
  readonly onEmpty: () => void;
}

/**
 * Documents for the results of the merge editor. The merge editor saves its result as soon as it opens, so the result
 * can't be the file itself. It is written to the file when the user saves it. Results that no editor shows expire after
 * a while, or when there are too many.
 */
export class MergeResults implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #host: MergeResultsHost;
  readonly #results = new Map<string, MergeResult>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  #cancelExpiry = (): void => {};
  readonly onDidChangeFile = this.#changed.event;

  constructor(host: MergeResultsHost) {
    this.#host = host;
  }

  add(uri: vscode.Uri, bytes: Uint8Array, onSave: MergeResult["onSave"]): vscode.Uri {
    const result = uri.with({ scheme: resultScheme });
    const now = this.#host.clock.now();
    this.#results.delete(result.toString());
    this.#results.set(result.toString(), { uri: result, bytes, at: now, onSave, usedAt: now });
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri: result }]);
    this.#expire();
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
    const { at, onSave, ...result } = this.#at(uri);
    try {
      await onSave(bytes);
    } catch (error) {
      throw withoutName(vscode.FileSystemError.Unavailable(errorText(error)));
    }
    const now = this.#host.clock.now();
    this.#results.set(uri.toString(), { ...result, bytes, at: Math.max(now, at + 1), onSave, usedAt: now });
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

  dispose(): void {
    this.#cancelExpiry();
    this.#results.clear();
    this.#changed.dispose();
  }

  #at(uri: vscode.Uri): MergeResult {
    const result = this.#results.get(uri.toString());
    if (result === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return result;
  }

  #expire(): void {
    this.#cancelExpiry();
    const now = this.#host.clock.now();
    for (const [key, result] of this.#results) {
      if (this.#host.isShown(result.uri)) {
        this.#results.set(key, { ...result, usedAt: now });
      }
    }
    const unshown = [...this.#results]
      .toReversed()
      .filter(([, { uri }]) => !this.#host.isShown(uri))
      .toSorted(([, one], [, other]) => other.usedAt - one.usedAt);
    for (const [index, [key, { usedAt }]] of unshown.entries()) {
      if (index >= maxUnshown || now - usedAt >= unshownRetentionMs) {
        this.#results.delete(key);
      }
    }
    if (this.#results.size === 0) {
      this.#host.onEmpty();
    } else {
      this.#cancelExpiry = this.#host.clock.schedule(expiryIntervalMs, () => this.#expire());
    }
  }
}

let results: MergeResults | undefined;

/**
 * Creates a document for the result of a merge, with its initial content. `onSave` is called with the content that the
 * user saves.
 */
export function mergeResultOf(
  uri: vscode.Uri,
  bytes: Uint8Array,
  onSave: (bytes: Uint8Array) => Promise<void>,
): vscode.Uri {
  results ??= registerResults();
  return results.add(uri, bytes, onSave);
}

/** Registers the provider, for as long as there are results. */
function registerResults(): MergeResults {
  const registered = new MergeResults({
    clock: backgroundClock,
    isShown,
    onEmpty: () => {
      registration.dispose();
      registered.dispose();
      results = undefined;
    },
  });
  const registration = vscode.workspace.registerFileSystemProvider(resultScheme, registered, { isCaseSensitive: true });
  return registered;
}

/** True if an editor shows the document. For text files larger than 50 MB, extensions can see only the tab. */
function isShown(uri: vscode.Uri): boolean {
  const wanted = uri.toString();
  const isWanted = (member: unknown): boolean => member instanceof vscode.Uri && member.toString() === wanted;
  return (
    vscode.workspace.textDocuments.some((document) => isWanted(document.uri)) ||
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .some(({ input }) => typeof input === "object" && input !== null && Object.values(input).some(isWanted))
  );
}
