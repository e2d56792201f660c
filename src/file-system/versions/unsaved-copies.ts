import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { inParallel } from "../../api/content-server/concurrency.ts";
import { replaceFile } from "../../api/file-replacement.ts";
import { isRunning, type SessionOwner, type WindowSession } from "../session/window-session.ts";
import { type ContentVersion, isSameVersion } from "./content-version.ts";
import type { CopyKind, StoredBase } from "./editor-versions.ts";

/** Milliseconds until an entry is deleted. A backup may be restored much later. */
const retentionMs = 90 * 24 * 60 * 60_000;

/** Milliseconds within which further changes of a copy are stored together. */
const storeDelayMs = 200;

/** A stored copy. `content` is the name of the file with the bytes of a base. */
interface StoredEntry extends Copy {
  readonly owner: SessionOwner;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  readonly bases: readonly {
    readonly key?: string | undefined;
    readonly version: ContentVersion;
    readonly held?: ContentVersion | undefined;
    readonly content?: string | undefined;
  }[];
}

/** An entry of an earlier session or another window. */
interface FoundEntry extends StoredEntry {
  /** True if the session had ended when this window began. One that ends later may be reloading, and needs its entry. */
  readonly hasEnded: boolean;
}

/** A copy in an editor of a workspace. */
interface Copy {
  readonly authority: string;
  readonly path: string;
  readonly kind: CopyKind;
}

/**
 * Stores the base versions of unsaved copies across a reload of the window, with their bytes, so that the changes can
 * still be saved and merged. Each copy of each window has its own file, because windows with the same storage don't see
 * each other's changes of it. Errors are ignored: without a base, a save asks.
 */
export class UnsavedCopies {
  readonly #directory: string | undefined;
  readonly #session: WindowSession;
  /** The entries of earlier sessions and other windows by the copy, and by their file's name. */
  readonly #found = new Map<string, Map<string, FoundEntry>>();
  /** The bases that this window has stored or is about to store, by the file's name. */
  readonly #kept = new Map<string, readonly StoredBase[]>();
  /** Names of files with bytes, by address and version. */
  readonly #contents = new Map<string, string>();
  #storing: Promise<void> = Promise.resolve();
  #isAwaited = false;
  #endWait: () => void = () => {};
  readonly #changed = new Map<string, Copy>();

  constructor(storage: string | undefined, session: WindowSession) {
    this.#directory = storage === undefined ? undefined : join(storage, "unsaved");
    this.#session = session;
    if (this.#directory !== undefined) {
      this.#load(this.#directory);
    }
  }

  /**
   * The stored copies of a workspace. A path may have several, from several windows, and any of them may be the one that
   * this window restores. If they have different bases, only those of recorded contents are known: with another one, even
   * an older one, a save or a merge could undo what the user has not seen.
   */
  storedFor(authority: string): readonly (Copy & { readonly bases: readonly StoredBase[] })[] {
    const all = [...this.#found.values()].map((entries) => [...entries.values()]);
    return all
      .filter(([first]) => first?.authority === authority)
      .flatMap((ofCopy) =>
        ofCopy.map((entry) => ({ ...entry, bases: entry.bases.filter((base) => !isDoubtful(base, ofCopy)) })),
      );
  }

  /** Stores the bases of a copy. An empty list removes it. */
  set(copy: Copy, bases: readonly StoredBase[]): void {
    const name = this.#nameOf(copy, this.#session.owner);
    const before = this.#kept.get(name) ?? [];
    const isSame =
      before.length === bases.length &&
      bases.every(({ key, version, held }, index) => {
        const known = before[index];
        return known?.key === key && known?.version === version && known.held === held;
      });
    if (isSame && (bases.length > 0 || !this.#hasFound(copy))) {
      return;
    }
    this.#kept.set(name, bases);
    const isStarted = this.#changed.size > 0;
    this.#changed.set(name, copy);
    if (isStarted) {
      return;
    }
    // The first base is stored at once, because the window could be killed.
    const wait = before.length === 0 ? 0 : storeDelayMs;
    this.#storing = this.#storing.then(() => this.#waited(wait)).then(() => this.#store());
  }

  /** Stores what waits for further changes at once. Resolves when everything is stored. */
  async stored(): Promise<void> {
    this.#isAwaited = true;
    this.#endWait();
    await this.#storing;
    this.#isAwaited = false;
  }

  async #waited(milliseconds: number): Promise<void> {
    if (milliseconds > 0 && !this.#isAwaited) {
      await new Promise<void>((resolve) => {
        setTimeout(resolve, milliseconds).unref();
        this.#endWait = resolve;
      });
    }
  }

  /** The bytes of a version that an earlier session stored. */
  async content(authority: string, path: string, version: ContentVersion): Promise<Uint8Array | undefined> {
    const name = this.#contents.get(contentAddress(authority, path, version));
    return this.#directory === undefined || name === undefined
      ? undefined
      : readFile(join(this.#directory, name)).catch(() => undefined);
  }

  async #store(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    const directory = this.#directory;
    if (directory === undefined) {
      return;
    }
    for (const [name, copy] of changed) {
      try {
        await this.#storeOne(directory, name, copy);
      } catch {
        // Without the base, a save asks.
      }
    }
  }

  async #storeOne(directory: string, name: string, copy: Copy): Promise<void> {
    const bases = this.#kept.get(name) ?? [];
    if (bases.length === 0) {
      this.#kept.delete(name);
      await rm(join(directory, name), { force: true });
    } else {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const { authority, path, kind } = copy;
      const stored: StoredEntry["bases"][number][] = [];
      for (const { key, version, held, bytes } of bases) {
        const content = await this.#storeContent(directory, copy, version, bytes);
        stored.push({ key, version, held, content });
      }
      const entry: StoredEntry = { owner: this.#session.owner, at: Date.now(), authority, path, kind, bases: stored };
      await replaceFile(join(directory, name), JSON.stringify(entry));
    }
    await this.#removeEarlier(directory, copy);
    await sweep(directory);
  }

  async #storeContent(
    directory: string,
    { authority, path }: Copy,
    version: ContentVersion,
    bytes: Uint8Array | undefined,
  ): Promise<string | undefined> {
    const address = contentAddress(authority, path, version);
    const known = this.#contents.get(address);
    if (known !== undefined || bytes === undefined) {
      return known;
    }
    const name = `${hashOf(`${this.#session.owner.session} ${address}`)}.content`;
    await replaceFile(join(directory, name), bytes);
    this.#contents.set(address, name);
    return name;
  }

  /** Removes the entries of this copy from sessions that ended before this one began. This window has the copy now. */
  async #removeEarlier(directory: string, copy: Copy): Promise<void> {
    const entries = this.#found.get(keyOf(copy)) ?? new Map<string, FoundEntry>();
    for (const [name, { hasEnded }] of entries) {
      if (hasEnded) {
        entries.delete(name);
        await rm(join(directory, name), { force: true });
      }
    }
  }

  #hasFound(copy: Copy): boolean {
    const entries = this.#found.get(keyOf(copy))?.values() ?? [];
    return [...entries].some(({ hasEnded }) => hasEnded);
  }

