import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { RequestSharing } from "../../api/request-sharing.ts";
import { errorText, withoutName } from "../../tenants/error-text.ts";
import { type DocumentAddress, documentAddressOf, documentScheme } from "./document-address.ts";

/** Reads the content of one kind of document and, if it can be saved, writes it. */
export interface DocumentSource {
  read(address: DocumentAddress, uri: vscode.Uri): Promise<string | Uint8Array>;
  /** Throws with the reason if it can't be saved. Absent: the document is read-only. */
  write?(address: DocumentAddress, text: string, uri: vscode.Uri): Promise<void>;
}

/** Sources by the kind of their documents. */
export type DocumentSources = Readonly<Record<string, DocumentSource>>;

/** Tells the editor to read a document again. */
export type DocumentReload = Pick<PlatformDocuments, "reload">;

/** The stored state of a document. The editor itself keeps the content. */
interface Known {
  readonly size: number;
  readonly digest: string;
  readonly changed: number;
}

interface Read {
  readonly content: Uint8Array;
  readonly known: Known;
}

/** Documents of the editor with content from the platform. Some of them can be saved. */
export class PlatformDocuments implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #sources = new Map<string, DocumentSource>();
  readonly #known = new Map<string, Known>();
  /** The editor requests status and text at the same time. One read serves both. */
  readonly #reading = new RequestSharing<Read>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #registration: vscode.Disposable;

  readonly onDidChangeFile = this.#changed.event;

  constructor() {
    this.#registration = vscode.workspace.registerFileSystemProvider(documentScheme, this, { isCaseSensitive: true });
  }

  /** Adds kinds of documents. Throws for a kind that exists. */
  add(sources: DocumentSources): void {
    for (const [kind, source] of Object.entries(sources)) {
      if (this.#sources.has(kind)) {
        throw new Error(`there are two sources for documents of the kind ${kind}`);
      }
      this.#sources.set(kind, source);
    }
  }

  /** The addresses of all documents that the editor has read. */
  get read(): Iterable<string> {
    return this.#known.keys();
  }

  /** Makes the editor read the document again, unless the user has changed it. */
  reload(uri: vscode.Uri): void {
    this.#known.delete(uri.toString());
    this.#reading.renew(uri.toString());
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { source } = this.#resolve(uri);
    const { size, changed } = this.#known.get(uri.toString()) ?? (await this.#read(uri)).known;
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: changed,
      size,
      ...(source.write === undefined ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#read(uri)).content;
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
      throw withoutName(vscode.FileSystemError.Unavailable(errorText(error)));
    }
    this.#reading.renew(uri.toString());
    this.#known.set(uri.toString(), knownOf(content));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  readonly createDirectory = refuse;
  readonly delete = refuse;
  readonly rename = refuse;

  dispose(): void {
    vscode.Disposable.from(this.#registration, this.#changed).dispose();
  }

  #read(uri: vscode.Uri): Promise<Read> {
    const key = uri.toString();
    return this.#reading.run(key, (isRenewed) => this.#readFresh(uri, key, isRenewed));
  }

  /** `isRenewed`: whether the document was reloaded or saved after the read began. */
  async #readFresh(uri: vscode.Uri, key: string, isRenewed: () => boolean): Promise<Read> {
    const { address, source } = this.#resolve(uri);
    let content: Uint8Array;
    try {
      const read = await source.read(address, uri);
      content = typeof read === "string" ? Buffer.from(read) : read;
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(errorText(error));
    }
    const before = this.#known.get(key);
    const fresh = knownOf(content);
    const known = before?.digest === fresh.digest ? before : fresh;
    if (!isRenewed()) {
      this.#known.set(key, known);
    }
    return { content, known };
  }

  #resolve(uri: vscode.Uri): { readonly address: DocumentAddress; readonly source: DocumentSource } {
    const address = documentAddressOf(uri);
    const source = address === undefined ? undefined : this.#sources.get(address.kind);
    if (address === undefined || source === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return { address, source };
  }
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}

function knownOf(content: Uint8Array): Known {
  const digest = createHash("sha256").update(content).digest("base64");
  return { size: content.byteLength, digest, changed: Date.now() };
}
