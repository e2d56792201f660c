import { isNotebookPath, parentOf } from "../../api/catalogue/content-path.ts";
import type { CallOptions } from "../../api/client/client.ts";
import { readFileContent } from "../../api/content-server/file-content.ts";
import { phrase } from "../../api/phrase.ts";
import { RequestSharing } from "../../api/request-sharing.ts";
import { cancelledOr, FileError, incomplete, isDirectory, notFound, unreadable } from "../errors.ts";
import type { ExplorerRevalidation } from "../session/explorer-revalidation.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import { isProbe, type NegativeCache } from "../session/negative-cache.ts";
import type { OpenEditors } from "../session/open-documents.ts";
import type { PathLocks } from "../session/path-locks.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import { bigFileIn } from "../session/size-limits.ts";
import type { Admission, LongTransfers } from "../transfer/long-transfers.ts";
import { type ContentVersion, isSameVersion, versionOf, withVersionOf } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import type { FileContent } from "./big-file-reader.ts";
import type { DirectoryReader, MetadataReader } from "./directory-reader.ts";
import type { FoundProblem, NotebookModels } from "./notebook-models.ts";

/** A read that was made for a `stat` and serves the read that follows it. */
interface ReadAhead {
  readonly path: string;
  readonly askedAt: number;
  /** Revision of its folder. Undefined while this window is changing the folder. */
  readonly revision: number | undefined;
  readonly content: Promise<FileContent>;
}

/** Maximum size of a file that is read instead of its metadata, in bytes. */
const maxReadAheadBytes = 1_000_000;
/** Milliseconds within which the read follows its `stat`. The first notebook in a window takes longer to load. */
const readDelaysMs = { notebook: 3_000, other: 1_000 };
/** Milliseconds without reading ahead after the result was not used, because the caller probably only checks files. */
const unwantedMs = 5_000;

interface ContentParts {
  readonly server: ServerRequests;
  readonly locks: PathLocks;
  readonly cache: ListingCache;
  readonly negativeCache: NegativeCache;
  readonly revalidation: ExplorerRevalidation;
  readonly versions: EditorVersions;
  readonly editors: OpenEditors;
  /** Loaded by the first transfer. */
  readonly transfers: () => Promise<LongTransfers>;
  readonly metadata: MetadataReader;
  readonly models: NotebookModels;
  readonly onProblem: (path: string, found: FoundProblem) => void;
  readonly directories: DirectoryReader;
  readonly now: () => number;
}

/** Reads the bytes of one workspace's files. */
export class ContentReader {
  readonly #parts: ContentParts;
  readonly #requests = new RequestSharing<Uint8Array>();
  /** False after the server refused the raw bytes of an existing file. */
  #hasRawFiles = true;
  #ahead: ReadAhead | undefined;

  constructor(parts: ContentParts) {
    this.#parts = parts;
  }

  /** Reads a file's exact bytes. Their version becomes the base version of the editor's copy. */
  async read(path: string): Promise<Uint8Array> {
    const { cache, editors, models, negativeCache, onProblem, revalidation, versions } = this.#parts;
    await this.#refuseAbsent(path);
    if (!editors.isOpen(path)) {
      revalidation.fileOpened(path);
    }
    return this.#requests.run(path, async () => {
      const ahead = await this.#takeAhead(path);
      const askedAt = ahead?.askedAt ?? this.#parts.now();
      const { item, bytes } =
        ahead?.content ?? (await negativeCache.request(path, () => this.#readWhole(path, "toEdit")));
      const version = versionOf(item);
      if (version === undefined) {
        throw incomplete(path);
      }
      versions.read(path, version, editors.isOpen(path), bytes);
      cache.set({ ...item, path }, askedAt);
      const found = models.problemOf(path);
      if (found !== undefined) {
        onProblem(path, found);
      }
      return bytes;
    });
  }

  /** The pending read; undefined if there is none. */
  inFlight(path: string): Promise<Uint8Array> | undefined {
    return this.#requests.inFlight(path);
  }

