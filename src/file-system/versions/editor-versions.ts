import { type ContentVersion, isSameVersion } from "./content-version.ts";

/** Milliseconds after a conflict was reported to the editor during which a write counts as the user's decision. */
const answerWithin = 5_000;

/** Maximum size of a file whose content is kept, and of all kept content together, in bytes. */
const largestFile = 4_000_000;
const largestSum = 32_000_000;

/**
 * The base version of the editor's copy, for each path. It comes from reads and our own writes, never from a `stat`:
 * the editor calls `stat` right before it saves, so that version would always match.
 */
export class EditorVersions {
  readonly #bases = new Map<string, ContentVersion>();
  /**
   * Other versions that were read while the editor had the file open: to compare, or because it is about to show them.
   */
  readonly #pending = new Map<string, { readonly version: ContentVersion; readonly bytes: Uint8Array | undefined }>();
  /** Base versions from an earlier session. Until the editor has no unsaved changes, reads do not change them. */
  readonly #restored = new Set<string>();
  readonly #reported = new Map<string, { readonly version: ContentVersion; readonly at: number }>();
  /** The version that the editor assumes for its unsaved copy, if the user has resolved a conflict with a newer one. */
  readonly #held = new Map<string, ContentVersion>();
  /** Versions on the server that are not the base version. */
  readonly #conflicts = new Map<string, ContentVersion>();
  readonly #contents: BaseContents;
  readonly #now: () => number;
  #onConflicts: () => void = () => {};

  constructor(now: () => number = Date.now, isOpen: (path: string) => boolean = () => false) {
    this.#now = now;
    this.#contents = new BaseContents(isOpen);
  }

  base(path: string): ContentVersion | undefined {
    return this.#bases.get(path);
  }

  /** The bytes of the base version, if they are kept. */
  baseContent(path: string): Uint8Array | undefined {
    return this.#contents.get(path);
  }

