import * as vscode from "vscode";
import { type DocumentAddress, type DocumentKind, documentAddressOf, documentScheme } from "./document-address.ts";

/** Where the text of one kind of document comes from and, where it can be saved, goes to. */
export interface DocumentSource {
  read(address: DocumentAddress, uri: vscode.Uri): Promise<string>;
  /** Throws with the reason when it is not saved. Absent: the document is read-only. */
  write?(address: DocumentAddress, text: string, uri: vscode.Uri): Promise<void>;
}

export type DocumentSources = Readonly<Record<DocumentKind, DocumentSource>>;

interface Known {
  readonly text: string;
  readonly changed: number;
}

/** JSON of the platform as documents of the editor, some of which save back. */
export class PlatformDocuments implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #sources: DocumentSources;
  readonly #known = new Map<string, Known>();
  /** The editor asks for status and text at the same moment: one read answers both. */
  readonly #reading = new Map<string, Promise<Known>>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;

  readonly onDidChangeFile = this.#changed.event;

  constructor(sources: DocumentSources) {
    this.#sources = sources;
    this.#registration = vscode.workspace.registerFileSystemProvider(documentScheme, this, { isCaseSensitive: true });
  }

  /** The editor reads the document again, unless the person has changed it. */
  reload(uri: vscode.Uri): void {
    this.#known.delete(uri.toString());
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { source } = this.#resolve(uri);
    const { text, changed } = this.#known.get(uri.toString()) ?? (await this.#read(uri));
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: changed,
      size: Buffer.byteLength(text),
      ...(source.write === undefined ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.#read(uri)).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { address, source } = this.#resolve(uri);
    if (source.write === undefined) {
      throw vscode.FileSystemError.NoPermissions(vscode.l10n.t("{0} is read-only.", address.title));
    }
    const text = Buffer.from(content).toString("utf8");
    try {
      await source.write(address, text, uri);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
    }
    this.#known.set(uri.toString(), { text, changed: Date.now() });
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    vscode.Disposable.from(this.#registration, this.#changed).dispose();
  }

  #read(uri: vscode.Uri): Promise<Known> {
    const key = uri.toString();
    const reading = this.#reading.get(key) ?? this.#readFresh(uri, key).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #readFresh(uri: vscode.Uri, key: string): Promise<Known> {
    const { address, source } = this.#resolve(uri);
    let text: string;
    try {
      text = await source.read(address, uri);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(error instanceof Error ? error.message : String(error));
    }
    const before = this.#known.get(key);
    const known = before?.text === text ? before : { text, changed: Date.now() };
    this.#known.set(key, known);
    return known;
  }

  #resolve(uri: vscode.Uri): { readonly address: DocumentAddress; readonly source: DocumentSource } {
    const address = documentAddressOf(uri);
    if (address === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return { address, source: this.#sources[address.kind] };
  }
}
