import { LRUCache } from "lru-cache";
import type { Base } from "./base-contents.ts";
import { type ContentVersion, isSameVersion } from "./content-version.ts";
import { UnseenMerge } from "./unseen-merge.ts";

/** Milliseconds after a conflict was reported to the editor during which a write counts as the user's decision. */
const overwriteWindowMs = 5_000;

/** Maximum number of contents whose origin is recorded. */
const maxContents = 64;

/** Older than any other. The editor assumes an unknown version for a copy whose base is unknown. */
const oldestVersion: ContentVersion = { lastModified: "", size: 0 };

/** The contents of a copy that are based on one version: until the copy is reloaded, or merged with another version. */
interface Era {
  base: Base | undefined;
  /** Key of the first content. */
  readonly first?: string;
  /** Key of the content from which a merge made the first one. It is the same if the merge changed nothing. */
  readonly before?: string | undefined;
  /** The contents before. Undo can return to them. */
  readonly previous?: Era;
  /** If a merge that changed nothing began it: what decides whether a content comes from before; `unknown`: nothing does. */
  merge?: UnseenMerge | "unknown" | undefined;
}

/** A base of a copy as it is stored across sessions. `key`: identifies the content; undefined for any other content. */
export interface KeptBase {
  readonly key: string | undefined;
  readonly base: Base;
  /** The version that the editor assumes for its copy, if it is another one. Only without `key`. */
  readonly held?: ContentVersion | undefined;
}

/**
 * A change of a copy's content. `key` identifies the new content. For a text, it is known whether the change is an Undo. For
 * a notebook, its lines are compared (`UnseenMerge`).
 */
export type ContentChange =
  | { readonly key: string; readonly isUndo: boolean }
  | { readonly key: string; readonly lines: () => readonly string[] };

/** The keys of the contents before and after a merge. `unseen`: for a notebook that was not changed by it. */
export interface MergedContents {
  readonly from: string;
  readonly to: string;
  readonly unseen?: UnseenMerge | "unknown" | undefined;
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
  readonly #contents = new LRUCache<string, Era>({ max: maxContents });

  get base(): Base | undefined {
    return this.#era.base;
  }

  /** Records that the editor opened the file. */
  opened(base: Base | undefined, pending: Base | undefined): void {
    this.#era = { base };
    this.pending = pending;
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
   * Records that the copy has no unsaved changes. It shows the version that was read last, or its base. `key` is called
   * for the content of a reloaded text, which Undo can change back.
   */
  becameClean(key?: () => string): void {
    // While a notebook has a conflict, or one was resolved, the editor gets the older date. It then assumes that date for what
    // it loads.
    const older = this.held ?? (this.pending === undefined ? undefined : this.#era.base?.version);
    if (this.pending !== undefined) {
      if (key === undefined) {
        this.#era.base = this.pending;
        this.#era.merge = undefined;
      } else {
        this.#begin(this.pending, key());
      }
    }
    this.#settle();
    this.held = key === undefined ? older : undefined;
  }

  /** Records that the current content was written. Contents with an older base keep it. */
  written(base: Base): void {
    this.#era.base = base;
    this.#settle();
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
  merged(base: Base, { from, to, unseen }: MergedContents): void {
    // The change itself was reported before. If the copy has had this content already, it is based on what it was then.
    this.#era = this.#contents.get(from) ?? this.#era;
    this.#hold();
    this.#record(from);
    this.#begin(base, to, from);
    this.#era.merge = from === to ? unseen : undefined;
  }

  #hold(): void {
    this.held ??= this.#era.base?.version ?? oldestVersion;
    this.pending = undefined;
  }

  #begin(base: Base, first: string, before?: string): void {
    // After a merge that changed nothing, Undo leads to what came before an earlier such merge, too.
    const isRepeated = before === first && isUnchanged(this.#era, first) && this.#era.merge === undefined;
    const previous = isRepeated ? this.#era.previous : undefined;
    this.#era = { base, first, before, previous: previous ?? this.#era };
    this.#record(first);
  }

  #record(key: string): void {
    this.#key = key;
    this.#contents.set(key, this.#era);
  }

  /** True if the copy has contents with different bases, so that each change must be reported with `changed`. */
  get hasContents(): boolean {
    return this.#contents.size > 0;
  }

  /** Records a changed content. One that is not recorded is based on the same version as the content before. */
  changed(change: ContentChange): void {
    const known = this.#contents.get(change.key) ?? this.#eraBefore(change) ?? this.#era;
    this.#era = "lines" in change ? this.#afterMerges(known, change.lines) : known;
    this.#record(change.key);
  }

  /** The newest era that a content of an earlier one belongs to, because it has all that later merges without effect merged. */
  #afterMerges(known: Era, lines: () => readonly string[]): Era {
    const later: Era[] = [];
    for (let one: Era | undefined = this.#era; one !== known; one = one.previous) {
      if (one === undefined) {
        return known;
      }
      later.push(one);
    }
    const end = later.findLastIndex(({ merge }) => !(merge instanceof UnseenMerge) || !merge.isIn(lines()));
    return later[end + 1] ?? known;
  }

  /** The era of a content that is not recorded, if it comes before one of the known eras. */
  #eraBefore(change: ContentChange): Era | undefined {
    const { key } = change;
    const era = this.#era;
    if ("lines" in change) {
      const lines = era.merge === undefined ? [] : change.lines();
      let before: Era | undefined;
      for (let one: Era | undefined = era; one?.merge !== undefined; one = one.previous) {
        before = one.merge === "unknown" || one.merge.isUndone(lines) ? one.previous : before;
      }
      if (before !== undefined) {
        return before;
      }
    } else if (change.isUndo && this.#key === era.first) {
      return era.previous;
    }
    for (let one: Era | undefined = era; one !== undefined; one = one.previous) {
      if (one.before === key && !isUnchanged(one, key)) {
        return one.previous;
      }
    }
    return undefined;
  }

  /** The base of this content. */
  baseOf(key: string | undefined): Base | undefined {
    return ((key === undefined ? undefined : this.#contents.get(key)) ?? this.#era).base;
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
    let oldest = this.#era;
    while (oldest.previous !== undefined) {
      oldest = oldest.previous;
    }
    const recorded = [...this.#contents].map(([key, { base }]) => ({ key, base }));
    return [{ key: undefined, base: oldest.base, held: this.held }, ...recorded].flatMap(({ base, ...others }) =>
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
    this.isRestored = bases.length > 0;
    this.held = first?.held ?? oldest.base?.version ?? (this.isRestored ? oldestVersion : undefined);
  }

  /**
   * Records which content of the earlier session the editor shows first. It can't return to the others. If it has no unsaved
   * changes, they are those of another window.
   */
  identified(key: string): void {
    if (this.#key === undefined) {
      const era = this.#contents.get(key);
      this.#contents.clear();
      if (era !== undefined) {
        this.#contents.set(key, era);
      }
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

/** True if the era began with a merge that didn't change this content. */
function isUnchanged(era: Era, key: string | undefined): boolean {
  return key !== undefined && era.first === key && era.before === key;
}
