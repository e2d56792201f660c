import type { CallOptions, RawAnswer } from "../api/client.ts";
import { bytesOf, inferType } from "../api/content-types.ts";
import { childrenOf } from "../api/contents.ts";
import { hasStatus, type PlatformError } from "../api/errors.ts";
import { memberText } from "../api/json-member.ts";
import type { ContentItem } from "../api/models/contents.ts";
import { getContent } from "../api/operations/contents.ts";
import { parentOf } from "../api/paths.ts";
import type { FileContent } from "./big-file-reading.ts";
import { bigFileIn } from "./big-files.ts";
import { type ContentVersion, isSameVersion, timeOf, versionOf } from "./content-version.ts";
import { FileFault, incomplete, isDirectory, named, notFound, unreadable } from "./file-fault.ts";
import { type FileStatus, kindOf, statusOf } from "./file-status.ts";
import { type Knowledge, ListingCache } from "./listing-cache.ts";
import type { Admission } from "./long-transfers.ts";
import type { WorkspaceSession } from "./workspace-session.ts";

/** A metadata read that was made for a save: it spares the write its own. */
interface SaveCheck {
  readonly item: ContentItem | undefined;
  readonly at: number;
}

/** How long a `stat` waits for the read that the editor sends along with it, in milliseconds. */
const readComesWithin = 8;
/** How old what is known of an open, unchanged file may be before a `stat` asks the server again. */
const openFileFreshFor = 1_000;
/** The same for a file with unsaved changes: the second `stat` of one gesture is answered, a later one asks. */
const dirtyFileFreshFor = 200;
/** How long the look at the server that the editor takes before a save serves the write that follows it. */
const checkServesFor = 1_500;
/** Expanding a folder asks for it twice in a row; a person who refreshes later wants to see what is there now. */
const listingFreshFor = 400;
/** A window that opens asks again and again: within its first seconds a listing serves longer. */
const openingTakes = 10_000;
const listingFreshWhileOpening = 2_500;

/** Reads, listings and metadata of one workspace, at the request costs that the listing cache makes possible. */
export class FileReading {
  readonly #session: WorkspaceSession;
  readonly #checks = new Map<string, SaveCheck>();
  readonly #startedAt = Date.now();
  /** False once the server turned out to give no raw bytes of a file that it has. */
  #hasRawFiles = true;

  constructor(session: WorkspaceSession) {
    this.#session = session;
  }

  /** The metadata of a path. For a file with unsaved changes it is the server's of this moment. */
  async status(path: string): Promise<FileStatus> {
    const { editors, versions } = this.#session;
    if (!editors.isOpen(path)) {
      return statusOf(path, await this.#known(path));
    }
    const isDirty = editors.isDirty(path);
    await this.#session.underWay(`read ${path}`)?.catch(() => undefined);
    const recent = this.#session.cache.lookUp(path, isDirty ? dirtyFileFreshFor : openFileFreshFor);
    const item = recent.type === "present" ? recent.item : await this.check(path);
    if (isDirty && recent.type !== "present") {
      this.#checks.set(path, { item, at: Date.now() });
    }
    if (item === undefined) {
      throw notFound(path);
    }
    const status = statusOf(path, item);
    const base = versions.base(path);
    const server = versionOf(item);
    if (!isDirty || base === undefined || server === undefined || isSameVersion(base, server)) {
      // The person has dealt with the server's version already, as by a merge: the editor need not ask about it again.
      const held = isDirty ? versions.heldByEditor(path) : undefined;
      return held === undefined ? status : { ...status, modified: Math.min(status.modified, timeOf(held)) };
    }
    // The editor takes two versions of one size, or of one moment, for the same: it is shown a difference in both.
    versions.reportConflict(path, server);
    return {
      ...status,
      size: server.size === base.size ? server.size + 1 : server.size,
      modified: Math.max(status.modified, timeOf(base) + 1),
    };
  }

  /** The names and types in a directory. */
  async directory(path: string): Promise<readonly { readonly name: string; readonly type: FileStatus["type"] }[]> {
    const known = this.#session.cache.lookUp(path);
    if (known.type === "present" && known.item.type !== "directory") {
      throw new FileFault("notDirectory", path, `${path} is no directory.`);
    }
    const maximumAge = this.#session.takesListingAgain(path) ? Number.POSITIVE_INFINITY : this.#listingFreshFor();
    const listing = this.#session.cache.listing(path, maximumAge) ?? (await this.list(path));
    return listing.children.map((child) => ({ name: child.name, type: kindOf(child) }));
  }

  #listingFreshFor(): number {
    return Date.now() - this.#startedAt < openingTakes ? listingFreshWhileOpening : listingFreshFor;
  }

