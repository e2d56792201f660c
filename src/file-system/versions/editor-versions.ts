import { type Base, BaseContents } from "./base-contents.ts";
import { type ContentVersion, isSameVersion, versionTime } from "./content-version.ts";
import { type ContentChange, type ContentKeys, EditorCopy, type Era, type MergedContents } from "./editor-copy.ts";
import { ServerConflicts } from "./server-conflicts.ts";

/**
 * The kind of a copy: a text document, a notebook document, or the file as other readers know it, such as other
 * extensions and custom editors.
 */
export type CopyKind = "text" | "notebook" | "file";

/**
 * A stored base of an unsaved copy. `key`: identifies the content that is based on it; undefined for any content. `held`:
 * the version that the editor assumes for the copy, if the user has resolved a conflict with a newer one.
 */
export interface StoredBase {
  readonly key?: string | undefined;
  readonly version: ContentVersion;
  readonly held?: ContentVersion | undefined;
  readonly bytes?: Uint8Array | undefined;
}

/**
 * The base versions of the editors' copies. A path can be open in several editors with different contents. Each has its
 * own base: the version that its content came from. It comes from reads and our own writes, never from a `stat`: the
 * editor calls `stat` right before it saves, so that version would always match.
 *
 * If a method's `kind` is omitted, it means the only document of the path, otherwise the file.
 */
export class EditorVersions {
  readonly #paths = new Map<string, Map<CopyKind, EditorCopy>>();
  readonly #contents: BaseContents;
  readonly #conflicts = new ServerConflicts();
  readonly #now: () => number;
  #onRebased: (path: string, kind: CopyKind) => void = () => {};

  constructor(now: () => number = Date.now, isOpen: (path: string) => boolean = () => false) {
    this.#now = now;
    this.#contents = new BaseContents(isOpen);
  }

  base(path: string, kind?: CopyKind): ContentVersion | undefined {
    return this.#copy(path, kind)?.base?.version;
  }

  /** The base of a copy's content. */
  baseOf(path: string, kind: CopyKind | undefined, key: string | undefined): ContentVersion | undefined {
    return this.#copy(path, kind)?.baseOf(key)?.version;
  }

  /** The bytes of the base version of a copy's content, if they are kept. Without `key`, of its current content. */
  baseContent(path: string, kind?: CopyKind, key?: string): Uint8Array | undefined {
    return this.#contents.get(this.#copy(path, kind)?.baseOf(key));
  }

  /** Adds the bytes of a base that an earlier session has stored. */
  loaded(path: string, kind: CopyKind, version: ContentVersion, bytes: Uint8Array): void {
    const base = this.#copy(path, kind)
      ?.used()
      .find((one) => one.version === version);
    if (base !== undefined) {
      this.#contents.set(path, base, bytes);
    }
  }

