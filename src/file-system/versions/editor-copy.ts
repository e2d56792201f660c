import type { Base } from "./base-contents.ts";
import { type ContentVersion, isSameVersion } from "./content-version.ts";

/** Milliseconds after a conflict was reported to the editor during which a write counts as the user's decision. */
const overwriteWindowMs = 5_000;

/** Maximum number of contents whose origin is recorded, and of those that are stored across sessions. */
const maxContents = 5_000;
const maxStoredContents = 64;

/** Older than any other. The editor assumes an unknown version for a copy whose base is unknown. */
const oldestVersion: ContentVersion = { lastModified: "", size: 0 };

/** The contents of a copy that are based on one version: until the copy is reloaded, or merged with another version. */
export interface Era {
  base: Base | undefined;
  /** The contents before. Undo can return to them. */
  readonly previous?: Era;
}

/** A base of a copy as it is stored across sessions. `key`: identifies the content; undefined for any other content. */
export interface KeptBase {
  readonly key: string | undefined;
  readonly base: Base;
  /** The version that the editor assumes for its copy, if it is another one. Only without `key`. */
  readonly held?: ContentVersion | undefined;
}

/**
 * Identifies a content. The last key of a notebook is that of the sources of its cells, which Undo brings back whatever the cells
 * have output in between. One of the whole notebook precedes it if that is needed.
 */
export type ContentKeys = readonly string[];

/** A change of a copy's content. It is not known whether a change of a notebook is an Undo. */
export interface ContentChange {
  readonly keys: ContentKeys;
  readonly isUndo: boolean;
}

/** The contents before and after a merge. They are the same if the merge changed nothing. */
export interface MergedContents {
  readonly from: ContentKeys;
  readonly to: ContentKeys;
}

/**
 * One editor's copy of a file, and the version that it is based on. An editor can return to an earlier content, for
 * example if the user undoes a merge or a reload, or if it restores a backup from before the merge. That content is
 * still based on the earlier version. Therefore, a copy records recent contents with their bases.
 */
export class EditorCopy {
  /** Another version that was read while the editor had the file open: to compare, or because it is about to show it. */
  pending: Base | undefined;
  /** True for a copy of an earlier session. Until it has no unsaved changes, reads do not change its base. */
  isRestored = false;
  /** The version that the editor assumes for its unsaved copy, if the user has resolved a conflict with a newer one. */
  held: ContentVersion | undefined;
  /** True if a save may create the file again: the user has deleted it, or decided that after someone else did. */
  isCreatedAgain = false;
  #reported: { readonly version: ContentVersion; readonly at: number } | undefined;
  #era: Era = { base: undefined };
  #key: string | undefined;
  /** By the key of the content, the one recorded last is last. */
  readonly #contents = new Map<string, Era>();

  get base(): Base | undefined {
    return this.#era.base;
  }

  /** Records that the editor opened the file. `held`: the version whose date it got, if that is older than the base. */
  opened(base: Base | undefined, pending: Base | undefined, held?: ContentVersion): void {
    this.#era = { base };
    this.#contents.clear();
    this.pending = pending;
    this.held = held;
  }

  /**
   * Records a read by an unknown reader. `isHeld`: an editor has the file open, which may show an older version;
   * `document`: the copy is that editor's document, which shows an older version even if that is unknown.
   */
  read(read: Base, isHeld: boolean | "document"): void {
    const { base } = this.#era;
    const isOther = base === undefined ? isHeld === "document" : !isSameVersion(base.version, read.version);
    if ((isHeld !== false || this.isRestored) && isOther) {
      this.pending = read;
      return;
    }
    if (base !== undefined && isHeld !== false && base.version.lastModified !== read.version.lastModified) {
      // The content is the same, but the editor doesn't know the newer date.
      this.held ??= base.version;
    }
    this.#era.base = read;
    this.pending = undefined;
    this.isCreatedAgain = false;
  }

  /**
   * Records that the copy has no unsaved changes. It shows the version that was read last, or its base. `canUndo`: Undo
   * can change a reloaded content back, as that of a text.
   */
  becameClean(keys: () => ContentKeys, canUndo: boolean): void {
    // While a notebook has a conflict, or one was resolved, the editor gets the older date. It then assumes that date for what
    // it loads.
    const older = this.held ?? (this.pending === undefined ? undefined : this.#era.base?.version);
    const isReloaded = this.pending !== undefined;
    if (this.pending !== undefined) {
      if (canUndo) {
        this.#begin(this.pending, keys());
      } else {
        this.#era = { base: this.pending };
        this.#contents.clear();
        this.#record(keys());
      }
    }
    this.#settle();
    this.held = isReloaded && canUndo ? undefined : older;
  }

  /** Records that a content of this era was written. Contents with an older base keep it. */
  written(base: Base, era = this.#era): void {
    era.base = base;
    this.#settle();
  }

  /** The era of this content; of the current one without a key. */
  eraOf(key: string | undefined): Era {
    return (key === undefined ? undefined : this.#contents.get(key)) ?? this.#era;
  }

  #settle(): void {
    this.pending = undefined;
    this.isRestored = false;
    this.held = undefined;
    this.isCreatedAgain = false;
    this.#reported = undefined;
  }

  /** Adds the hash to bases without one, from metadata with the same date and size. */
  complete(completed: (base: Base) => Base): void {
    for (const era of this.#eras()) {
      era.base = era.base === undefined ? undefined : completed(era.base);
    }
  }

  /** Records that a `stat` reported this other version on the server to the editor. */
  reported(version: ContentVersion, at: number): void {
    this.#reported = { version, at };
  }

  /**
   * Changes the base of the current content: the server's version has the same content as the base, was written by this
   * user, or is replaced because the user wants that.
   */
  rebase(base: Base): void {
    this.#hold();
    this.#era.base = base;
  }

  /** Records a merge: the content `to` is based on this version, but `from` is still based on the version before. */
  merged(base: Base, { from, to }: MergedContents): void {
    // The change itself was reported before. If the copy has had this content already, it is based on what it was then.
    this.#era = this.#known(from) ?? this.#era;
    this.#hold();
    this.#record(from);
    this.#begin(base, to);
  }

  #hold(): void {
    this.held ??= this.#era.base?.version ?? oldestVersion;
    this.pending = undefined;
  }

