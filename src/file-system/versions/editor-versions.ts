import { type ContentVersion, isSameVersion } from "./content-version.ts";

/** How long after the editor was shown a conflict a write counts as the person's answer to it, in milliseconds. */
const answerWithin = 5_000;

/** The largest file whose content is remembered, and all of them together, in bytes. */
const largestFile = 4_000_000;
const largestSum = 32_000_000;

/**
 * For each path the version that the editor's copy came from. It comes from reads and own writes, never from a `stat`:
 * the editor asks for a `stat` right before it saves, and a version taken there would always match.
 */
export class EditorVersions {
  readonly #bases = new Map<string, ContentVersion>();
  /** Reads of another version while the editor held the file: of a comparison, or what it is about to show. */
  readonly #pending = new Map<string, { readonly version: ContentVersion; readonly bytes: Uint8Array | undefined }>();
  /** Bases of an earlier session: until the editor turns out to be clean, a read is not theirs. */
  readonly #restored = new Set<string>();
  readonly #reported = new Map<string, { readonly version: ContentVersion; readonly at: number }>();
  /** What the editor takes its unsaved copy for, where the person has dealt with a newer version since. */
  readonly #held = new Map<string, ContentVersion>();
  /** Versions of the server's that are other ones than the base. */
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

  /** The base's bytes, where they are remembered. */
  baseContent(path: string): Uint8Array | undefined {
    return this.#contents.get(path);
  }

  /**
   * The file was read. Who reads it nobody can tell: while an editor holds it the base stays what it was, until that editor
   * turns out to show something else without unsaved changes. A program's read must not hide a change from a save.
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

  /**
   * The editor's copy has no unsaved changes: what was read last is what it shows, unless `shows` tells that it is not, as
   * when somebody else read it.
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

  /** We wrote the file, so the editor's copy is this version. */
  written(path: string, version: ContentVersion, bytes?: Uint8Array): void {
    this.closed(path);
    this.#bases.set(path, version);
    this.#contents.set(path, bytes);
  }

  /** The hash of a base that had none, learned from a metadata read of the same time and size. */
  complete(path: string, version: ContentVersion): void {
    const base = this.#bases.get(path);
    if (base !== undefined && base.hash === undefined && isSameVersion(base, version)) {
      this.#bases.set(path, version);
    }
  }

  /** The editor's copy is gone. */
  closed(path: string): void {
    for (const known of [this.#bases, this.#pending, this.#reported, this.#held]) {
      known.delete(path);
    }
    this.#restored.delete(path);
    this.#contents.delete(path);
    this.#conflict(path, undefined);
  }

  /** A `stat` told the editor that the server has this other version. */
  reportConflict(path: string, version: ContentVersion): void {
    this.#reported.set(path, { version, at: this.#now() });
    this.noticed(path, version);
  }

  /** The server has this version now, as a listing or a metadata read tells. */
  noticed(path: string, version: ContentVersion): void {
    const base = this.#bases.get(path);
    this.#conflict(path, base === undefined || isSameVersion(base, version) ? undefined : version);
  }

  /** The version of the server's that is another one than the editor's copy came from, as far as it was noticed. */
  conflict(path: string): ContentVersion | undefined {
    return this.#conflicts.get(path);
  }

  /** The paths of which another version was noticed. */
  conflicts(): readonly string[] {
    return [...this.#conflicts.keys()];
  }

  /** Calls this whenever the paths with another version are other ones. */
  observeConflicts(observer: () => void): void {
    this.#onConflicts = observer;
  }

  /**
   * The person has dealt with this version of the server's, by a merge or by deciding to replace it: it is the base of
   * what they edit now, though the editor still takes its copy for the older one.
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

  /** What the editor takes its unsaved copy for, when that is older than the base. */
  heldByEditor(path: string): ContentVersion | undefined {
    return this.#held.get(path);
  }

  /**
   * What a write would do to the server's version. `same`: it is the base. `replace`: it is the one that the editor was
   * just told of, which then writes only when the person chose Overwrite. `conflict`: nobody has seen it.
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

  /** A path, and all below it, has another name now. What was known of a replaced file does not count for the new one. */
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

  /** Takes over the bases of an earlier session's unsaved editors. */
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
 * The bytes that the editor's copies came from: the base of a three-way merge. Small files alone, the newest ones; those
 * that are open go last.
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
