import { nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { renameItem } from "../../api/content-server/contents.ts";
import { deleteTree } from "../../api/content-server/deletion.ts";
import { statContent } from "../../api/content-server/file-content.ts";
import type { FolderLinks } from "../../api/content-server/folder-walk.ts";
import { hasStatus } from "../../api/http/errors.ts";
import { phrase } from "../../api/phrase.ts";
import { FileError, named, notFound, withRemark } from "../errors.ts";
import type { ContentReader } from "../read/content-reader.ts";
import type { DirectoryReader, MetadataReader } from "../read/directory-reader.ts";
import type { ListingCache } from "../session/listing-cache.ts";
import type { OpenEditors } from "../session/open-documents.ts";
import type { PathLocks } from "../session/path-locks.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import type { WorkspaceEvents } from "../session/workspace-events.ts";
import { versionOf } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import { refusedName } from "./file-writer.ts";
import { copyItem } from "./item-copying.ts";
import { besideOf, isSameItem, type Replaced, replaceItem, respellItem } from "./item-replacing.ts";
import type { SaveJournal } from "./save-journal.ts";

interface FileMoverParts {
  readonly server: ServerRequests;
  readonly journal: SaveJournal;
  readonly locks: PathLocks;
  readonly cache: ListingCache;
  readonly versions: EditorVersions;
  readonly editors: OpenEditors;
  readonly events: WorkspaceEvents;
  readonly metadata: MetadataReader;
  readonly directories: DirectoryReader;
  readonly contents: ContentReader;
  readonly linksIn: (folder: string) => Promise<FolderLinks | undefined>;
}

/** Deletes, renames, and copies items in one workspace. */
export class FileMover {
  readonly #parts: FileMoverParts;

  constructor(parts: FileMoverParts) {
    this.#parts = parts;
  }

  /**
   * Deletes a file or directory. Without `recursive`, a directory must be empty. Resolves with `folder` for a directory
   * that may have had content.
   */
  delete(path: string, options: { readonly recursive: boolean }): Promise<"folder" | "item"> {
    return this.#parts.locks.exclusively([path], async () => {
      if (path === "") {
        throw new FileError("refused", path, phrase`The workspace root can't be deleted.`);
      }
      if (!options.recursive) {
        await this.#refuseFull(path);
      }
      try {
        const { linksIn } = this.#parts;
        await this.#parts.server.request((client) => deleteTree(client, path, { linksIn }));
      } catch (error) {
        this.#parts.cache.invalidate(path);
        throw hasStatus(error, 404) ? notFound(path) : refusedName(path, error);
      }
      const known = this.#parts.cache.lookUp(path, Number.POSITIVE_INFINITY);
      const isFolder = known.type === "present" && known.item.type === "directory";
      const isEmpty = this.#parts.directories.lastSeen(path)?.children.length === 0;
      this.#parts.cache.setAbsent(path);
      // The user knows that the file doesn't exist, so a save can create it again.
      this.#parts.versions.deleted(path);
      this.#parts.events.changed({ type: "deleted", path });
      return isFolder && !isEmpty ? "folder" : "item";
    });
  }

  /**
   * Throws unless the path is a file or an empty directory. Requests the listing, because the deletion would include
   * all content.
   */
  async #refuseFull(path: string): Promise<void> {
    if (!(await this.#isDirectory(path, Number.NEGATIVE_INFINITY))) {
      return;
    }
    const { children } = await this.#parts.directories.list(path);
    if (children.length > 0) {
      throw new FileError(
        "notEmpty",
        path,
        children.length === 1
          ? phrase`${path} isn't empty; its 1 item wasn't deleted.`
          : phrase`${path} isn't empty; its ${children.length} items weren't deleted.`,
      );
    }
  }

  /** Renames or moves an item with one PATCH. With `overwrite`, a target is moved aside first, and deleted last. */
  rename(from: string, to: string, options: { readonly overwrite: boolean }): Promise<void> {
    return this.#parts.locks.exclusively([from, to], async () => {
      if (from === to) {
        return;
      }
      this.#refuseInto(from, to);
      await this.#requireParent(to);
      const moved = await this.#invalidatingOnFailure([from, to], () => this.#moveTo(from, to, options.overwrite));
      const wasDirectory = moved.type === "directory";
      this.#parts.cache.setAbsent(from);
      this.#parts.cache.delete(to);
      this.#parts.cache.set({ ...moved, path: to, name: nameOf(to) });
      this.#parts.versions.move(from, to);
      this.#completeMove(to, moved, wasDirectory);
      this.#parts.events.changed({ type: "deleted", path: from }, { type: "created", path: to });
    });
  }

  /**
   * Updates the base version after a move, because some servers change the date of a renamed file. The hash still shows
   * whether the file was changed before. Without a hash, a new date must count as a change.
   */
  #completeMove(to: string, moved: ContentItem, wasDirectory: boolean): void {
    const base = this.#parts.versions.base(to);
    const version = versionOf(moved);
    if (
      !wasDirectory &&
      base?.hash !== undefined &&
      version !== undefined &&
      base.size === version.size &&
      !this.#parts.editors.isDirty(to)
    ) {
      this.#parts.versions.written(to, { ...version, hash: base.hash });
    }
  }

  /** Clears the cache of these paths and their folders after a failure, because part of the work may have been done. */
  async #invalidatingOnFailure<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      for (const path of paths) {
        this.#parts.cache.invalidate(path);
      }
      throw error;
    }
  }

  async #moveTo(from: string, to: string, overwrite: boolean): Promise<ContentItem> {
    try {
      return await this.#patch(from, to);
    } catch (error) {
      if (hasStatus(error, 409)) {
        this.#parts.cache.invalidate(to);
        if (await isSameItem(this.#parts, from, to)) {
          return respellItem(this.#parts, from, to);
        }
        if (!overwrite) {
          throw new FileError("exists", to, phrase`${to} already exists.`);
        }
        return (await replaceItem(this.#parts, from, to, "renaming")).item;
      }
      if (hasStatus(error, 404)) {
        const source = await this.#parts.metadata.statContent(from);
        throw notFound(source === undefined ? from : parentOf(to));
      }
      throw refusedName(to, error);
    }
  }

  #patch(from: string, to: string): Promise<ContentItem> {
    return this.#parts.server.request((client) => renameItem(client, from, to));
  }

  /** Copies a file or directory, on the server if it supports that. */
  copy(from: string, to: string, options: { readonly overwrite: boolean }): Promise<void> {
    return this.#parts.locks.exclusively([to], async () => {
      if (from === to) {
        throw new FileError("exists", to, phrase`${to} can't be copied onto itself.`);
      }
      this.#refuseInto(from, to);
      const known = this.#parts.cache.lookUp(to);
      if (
        known.type === "present" &&
        !options.overwrite &&
        (await this.#parts.metadata.statContent(to)) !== undefined
      ) {
        throw new FileError("exists", to, phrase`${to} already exists.`);
      }
      const isDirectory = await this.#isDirectory(from);
      if (isDirectory) {
        await this.#requireParent(to);
      }
      const { item, isReplacing } = await this.#invalidatingOnFailure([to], () =>
        known.type === "present" && options.overwrite
          ? this.#copyReplacing(from, to, isDirectory)
          : this.#copyAnew(from, to, isDirectory, options.overwrite),
      );
      this.#parts.cache.delete(to);
      this.#parts.cache.set({ ...item, path: to, name: nameOf(to) });
      this.#parts.events.changed({ type: isReplacing ? "changed" : "created", path: to });
    });
  }

  async #copyAnew(from: string, to: string, isDirectory: boolean, overwrite: boolean): Promise<Replaced> {
    try {
      const item = await copyItem(this.#parts, from, to, isDirectory);
      return { item, isReplacing: false };
    } catch (error) {
      const isTaken = hasStatus(error, 409) || (error instanceof FileError && error.kind === "exists");
      if (isTaken && overwrite) {
        return this.#copyReplacing(from, to, isDirectory);
      }
      throw isTaken ? new FileError("exists", to, phrase`${to} already exists.`) : error;
    }
  }

  /** Copies to a temporary name next to the target, and replaces the target when the copy is complete. */
  async #copyReplacing(from: string, to: string, isDirectory: boolean): Promise<Replaced> {
    const beside = besideOf(to, "copying");
    const aside = besideOf(to, "replaced");
    const { journal } = this.#parts;
    await journal.record({ stage: "copying", target: to, source: beside, aside, upload: aside });
    try {
      await copyItem(this.#parts, from, beside, isDirectory);
    } catch (error) {
      journal.failed(aside);
      throw error;
    }
    try {
      return await replaceItem(this.#parts, beside, to, "copying", aside);
    } catch (error) {
      journal.failed(aside);
      throw (await this.#isLeft(beside)) ? withRemark(error, phrase`The copy still exists as ${beside}.`) : error;
    }
  }

  /** Deletes a temporary copy. Resolves with true if it still exists, or might still exist. */
  async #isLeft(beside: string): Promise<boolean> {
    const { server } = this.#parts;
    try {
      await server.request((client) => deleteTree(client, beside));
      return false;
    } catch {
      // Some servers refuse a deletion before they look for the item.
      return server
        .request((client) => statContent(client, beside, { expected: "any" }))
        .then(
          (item) => item !== undefined,
          () => true,
        );
    }
  }

  /**
   * Throws if the parent folder is missing, because some servers create it implicitly. Checks paths that are cached as
   * files again, because they may be directories now.
   */
  async #requireParent(to: string): Promise<void> {
    const parent = parentOf(to);
    const known = this.#parts.cache.lookUp(parent);
    if (parent === "" || (known.type === "present" && known.item.type === "directory")) {
      return;
    }
    const item = await this.#parts.metadata.statContent(parent);
    if (item === undefined) {
      throw notFound(parent);
    }
    if (item.type !== "directory") {
      throw new FileError("notDirectory", parent, phrase`${parent} isn't a folder.`);
    }
  }

  async #isDirectory(path: string, maxAgeMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const hint = this.#parts.cache.lookUp(path, maxAgeMs);
    if (hint.type === "present") {
      return hint.item.type === "directory";
    }
    const item = await this.#parts.metadata.statContent(path);
    if (item === undefined) {
      throw notFound(path);
    }
    return item.type === "directory";
  }

  #refuseInto(from: string, to: string): void {
    if (from === "" || to === "") {
      throw new FileError("refused", from, phrase`The workspace root can't be moved or replaced.`);
    }
    if (to.startsWith(`${from}/`)) {
      throw new FileError("refused", from, phrase`${named(from)} can't be moved or copied into itself.`);
    }
  }
}
