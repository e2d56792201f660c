import { joinPath, nameOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { type EntryKind, kindOf } from "../read/directory-reader.ts";
import type { FileChange } from "../session/workspace-events.ts";

interface Entry {
  readonly kind: EntryKind;
  /** Empty for a directory, whose changes are reported by its own polling. */
  readonly version: string;
}

/** The state of a polled directory when its changes were last reported: each name's kind, and each file's version. */
export class DirectorySnapshot {
  #entries: Map<string, Entry> | undefined;
  #etag: string | undefined;
  /** Versions of open files that were already reported. */
  #reported: ReadonlySet<string> = new Set();

  /** False until the first listing. */
  get isTaken(): boolean {
    return this.#entries !== undefined;
  }

  /** Number of entries; 0 before the first listing. */
  get size(): number {
    return this.#entries?.size ?? 0;
  }

  /** ETag of the listing, if it has one. */
  get etag(): string | undefined {
    return this.#etag;
  }

  /** True if the directory is known not to contain this name. */
  lacks(name: string): boolean {
    return this.#entries !== undefined && !this.#entries.has(name);
  }

  /** Applies one of our own changes, which was already reported. `item` is undefined for a deletion. */
  apply(name: string, item: ContentItem | undefined): void {
    if (item === undefined) {
      this.#entries?.delete(name);
    } else {
      this.#entries?.set(name, entryOf(item));
    }
  }

  /** Applies a newer listing. Returns the changes since the last one, each once, and deletions first. */
  update(
    directory: string,
    listing: { readonly children: readonly ContentItem[]; readonly etag: string | undefined },
  ): readonly FileChange[] {
    const before = this.#entries;
    const after = new Map(listing.children.map((child) => [child.name, entryOf(child)]));
    this.#entries = after;
    this.#etag = listing.etag;
    if (before === undefined) {
      return [];
    }
    const gone: FileChange[] = [];
    const come: FileChange[] = [];
    for (const [name, old] of before) {
      if (after.get(name)?.kind !== old.kind) {
        gone.push({ type: "deleted", path: joinPath(directory, name) });
      }
    }
    for (const [name, now] of after) {
      const old = before.get(name);
      if (old === undefined || old.kind !== now.kind) {
        come.push({ type: "created", path: joinPath(directory, name) });
      } else if (old.version !== now.version) {
        come.push({ type: "changed", path: joinPath(directory, name) });
      }
    }
    return [...gone, ...come];
  }

  /** The files whose version in this snapshot has not been reported yet. Marks them as reported. */
  drainUnreported(files: readonly string[]): readonly string[] {
    const versionOf = (file: string): string => `${file} ${this.#entries?.get(nameOf(file))?.version}`;
    const unreported = files.filter((file) => !this.#reported.has(versionOf(file)));
    this.#reported = new Set(files.map(versionOf));
    return unreported;
  }
}

function entryOf(item: ContentItem): Entry {
  const kind = kindOf(item);
  return { kind, version: kind === "directory" ? "" : `${item.last_modified ?? ""} ${item.size ?? ""}` };
}
