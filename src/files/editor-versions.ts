import { type ContentVersion, isSameVersion } from "./content-version.ts";

/** How long after the editor was shown a conflict a write counts as the person's answer to it, in milliseconds. */
const answerWithin = 5_000;

/**
 * For each path the version that the editor's copy came from. It comes from reads and own writes, never from a `stat`:
 * the editor asks for a `stat` right before it saves, and a version taken there would always match.
 */
export class EditorVersions {
  readonly #bases = new Map<string, ContentVersion>();
  /** Reads made while the editor held unsaved changes: of a comparison, not of what the person edits. */
  readonly #pending = new Map<string, ContentVersion>();
  /** Bases of an earlier session: until the editor turns out to be clean, a read is not theirs. */
  readonly #restored = new Set<string>();
  readonly #reported = new Map<string, { readonly version: ContentVersion; readonly at: number }>();
  readonly #accepted = new Map<string, ContentVersion>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  base(path: string): ContentVersion | undefined {
    return this.#bases.get(path);
  }

  /** The file was read. With unsaved changes in the editor the base stays what it was. */
  read(path: string, version: ContentVersion, isDirty: boolean): void {
    if ((isDirty || this.#restored.has(path)) && this.#bases.has(path)) {
      this.#pending.set(path, version);
    } else {
      this.#bases.set(path, version);
    }
  }

  /** The editor's copy has no unsaved changes: what was read last is what it shows. */
  becameClean(path: string): void {
    this.#restored.delete(path);
    const pending = this.#pending.get(path);
    if (pending !== undefined) {
      this.#pending.delete(path);
      this.#bases.set(path, pending);
    }
  }

  /** We wrote the file, so the editor's copy is this version. */
  written(path: string, version: ContentVersion): void {
    this.closed(path);
    this.#bases.set(path, version);
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
    for (const known of [this.#bases, this.#pending, this.#reported, this.#accepted]) {
      known.delete(path);
    }
    this.#restored.delete(path);
  }

  /** A `stat` told the editor that the server has this other version. */
  reportConflict(path: string, version: ContentVersion): void {
    this.#reported.set(path, { version, at: this.#now() });
  }

  /** The person decided to replace this version of the server's. */
  acceptOverwrite(path: string, version: ContentVersion): void {
    this.#accepted.set(path, version);
  }

  /**
   * True when a write may replace the server's version: it is the base, or the one that the editor was just told of (it
   * writes then only when the person chose Overwrite), or the one that the person accepted in our own message.
   */
  mayReplace(path: string, server: ContentVersion): boolean {
    const base = this.#bases.get(path);
    if (base === undefined || isSameVersion(base, server)) {
      return true;
    }
    const reported = this.#reported.get(path);
    if (
      reported !== undefined &&
      this.#now() - reported.at <= answerWithin &&
      isSameVersion(reported.version, server)
    ) {
      return true;
    }
    const accepted = this.#accepted.get(path);
    return accepted !== undefined && isSameVersion(accepted, server);
  }

  /** A path, and all below it, has another name now. */
  move(from: string, to: string): void {
    const below = `${from}/`;
    for (const known of [this.#bases, this.#pending] as const) {
      for (const [path, version] of [...known]) {
        if (path === from || path.startsWith(below)) {
          known.delete(path);
          known.set(to + path.slice(from.length), version);
        }
      }
    }
  }

  /** Takes over the bases of an earlier session's unsaved editors. */
  restore(bases: Readonly<Record<string, ContentVersion>>): void {
    for (const [path, version] of Object.entries(bases)) {
      this.#bases.set(path, version);
      this.#restored.add(path);
    }
  }
}