  /** The bases of a copy to store across sessions. The one without a key is that of contents that are not recorded. */
  stored(path: string, kind: CopyKind): readonly StoredBase[] {
    const bases = this.#paths.get(path)?.get(kind)?.stored() ?? [];
    return bases.map(({ base, ...others }) => ({ ...others, version: base.version, bytes: this.#contents.get(base) }));
  }

  /**
   * Records a read. The reader is unknown, so while an editor has the file open, the base stays until that editor shows
   * another version without unsaved changes. Otherwise, another extension's read could hide a change from a save.
   */
  read(path: string, version: ContentVersion, isHeld: boolean, bytes?: Uint8Array): void {
    const read: Base = { version };
    const file = this.#created(path, "file");
    for (const [kind, copy] of this.#paths.get(path) ?? []) {
      copy.read(read, kind === "file" ? isHeld : "document");
    }
    this.#clean(path);
    this.#contents.set(path, read, bytes);
    if (file.base === read) {
      this.noticed(path, version);
    }
  }

  /**
   * Records that the editor opened a document. Without unsaved changes, it shows one of the versions that were read.
   * Otherwise, the editor restored it, so its base is the stored one or unknown. `shows` returns false for bytes that
   * the document is known not to show.
   */
  opened(
    path: string,
    kind: CopyKind,
    {
      isDirty,
      shows,
      keys,
    }: { readonly isDirty: boolean; readonly shows: (bytes: Uint8Array) => boolean; readonly keys: () => ContentKeys },
  ): void {
    const known = this.#paths.get(path)?.get(kind);
    if (known !== undefined) {
      known.identified(keys());
      return;
    }
    const { base, pending } = this.#created(path, "file");
    // The editor asks for the date of a path, and may get an older one that it assumes for another copy.
    const [held] = [...(this.#paths.get(path)?.values() ?? [])]
      .flatMap((other) => other.held ?? [])
      .toSorted((one, other) => versionTime(one) - versionTime(other));
    const copy = this.#created(path, kind);
    const bytes = this.#contents.get(pending);
    if (isDirty) {
      this.unknown(path, kind);
    } else if (kind === "text" && bytes !== undefined && shows(bytes)) {
      copy.opened(pending, undefined, held);
    } else {
      copy.opened(base, pending, held);
    }
  }

  /** Records that a document has unsaved changes of an earlier session whose base wasn't stored. */
  unknown(path: string, kind: CopyKind): void {
    this.#created(path, kind).opened(undefined, undefined);
    this.#clean(path);
  }

  /** True if the version that was read last is not the base version. */
  hasOtherRead(path: string, kind?: CopyKind): boolean {
    return this.#copy(path, kind)?.pending !== undefined;
  }

  /** True for a copy of an earlier session that may have unsaved changes. */
  isRestored(path: string, kind?: CopyKind): boolean {
    return this.#copy(path, kind)?.isRestored === true;
  }

  /**
   * True if the document is known to show the version that was read last, which is not its base. `shows` is called if the
   * bytes of that version are known.
   */
  showsOtherRead(path: string, kind: CopyKind, shows: (bytes: Uint8Array) => boolean): boolean {
    const bytes = this.#contents.get(this.#copy(path, kind)?.pending);
    return bytes !== undefined && shows(bytes);
  }

  /**
   * Records that the editor's copy has no unsaved changes. The last read version becomes the base, unless `shows`
   * returns false for it because something else read it. `keys`: of a document.
   */
  becameClean(
    path: string,
    shows: (bytes: Uint8Array) => boolean = () => true,
    kind?: CopyKind,
    keys: () => ContentKeys = () => [],
  ): void {
    const copy = this.#copy(path, kind);
    const bytes = this.#contents.get(copy?.pending);
    if (copy === undefined || (bytes !== undefined && !shows(bytes))) {
      return;
    }
    copy.becameClean(keys, kind === "text");
    this.#clean(path);
    this.#resolved(path, copy);
  }

  /** What a content of a copy is based on, to record with `written` that it was saved. `key`: as for `verdict`. */
  eraOf(path: string, kind: CopyKind | undefined, key: string | undefined): Era | undefined {
    return this.#copy(path, kind)?.eraOf(key);
  }

  /**
   * Records that this copy was written. The editor has this version. Other copies keep their bases. `era`: of the content
   * when its save began, because the user can undo a merge during the save.
   */
  written(path: string, version: ContentVersion, bytes?: Uint8Array, kind?: CopyKind, era?: Era): void {
    const base: Base = { version };
    const saved = this.#copy(path, kind);
    saved?.written(base, era);
    const file = this.#created(path, "file");
    if (file !== saved) {
      file.written(base);
    }
    this.#clean(path);
    this.#contents.set(path, base, bytes);
    this.noticed(path, version);
  }

  /** Adds the hash to a base without one, from metadata with the same date and size. */
  complete(path: string, version: ContentVersion): void {
    const completed = new Map<Base, Base>();
    for (const copy of this.#paths.get(path)?.values() ?? []) {
      copy.complete((base) => {
        if (base.version.hash !== undefined || !isSameVersion(base.version, version)) {
          return base;
        }
        const known = completed.get(base) ?? { version };
        if (!completed.has(base)) {
          completed.set(base, known);
          this.#contents.set(path, known, this.#contents.get(base));
        }
        return known;
      });
    }
    this.#clean(path);
  }

  /** Discards the state of a copy that the editor closed; without `kind`, of the path. */
  closed(path: string, kind?: CopyKind): void {
    const copies = this.#paths.get(path);
    if (kind === undefined || (copies !== undefined && [...copies.keys()].every((one) => one === kind))) {
      this.#paths.delete(path);
      this.#conflicts.set(path, undefined);
    } else {
      copies?.delete(kind);
    }
    this.#clean(path);
  }

  /**
   * Records that the user deleted a path, with all paths below it. A save creates it again without a question. The bases
   * stay: if someone else has created it meanwhile, that is another version.
   */
  deleted(path: string): void {
    for (const [known, copies] of this.#paths) {
      if (isAtOrBelow(known, path)) {
        for (const copy of copies.values()) {
          copy.isCreatedAgain = true;
        }
        this.#conflicts.set(known, undefined);
      }
    }
  }

  /** Records that a `stat` reported this other version on the server to the editor. */
  reportConflict(path: string, version: ContentVersion, kind?: CopyKind): void {
    this.#copy(path, kind)?.reported(version, this.#now());
    this.noticed(path, version);
  }

  /** Records the server's current version, from a listing or metadata. */
  noticed(path: string, version: ContentVersion): void {
    this.#conflicts.set(path, this.isOutdated(path, version) ? version : undefined);
  }

  /** True if a copy of the path is based on another version. */
  isOutdated(path: string, server: ContentVersion): boolean {
    const copies = [...(this.#paths.get(path) ?? [])];
    const documents = copies.filter(([kind]) => kind !== "file");
    return (documents.length === 0 ? copies : documents).some(
      ([, { base }]) => base !== undefined && !isSameVersion(base.version, server),
    );
  }

  /** The server's version, if it is known and not the base version. */
  conflict(path: string): ContentVersion | undefined {
    return this.#conflicts.get(path);
  }

  /** The paths whose server version is not the base version. */
  conflicts(): readonly string[] {
    return this.#conflicts.paths();
  }

  /** Calls `observer` when the conflicting paths change. */
  observeConflicts(observer: () => void): void {
    this.#conflicts.observe(observer);
  }

  /** Calls `observer` when the bases of an unsaved copy change, although its content doesn't. */
  observeBases(observer: (path: string, kind: CopyKind) => void): void {
    this.#onRebased = observer;
  }

  /**
   * Records that the copy's content can replace this version, whichever content it has. It becomes the base, even though
   * the editor still assumes the older version for its copy.
   */
  rebase(path: string, version: ContentVersion, bytes?: Uint8Array, kind?: CopyKind): void {
    this.#rebase(path, version, bytes, kind, (copy, base) => copy.rebase(base));
  }

  /** Records a merge with this version. Only the merged content `to` is based on it, but not the content `from`. */
  merged(
    path: string,
    version: ContentVersion,
    { bytes, ...contents }: MergedContents & { readonly bytes?: Uint8Array | undefined },
    kind?: CopyKind,
  ): void {
    this.#rebase(path, version, bytes, kind, (copy, base) => copy.merged(base, contents));
  }

  #rebase(
    path: string,
    version: ContentVersion,
    bytes: Uint8Array | undefined,
    kind: CopyKind | undefined,
    apply: (copy: EditorCopy, base: Base) => void,
  ): void {
    const base: Base = { version };
    const copy = this.#copy(path, kind) ?? this.#created(path, "file");
    apply(copy, base);
    this.#clean(path);
    this.#contents.set(path, base, bytes);
    this.#resolved(path, copy);
    this.#onRebased(path, this.#kindOf(path, copy));
  }

  /** True if the contents of a copy have different bases. */
  hasBases(path: string, kind: CopyKind): boolean {
    return this.#paths.get(path)?.get(kind)?.hasBases === true;
  }

  /** Records a changed content, which may have another base. */
  changed(path: string, kind: CopyKind, change: ContentChange): void {
    this.#paths.get(path)?.get(kind)?.changed(change);
  }

  /** Records that the user wants to save the file again, although it no longer exists on the server. */
  createAgain(path: string, kind?: CopyKind): void {
    const copy = this.#copy(path, kind) ?? this.#created(path, kind ?? "file");
    copy.isCreatedAgain = true;
  }

  /**
   * True if an editor's copy is saved, or a file that is based on a version of the server, and the user didn't decide to
   * create the file again. An editor shows only files that existed, also if the base of its copy is unknown.
   */
  mustExist(path: string, kind?: CopyKind): boolean {
    const copy = this.#copy(path, kind);
    return (kind !== undefined || copy?.base !== undefined) && copy?.isCreatedAgain !== true;
  }

  /** The version that the editor assumes for its unsaved copy, if that is older than the base. */
  heldByEditor(path: string, kind?: CopyKind): ContentVersion | undefined {
    return this.#copy(path, kind)?.held;
  }

  /** The versions that the editor may assume for its copy: the bases of its contents, and the version that was read last. */
  assumable(path: string, kind?: CopyKind): readonly ContentVersion[] {
    return (
      this.#copy(path, kind)
        ?.used()
        .map(({ version }) => version) ?? []
    );
  }

  /**
   * The effect of a write on the server's version. `same`: it is the base. `replace`: it was just reported to the
   * editor, which writes now because the user chose Overwrite. `conflict`: the user has not seen it. Only programs can
   * replace a version without a base. `key`: identifies the written content.
   */
  verdict(path: string, server: ContentVersion, kind?: CopyKind, key?: string): ReturnType<EditorCopy["verdict"]> {
    const copy = this.#copy(path, kind);
    if (copy?.base === undefined && kind === undefined) {
      return "same";
    }
    return copy?.verdict(server, key, this.#now()) ?? "conflict";
  }

  /** Moves the state of a path, and of all paths below it, to another path. Discards the state of a replaced file. */
  move(from: string, to: string): void {
    for (const path of [...this.#paths.keys()].filter((one) => isAtOrBelow(one, from))) {
      const target = to + path.slice(from.length);
      this.closed(target);
      const copies = this.#paths.get(path);
      if (copies !== undefined) {
        this.#paths.delete(path);
        this.#paths.set(target, copies);
      }
      this.#contents.move(path, target);
      this.#conflicts.set(path, undefined);
    }
  }

  /** Adds the bases of an earlier session's unsaved copy, in the order of `stored`. */
  restore(path: string, bases: readonly StoredBase[], kind: CopyKind = "file"): void {
    const known: Base[] = [];
    const restored = bases.map(({ key, version, held }) => {
      const base = known.find((one) => isSameVersion(one.version, version)) ?? { version };
      known.push(base);
      return { key, base, held };
    });
    this.#created(path, kind).restore(restored);
  }

  #copy(path: string, kind: CopyKind | undefined): EditorCopy | undefined {
    const copies = this.#paths.get(path);
    const documents = (["text", "notebook"] as const).flatMap((one) => copies?.get(one) ?? []);
    const only = documents.length === 1 ? documents[0] : undefined;
    return kind === undefined ? (only ?? copies?.get("file")) : (copies?.get(kind) ?? copies?.get("file"));
  }

  #kindOf(path: string, copy: EditorCopy): CopyKind {
    return [...(this.#paths.get(path) ?? [])].find(([, one]) => one === copy)?.[0] ?? "file";
  }

  #created(path: string, kind: CopyKind): EditorCopy {
    const copies = this.#paths.get(path) ?? new Map<CopyKind, EditorCopy>();
    this.#paths.set(path, copies);
    const copy = copies.get(kind) ?? new EditorCopy();
    copies.set(kind, copy);
    return copy;
  }

  /** Ends the conflict of a copy, unless another document of the path has it, too. */
  #resolved(path: string, copy: EditorCopy): void {
    const known = this.#conflicts.get(path);
    const others = [...(this.#paths.get(path) ?? [])].filter(([kind, one]) => kind !== "file" && one !== copy);
    const isConflict = others.some(
      ([, { base }]) => base !== undefined && known !== undefined && !isSameVersion(base.version, known),
    );
    this.#conflicts.set(path, isConflict ? known : undefined);
  }

  #clean(path: string): void {
    const copies = [...(this.#paths.get(path)?.values() ?? [])];
    this.#contents.retainOnly(path, new Set(copies.flatMap((copy) => copy.used())));
  }
}

function isAtOrBelow(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}/`);
}