  /** The directory's listing of this moment. */
  list(path: string): Promise<{ readonly directory: ContentItem; readonly children: readonly ContentItem[] }> {
    return this.#session.share(`list ${path}`, async () => {
      const askedAt = Date.now();
      let etag: string | undefined;
      const onAnswered = ({ headers }: RawAnswer): void => {
        etag = headers.etag;
      };
      const item = await this.#absentOr404(path, () =>
        this.#session.request((client) => client.call(getContent, { path, content: 1 }, { onAnswered })),
      ).catch((error: unknown) => this.#unlessFile(path, error));
      if (item.type !== "directory") {
        this.#session.cache.learn(item, askedAt);
        throw new FileFault("notDirectory", path, `${named(path)} is no directory.`);
      }
      const children = childrenOf(item);
      this.#session.cache.learnListing({ ...item, path }, children, askedAt, { etag });
      return { directory: item, children };
    });
  }

  /** A file whose content the server cannot read, as a broken notebook, is still no directory. */
  async #unlessFile(path: string, error: unknown): Promise<ContentItem> {
    const item = hasStatus(error, 400) ? await this.check(path) : undefined;
    if (item === undefined) {
      throw error;
    }
    return item;
  }

  /** A file's exact bytes. What came is the version that the editor's copy is of. */
  async read(path: string): Promise<Uint8Array> {
    await this.#refuseAbsent(path);
    if (!this.#session.editors.isOpen(path)) {
      this.#session.opened(path);
    }
    return this.#session.share(`read ${path}`, async () => {
      const askedAt = Date.now();
      const { item, bytes } = await this.#absentOr404(path, () => this.#readWhole(path, "toEdit"));
      const version = versionOf(item);
      if (version === undefined) {
        throw incomplete(path);
      }
      this.#session.versions.read(path, version, this.#session.editors.isOpen(path), bytes);
      this.#session.cache.learn({ ...item, path }, askedAt);
      return bytes;
    });
  }

  /** The server's bytes of this moment, to look at: the version that the editor's copy came from stays what it is. */
  async peek(path: string): Promise<Uint8Array> {
    return (await this.peekVersion(path)).bytes;
  }

  /** The same with the version that they are; throws a FileFault where the server does not tell it. */
  async peekVersion(path: string): Promise<{ readonly bytes: Uint8Array; readonly version: ContentVersion }> {
    const { item, bytes } = await this.#absentOr404(path, () => this.#readWhole(path, "toLookAt"));
    const version = versionOf(item);
    if (version === undefined) {
      throw incomplete(path);
    }
    return { bytes, version };
  }

  /** A file that is known to be big is read as raw bytes where the server has them, any other one in one request. */
  async #readWhole(path: string, purpose: "toEdit" | "toLookAt"): Promise<FileContent> {
    const big = bigFileIn(this.#session.cache.lookUp(path, Number.POSITIVE_INFINITY));
    if (big === undefined) {
      return this.#readItem(path);
    }
    const { transfers } = this.#session;
    const admission: Admission = purpose === "toEdit" ? await transfers.admit(path, big.size) : { type: "open" };
    if (admission.type === "refused") {
      throw new FileFault("cancelled", path, `${path} was not opened.`);
    }
    const action = admission.type;
    const { cancelledOr, readBigFile } = await import("./big-file-reading.ts");
    const content = await transfers.run({ action, path, bytes: big.size }, async (control) => {
      const raw = this.#hasRawFiles
        ? await readBigFile(this.#session, { ...big, path }, () => this.check(path), control)
        : undefined;
      if (raw?.type === "read") {
        return raw.content;
      }
      const whole = await this.#readItem(path, {
        signal: control.signal,
        // As JSON it takes a third more than its bytes.
        onReceived: (bytes, total = big.size * 1.37) => control.onMoved(bytes / total),
      }).catch((error: unknown) => {
        throw cancelledOr(error, path, `Opening ${path} was cancelled.`);
      });
      this.#hasRawFiles &&= !(raw?.type === "refused" && raw.isFinal);
      return whole;
    });
    if (admission.type === "download") {
      await admission.keep(content.bytes);
    }
    return content;
  }

  async #readItem(path: string, options: CallOptions = {}): Promise<FileContent> {
    try {
      const item = await this.#session.request((client) =>
        client.call(getContent, { path, content: 1, type: "file", hash: 1 }, options),
      );
      const bytes = item.type === "directory" ? undefined : bytesOf(item);
      if (bytes === undefined) {
        throw item.type === "directory" ? isDirectory(path) : unreadable(path);
      }
      return { item, bytes };
    } catch (error) {
      if (!hasStatus(error, 400)) {
        throw error;
      }
      return this.#readOtherwise(path, error);
    }
  }

  /** After a server has refused the item as a file: it is a directory, or a notebook that it gives as one only. */
  async #readOtherwise(path: string, refusal: PlatformError): Promise<FileContent> {
    const item = await this.#session.request((client) => client.call(getContent, { path, content: 0 }));
    if (item.type === "directory") {
      this.#session.cache.learn(item);
      throw isDirectory(path);
    }
    if (inferType(path).type !== "notebook") {
      throw refusal;
    }
    const answer = await this.#session.request((client) =>
      client.raw(getContent, { path, content: 1, format: "json" }),
    );
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(answer.body);
    const notebook = answer.status === 200 ? memberText(text, "content") : undefined;
    if (notebook === undefined || notebook === "null") {
      throw refusal;
    }
    return { item, bytes: new TextEncoder().encode(notebook) };
  }

  /** What is known well enough to answer with; folders that the editor looks at once more are as it last saw them. */
  #seen(path: string): Knowledge {
    const { cache } = this.#session;
    const before = cache.lookUp(path, Number.POSITIVE_INFINITY);
    const isFolder = before.type === "present" && before.item.type === "directory";
    const isAgain = (isFolder || isProbe(path)) && this.#session.isLookedAtAgain(path);
    return isAgain ? before : cache.lookUp(path);
  }

  /** The server's metadata of this moment; undefined for a real 404. A write that follows at once makes use of it. */
  async check(path: string): Promise<ContentItem | undefined> {
    return this.#session.share(`check ${path}`, async () => {
      const askedAt = Date.now();
      const item = await this.#metadata(path);
      if (item === undefined) {
        this.#session.cache.learnAbsent(path, askedAt);
      } else {
        this.#session.cache.learn({ ...item, path }, askedAt);
        const version = versionOf(item);
        if (version !== undefined) {
          this.#session.versions.complete(path, version);
        }
      }
      return item;
    });
  }

  /** The look at the server that the editor's `stat` before this write has just taken, else a new one. */
  async checkForWrite(path: string): Promise<ContentItem | undefined> {
    const check = this.#checks.get(path);
    this.#checks.delete(path);
    if (check !== undefined && Date.now() - check.at <= checkServesFor) {
      return check.item;
    }
    const item = await this.check(path);
    this.#checks.delete(path);
    return item;
  }

  async #metadata(path: string): Promise<ContentItem | undefined> {
    const before = this.#session.cache.lookUp(path, Number.POSITIVE_INFINITY);
    const asFile = before.type !== "present" || before.item.type !== "directory";
    // Servers read the whole file for its hash, and asking for a directory's is an error on real ones.
    const hash = bigFileIn(before) === undefined ? { hash: 1 as const } : {};
    try {
      return await this.#session.request((client) =>
        client.call(getContent, asFile ? { path, content: 0, type: "file", ...hash } : { path, content: 0 }),
      );
    } catch (error) {
      if (hasStatus(error, 404)) {
        return undefined;
      }
      if (asFile && hasStatus(error, 400)) {
        return this.#session.request((client) => client.call(getContent, { path, content: 0 }));
      }
      throw error;
    }
  }

  /** What is known of a path that no editor holds: from the cache, else from its directory's listing. */
  async #known(path: string): Promise<ContentItem> {
    const atOnce = this.#seen(path);
    if (atOnce.type === "present") {
      return atOnce.item;
    }
    if (atOnce.type === "absent" && isProbe(path)) {
      throw notFound(path);
    }
    // The editor sends the read of a file along with its `stat`: one request answers both.
    await new Promise((resolve) => setTimeout(resolve, readComesWithin));
    await Promise.allSettled([
      this.#session.underWay(`read ${path}`),
      this.#session.underWay(`list ${parentOf(path)}`),
    ]);
    const find = (): ContentItem | undefined => {
      const known = this.#session.cache.lookUp(path);
      if (known.type === "absent") {
        throw notFound(path);
      }
      return known.type === "present" ? known.item : undefined;
    };
    const afterwards = find();
    if (afterwards !== undefined) {
      return afterwards;
    }
    if (path === "") {
      return (await this.list("")).directory;
    }
    for (const directory of this.#worthListing(path)) {
      await this.#listOrLearn(directory);
      const listed = find();
      if (listed !== undefined) {
        return listed;
      }
    }
    const item = await this.check(path);
    if (item === undefined) {
      throw notFound(path);
    }
    return item;
  }

  /** The root tells of most things that are not there; a directory that was seen before is asked for directly. */
  #worthListing(path: string): readonly string[] {
    const parent = parentOf(path);
    const seen = this.#session.cache.lookUp(parent, Number.POSITIVE_INFINITY);
    const isRootFresh = this.#session.cache.listing("", ListingCache.freshFor) !== undefined;
    return parent === "" || isRootFresh || seen.type === "present" ? [parent] : ["", parent];
  }

  async #listOrLearn(directory: string): Promise<void> {
    try {
      await this.list(directory);
    } catch (error) {
      const isAbsent = error instanceof FileFault && (error.kind === "notFound" || error.kind === "notDirectory");
      if (!isAbsent) {
        throw error;
      }
    }
  }

  /**
   * Spares the server the dozens of files that the editor looks for and that are not there: they are read only when the
   * root's listing has them. What was seen before is read at once, and so is anything else: a kernel may just have made it.
   */
  async #refuseAbsent(path: string): Promise<void> {
    const { cache } = this.#session;
    const hint = cache.lookUp(path, Number.POSITIVE_INFINITY);
    if (!isProbe(path) || hint.type === "present") {
      return;
    }
    if (this.#seen(path).type === "unknown") {
      await this.#listOrLearn("");
    }
    if (this.#seen(path).type === "absent") {
      throw notFound(path);
    }
  }

  async #absentOr404<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (hasStatus(error, 404)) {
        this.#session.cache.learnAbsent(path);
        throw notFound(path);
      }
      throw error;
    }
  }
}

/**
 * A path of the kind that the editor tries without anybody having named it. Seen in a window of VS Code 1.139 that opens
 * on a folder, and then opens files of nine languages: `.vscode/*`, `.mcp.json`, `.claude/*`, `.github/agents`,
 * `.github/copilot/*`, `.vimrc`, `.config/nvim/*`, `.local/share/JetBrains/*`, `eclipse/eclipse`. All but the last, which is
 * looked for only once, have a dot in front.
 */
function isProbe(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith("."));
}