  #begin(base: Base, first: ContentKeys): void {
    this.#era = { base, previous: this.#era };
    this.#record(first);
  }

  #record(keys: ContentKeys): void {
    this.#key = keys[0];
    for (const key of keys) {
      this.#contents.delete(key);
      this.#contents.set(key, this.#era);
    }
    for (const key of this.#contents.keys()) {
      if (this.#contents.size <= maxContents) {
        break;
      }
      this.#contents.delete(key);
    }
  }

  #known(keys: ContentKeys): Era | undefined {
    return keys.map((key) => this.#contents.get(key)).find((era) => era !== undefined);
  }

  get #oldest(): Era {
    let oldest = this.#era;
    while (oldest.previous !== undefined) {
      oldest = oldest.previous;
    }
    return oldest;
  }

  /** True if the copy has contents with different bases. */
  get hasBases(): boolean {
    if (this.#era.previous !== undefined) {
      return true;
    }
    for (const era of this.#contents.values()) {
      if (era !== this.#era) {
        return true;
      }
    }
    return false;
  }

  /**
   * Records a changed content. One that is not recorded is based on the same version as the content before, unless Undo has
   * led to it: then it is older than all that are.
   */
  changed({ keys, isUndo }: ContentChange): void {
    this.#era = this.#known(keys) ?? (isUndo ? this.#oldest : this.#era);
    this.#record(keys);
  }

  /** The base of this content. */
  baseOf(key: string | undefined): Base | undefined {
    return this.eraOf(key).base;
  }

  /**
   * The effect of a write on the server's version. `same`: it is the base. `replace`: it was just reported to the
   * editor, which writes now because the user chose Overwrite. `conflict`: the user has not seen it.
   */
  verdict(server: ContentVersion, key: string | undefined, now: number): "same" | "replace" | "conflict" {
    const base = this.baseOf(key);
    if (base !== undefined && isSameVersion(base.version, server)) {
      return "same";
    }
    const reported = this.#reported;
    const isOverwrite =
      reported !== undefined && now - reported.at <= overwriteWindowMs && isSameVersion(reported.version, server);
    return isOverwrite ? "replace" : "conflict";
  }

  /**
   * The bases of this copy to store across sessions. The one without a key is that of contents that are not recorded. It
   * is omitted if it is unknown.
   */
  stored(): readonly KeptBase[] {
    const recorded = this.hasBases
      ? [...this.#contents].slice(-maxStoredContents).map(([key, { base }]) => ({ key, base }))
      : [];
    return [{ key: undefined, base: this.#oldest.base, held: this.held }, ...recorded].flatMap(({ base, ...others }) =>
      base === undefined ? [] : [{ ...others, base }],
    );
  }

  /** Restores a copy of an earlier session. Until its content is known, it has the base without a key. */
  restore(bases: readonly KeptBase[]): void {
    const first = bases.find(({ key }) => key === undefined);
    const oldest: Era = { base: first?.base };
    const eras = new Map<Base, Era>();
    for (const { key, base } of bases) {
      if (key !== undefined) {
        const era = eras.get(base) ?? (base === oldest.base ? oldest : { base, previous: oldest });
        eras.set(base, era);
        this.#contents.set(key, era);
      }
    }
    this.#era = oldest;
    this.isRestored = true;
    this.held = first?.held ?? oldest.base?.version ?? oldestVersion;
  }

  /**
   * Records which content of the earlier session the editor shows first. It can't return to the others. If it has no unsaved
   * changes, they are those of another window.
   */
  identified(keys: ContentKeys): void {
    if (this.#key === undefined) {
      const era = this.#known(keys);
      this.#contents.clear();
      this.#era = era ?? this.#era;
      this.#record(keys);
    }
  }

  /** All versions that this copy refers to. */
  used(): readonly Base[] {
    return [this.pending, ...[...this.#eras()].map(({ base }) => base)].filter((base) => base !== undefined);
  }

  #eras(): ReadonlySet<Era> {
    const eras = new Set(this.#contents.values());
    for (let era: Era | undefined = this.#era; era !== undefined; era = era.previous) {
      eras.add(era);
    }
    return eras;
  }
}