  /**
   * Records a read. The reader is unknown, so while an editor has the file open, the base stays until that editor shows
   * another version without unsaved changes. Otherwise, another extension's read could hide a change from a save.
   */
  read(path: string, version: ContentVersion, isHeld: boolean, bytes?: Uint8Array): void {
    const base = this.#bases.get(path);
    if ((isHeld || this.#restored.has(path)) && base !== undefined && !isSameVersion(base, version)) {
      this.#pending.set(path, { version, bytes });
    } else {
      this.#bases.set(path, version);
      this.#contents.set(path, bytes);
      this.noticed(path, version);
    }
  }

  /** True if the version that was read last is not the base version. */
  hasOtherRead(path: string): boolean {
    return this.#pending.has(path);
  }

  /**
   * Records that the editor's copy has no unsaved changes. The last read version becomes the base, unless `shows`
   * returns false for it because something else read it.
   */
  becameClean(path: string, shows: (bytes: Uint8Array) => boolean = () => true): void {
    const pending = this.#pending.get(path);
    if (pending?.bytes !== undefined && !shows(pending.bytes)) {
      return;
    }
    this.#restored.delete(path);
    this.#held.delete(path);
    if (pending !== undefined) {
      this.#pending.delete(path);
      this.#bases.set(path, pending.version);
      this.#contents.set(path, pending.bytes);
    }
    this.#conflict(path, undefined);
  }

  /** Records that we wrote the file. The editor's copy has this version. */
  written(path: string, version: ContentVersion, bytes?: Uint8Array): void {
    this.closed(path);
    this.#bases.set(path, version);
    this.#contents.set(path, bytes);
  }

  /** Adds the hash to a base without one, from metadata with the same date and size. */
  complete(path: string, version: ContentVersion): void {
    const base = this.#bases.get(path);
    if (base !== undefined && base.hash === undefined && isSameVersion(base, version)) {
      this.#bases.set(path, version);
    }
  }

  /** Discards the state of a file that the editor closed. */
  closed(path: string): void {
    for (const known of [this.#bases, this.#pending, this.#reported, this.#held]) {
      known.delete(path);
    }
    this.#restored.delete(path);
    this.#contents.delete(path);
    this.#conflict(path, undefined);
  }

  /** Records that a `stat` reported this other version on the server to the editor. */
  reportConflict(path: string, version: ContentVersion): void {
    this.#reported.set(path, { version, at: this.#now() });
    this.noticed(path, version);
  }

  /** Records the server's current version, from a listing or metadata. */
  noticed(path: string, version: ContentVersion): void {
    const base = this.#bases.get(path);
    this.#conflict(path, base === undefined || isSameVersion(base, version) ? undefined : version);
  }

  /** The server's version, if it is known and not the base version. */
  conflict(path: string): ContentVersion | undefined {
    return this.#conflicts.get(path);
  }

  /** The paths whose server version is not the base version. */
  conflicts(): readonly string[] {
    return [...this.#conflicts.keys()];
  }

  /** Calls `observer` when the conflicting paths change. */
  observeConflicts(observer: () => void): void {
    this.#onConflicts = observer;
  }

  /**
   * Records that the user has resolved a conflict with this version, with a merge or by replacing it. It becomes the
   * base, even though the editor still assumes the older version for its copy.
   */
  rebase(path: string, version: ContentVersion, bytes?: Uint8Array): void {
    const held = this.#held.get(path) ?? this.#bases.get(path);
    if (held !== undefined) {
      this.#held.set(path, held);
    }
    this.#bases.set(path, version);
    this.#contents.set(path, bytes);
    this.#pending.delete(path);
    this.#conflict(path, undefined);
  }

  /** The version that the editor assumes for its unsaved copy, if that is older than the base. */
  heldByEditor(path: string): ContentVersion | undefined {
    return this.#held.get(path);
  }

  /**
   * The effect of a write on the server's version. `same`: it is the base. `replace`: it was just reported to the
   * editor, which writes now because the user chose Overwrite. `conflict`: the user has not seen it.
   */
  verdict(path: string, server: ContentVersion): "same" | "replace" | "conflict" {
    const base = this.#bases.get(path);
    if (base === undefined || isSameVersion(base, server)) {
      return "same";
    }
    const reported = this.#reported.get(path);
    const isAnswer =
      reported !== undefined && this.#now() - reported.at <= answerWithin && isSameVersion(reported.version, server);
    return isAnswer ? "replace" : "conflict";
  }

  /** Moves the state of a path, and of all paths below it, to another path. Discards the state of a replaced file. */
  move(from: string, to: string): void {
    const below = `${from}/`;
    const isMoved = (path: string): boolean => path === from || path.startsWith(below);
    for (const path of [...this.#bases.keys()].filter(isMoved)) {
      const target = to + path.slice(from.length);
      this.closed(target);
      if (this.#restored.delete(path)) {
        this.#restored.add(target);
      }
      moveEntry(this.#bases, path, target);
      moveEntry(this.#pending, path, target);
      moveEntry(this.#held, path, target);
      this.#contents.move(path, target);
      this.#conflict(path, undefined);
    }
  }

  /** Adds the base versions of an earlier session's unsaved copies. */
  restore(bases: Readonly<Record<string, ContentVersion>>): void {
    for (const [path, version] of Object.entries(bases)) {
      this.#bases.set(path, version);
      this.#restored.add(path);
    }
  }

  #conflict(path: string, version: ContentVersion | undefined): void {
    const before = this.#conflicts.get(path);
    if (version === undefined) {
      this.#conflicts.delete(path);
    } else {
      this.#conflicts.set(path, version);
    }
    if ((before === undefined) !== (version === undefined)) {
      this.#onConflicts();
    }
  }
}

function moveEntry<T>(entries: Map<string, T>, from: string, to: string): void {
  const entry = entries.get(from);
  if (entry !== undefined) {
    entries.delete(from);
    entries.set(to, entry);
  }
}

/**
 * The bytes of base versions, for three-way merges. Keeps only small files and the most recent ones. Open files are
 * evicted last.
 */
class BaseContents {
  readonly #bytes = new Map<string, Uint8Array>();
  readonly #isOpen: (path: string) => boolean;
  #sum = 0;

  constructor(isOpen: (path: string) => boolean) {
    this.#isOpen = isOpen;
  }

  get(path: string): Uint8Array | undefined {
    return this.#bytes.get(path);
  }

  set(path: string, bytes: Uint8Array | undefined): void {
    this.delete(path);
    if (bytes === undefined || bytes.byteLength > largestFile) {
      return;
    }
    this.#bytes.set(path, bytes);
    this.#sum += bytes.byteLength;
    for (const isKept of [(other: string): boolean => this.#isOpen(other), (): boolean => false]) {
      for (const other of [...this.#bytes.keys()]) {
        if (this.#sum > largestSum && other !== path && !isKept(other)) {
          this.delete(other);
        }
      }
    }
  }

  delete(path: string): void {
    const bytes = this.#bytes.get(path);
    if (bytes !== undefined) {
      this.#bytes.delete(path);
      this.#sum -= bytes.byteLength;
    }
  }

  move(from: string, to: string): void {
    const bytes = this.#bytes.get(from);
    this.delete(from);
    this.set(to, bytes);
  }
}