  /**
   * Reads a file when the editor calls `stat`. When the editor opens a file by a link or command, it calls `stat` first
   * and reads about 100 ms later. (The Explorer does both at once.) For a small file in a cached listing, one read can
   * serve both: it updates the cache for the `stat`, and serves the next read once. Resolves with false if it made no
   * request, or if the request that it shared failed.
   */
  async readAhead(path: string): Promise<boolean> {
    const { cache, locks, negativeCache, revalidation } = this.#parts;
    const hint = cache.hint(path);
    const isModerate =
      hint.type === "present" && hint.item.type !== "directory" && (hint.item.size ?? Infinity) <= maxReadAheadBytes;
    const askedAt = this.#parts.now();
    const last = this.#ahead !== undefined && askedAt - this.#ahead.askedAt < unwantedMs ? this.#ahead : undefined;
    if (last?.path === path) {
      // A file that couldn't be read at that time may exist now.
      return last.content.then(
        () => true,
        () => false,
      );
    }
    if (!isModerate || last !== undefined) {
      return false;
    }
    const content = negativeCache
      .request(path, () => this.#readItem(path))
      .then((read) => {
        cache.set({ ...read.item, path }, askedAt);
        return read;
      });
    // The editor also reads the parent folders before it reads the file.
    revalidation.fileOpened(path);
    this.#ahead = { path, askedAt, revision: locks.revision(parentOf(path)), content };
    await content;
    return true;
  }

  /** The content that was read ahead, if it still seems to be the server's current version. */
  async #takeAhead(path: string): Promise<{ readonly content: FileContent; readonly askedAt: number } | undefined> {
    const { cache, editors, locks } = this.#parts;
    const ahead = this.#ahead;
    const within = readDelaysMs[isNotebookPath(path) ? "notebook" : "other"];
    if (ahead?.path !== path || this.#parts.now() - ahead.askedAt > within) {
      return undefined;
    }
    this.#ahead = undefined;
    const content = await ahead.content.catch(() => undefined);
    const version = content === undefined ? undefined : versionOf(content.item);
    const known = cache.lookUp(path);
    const now = known.type === "present" ? versionOf(known.item) : undefined;
    const isOurs = ahead.revision === undefined || ahead.revision !== locks.revision(parentOf(path));
    const isCurrent = !isOurs && version !== undefined && now !== undefined && isSameVersion(version, now);
    return content === undefined || !isCurrent || editors.isOpen(path)
      ? undefined
      : { content, askedAt: ahead.askedAt };
  }

  /**
   * Reads the server's current bytes and their version without changing the base version of the editor's copy. Throws a
   * FileError if the server does not report the version. `stored`: the file of a notebook that the server converts.
   */
  async peek(
    path: string,
    as: "presented" | "stored" = "presented",
  ): Promise<{ readonly bytes: Uint8Array; readonly version: ContentVersion }> {
    const isStored = as === "stored" && this.#parts.models.problemOf(path)?.isConverted === true;
    const { item, bytes } = await this.#parts.negativeCache.request(path, () =>
      isStored ? this.#readItem(path, {}, as) : this.#readWhole(path, "toLookAt"),
    );
    const version = versionOf(item);
    if (version === undefined) {
      throw incomplete(path);
    }
    return { bytes, version };
  }

  /** Reads large files as raw bytes if the server supports that, and all others in one request. */
  async #readWhole(path: string, purpose: "toEdit" | "toLookAt"): Promise<FileContent> {
    const { server, cache, metadata, models } = this.#parts;
    const big = bigFileIn(cache.hint(path));
    if (big === undefined) {
      return this.#readItem(path);
    }
    const transfers = await this.#parts.transfers();
    const admission: Admission = purpose === "toEdit" ? await transfers.admit(path, big.size) : { type: "open" };
    if (admission.type === "refused") {
      throw new FileError("cancelled", path, phrase`${path} wasn't opened.`);
    }
    const action = admission.type;
    const { readBigFile } = await import("./big-file-reader.ts");
    const content = await transfers.run({ action, path, bytes: big.size }, async (control) => {
      const isRaw = this.#hasRawFiles && !models.includes(path);
      const raw = isRaw
        ? await readBigFile(server, { ...big, path }, () => metadata.statContent(path), control)
        : undefined;
      if (raw?.type === "read" && !models.record(path, raw.content.bytes)) {
        return raw.content;
      }
      const whole = await this.#readItem(path, {
        signal: control.signal,
        // JSON is about a third larger than the bytes.
        onReceived: (bytes, total = big.size * 1.37) => control.onMoved(bytes / total),
      }).catch((error: unknown) => {
        throw cancelledOr(error, path, phrase`Opening ${path} was canceled.`);
      });
      this.#hasRawFiles &&= !(raw?.type === "refused" && raw.isFinal);
      return whole;
    });
    if (admission.type === "download") {
      await admission.save(content.bytes);
    }
    return content;
  }

  /** A file's item and bytes. Throws a FileError for a directory, and for invalid content. */
  async #readItem(path: string, options: CallOptions = {}, as = "presented"): Promise<FileContent> {
    const { models, server } = this.#parts;
    const read = await server.request((client) =>
      as === "stored" ? readFileContent(client, path, options) : models.read(client, path, options),
    );
    switch (read.type) {
      case "file": {
        // Compared with a version without a date, only the hash of the content counts.
        const isHashed = this.#parts.versions.base(path)?.lastModified === "";
        return { item: withVersionOf(read.bytes, read.item, isHashed), bytes: read.bytes };
      }
      case "directory":
        this.#parts.cache.set({ ...read.item, path });
        throw isDirectory(path);
      case "unreadable":
        throw unreadable(path);
    }
  }

  /**
   * Avoids requests for the dozens of missing files that the editor probes. These are read only if the root's listing
   * contains them. All other files are read immediately, because a kernel may have just created them.
   */
  async #refuseAbsent(path: string): Promise<void> {
    const { cache, negativeCache, directories } = this.#parts;
    const hint = cache.hint(path);
    if (!isProbe(path) || hint.type === "present") {
      return;
    }
    if (negativeCache.lookUp(path).type === "unknown") {
      await directories.listOrSet("");
    }
    if (negativeCache.lookUp(path).type === "absent") {
      throw notFound(path);
    }
  }
}