  #load(directory: string): void {
    let names: readonly string[] = [];
    try {
      names = readdirSync(directory);
    } catch {
      // Nothing was stored yet.
    }
    for (const name of names.filter((one) => one.endsWith(".json"))) {
      try {
        this.#loadOne(name, readFileSync(join(directory, name), "utf8"));
      } catch {
        // Another window has just removed it, or it is damaged. Without the base, a save asks.
      }
    }
  }

  #loadOne(name: string, json: string): void {
    const entry: StoredEntry = JSON.parse(json);
    const key = keyOf(entry);
    const hasEnded = !isRunning(entry.owner, entry.at);
    this.#found.set(key, (this.#found.get(key) ?? new Map()).set(name, { ...entry, hasEnded }));
    for (const { version, content } of entry.bases) {
      if (content !== undefined && /^[\da-f]+\.content$/.test(content)) {
        this.#contents.set(contentAddress(entry.authority, entry.path, version), content);
      }
    }
  }

  #nameOf(copy: Copy, { session }: SessionOwner): string {
    return `${hashOf(`${session} ${keyOf(copy)}`)}.json`;
  }
}

/** The base of contents that are not recorded. */
function anyBase({ bases }: StoredEntry): StoredEntry["bases"][number] | undefined {
  return bases.find(({ key }) => key === undefined);
}

/** True if another entry of the same copy has another base. */
function isDoubtful({ key, version }: StoredEntry["bases"][number], entries: readonly StoredEntry[]): boolean {
  const others = key === undefined ? entries.map((entry) => anyBase(entry)?.version) : [];
  return others.some((other) => other === undefined || !isSameVersion(version, other));
}

function keyOf({ authority, path, kind }: Copy): string {
  return JSON.stringify([authority, path, kind]);
}

function contentAddress(authority: string, path: string, { lastModified, size, hash }: ContentVersion): string {
  return JSON.stringify([authority, path, hash?.value ?? lastModified, size]);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** The names of files with bytes in an entry. */
const contentName = /"content":"([\da-f]{32}\.content)"/g;

/** Directories that this process has swept. */
const swept = new Set<string>();

/** Once per process, removes old entries, and bytes that no entry refers to. */
async function sweep(directory: string): Promise<void> {
  if (swept.has(directory)) {
    return;
  }
  swept.add(directory);
  const names = await readdir(directory);
  const used = new Set<string>();
  await inParallel(
    names.filter((name) => name.endsWith(".json")),
    async (name) => {
      const entry = await readFile(join(directory, name), "utf8").catch(() => "");
      for (const [, content = ""] of entry.matchAll(contentName)) {
        used.add(content);
      }
    },
  );
  for (const name of names) {
    const age = Date.now() - (await stat(join(directory, name)).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    const isUnused = !name.endsWith(".json") && !used.has(name);
    if (age > retentionMs || (isUnused && age > 60 * 60_000)) {
      await rm(join(directory, name), { force: true });
    }
  }
}
