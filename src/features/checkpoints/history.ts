import * as vscode from "vscode";
import { nameOf, parentOf, splitExtension } from "../../api/catalogue/content-path.ts";
import type { Checkpoint } from "../../api/catalogue/models/contents.ts";
import {
  createCheckpoint,
  deleteCheckpoint,
  listCheckpoints,
  restoreCheckpoint,
} from "../../api/catalogue/operations/checkpoints.ts";
import { updateContent } from "../../api/catalogue/operations/contents.ts";
import type { ContentClient } from "../../api/client/client.ts";
import { fileBodyFor } from "../../api/content-server/content-types.ts";
import { readFileContent } from "../../api/content-server/file-content.ts";
import { causeOf } from "../../api/http/errors.ts";
import type { WorkspaceFiles } from "../../file-system/provider/workspace-files.ts";
import { type ContentVersion, isSameVersion, versionOf } from "../../file-system/versions/content-version.ts";
import { errorText } from "../../tenants/error-text.ts";
import { type FileAddress, uriOf } from "../../tenants/workspace-uri.ts";
import { type CheckpointKey, type StoredVersion, StoredVersions } from "./stored-versions.ts";

/** A state of a file for comparing and restoring. */
export type HistoryEntry =
  | { readonly type: "checkpoint"; readonly checkpoint: Checkpoint }
  | { readonly type: "kept"; readonly kept: StoredVersion };

/** The result of a restore, which is needed to undo it. */
export interface Restored {
  readonly before: Uint8Array;
  readonly after: ContentVersion;
}

/** The parts of a workspace's files that checkpoints need. */
type HistoryFiles = Pick<WorkspaceFiles, "server" | "locks" | "cache" | "events" | "metadata" | "contents">;

/** The server does not return a checkpoint's content without restoring it. */
export class UnreadableCheckpoint extends Error {
  override readonly name = "UnreadableCheckpoint";
}

/**
 * The history of one file: its checkpoints on the server, and the versions that were saved on this computer before they
 * were replaced. Some servers keep only one checkpoint per file, so a new checkpoint deletes the previous one.
 * Therefore, `restore` creates a checkpoint of the current content only if that can't delete the one to restore. The
 * content is always saved on this computer.
 */
export class CheckpointHistory {
  readonly #files: HistoryFiles;
  readonly #path: string;
  readonly #address: string;
  readonly #kept: StoredVersions;

  constructor(
    files: { workspace(tenantId: string, workspaceId: string): HistoryFiles },
    storage: { readonly fsPath: string },
    { tenantId, workspaceId, path }: FileAddress,
  ) {
    const uri = uriOf(tenantId, workspaceId, path);
    this.#files = files.workspace(tenantId, workspaceId);
    this.#path = path;
    this.#address = uri.toString();
    this.#kept = new StoredVersions(storage.fsPath);
  }

  /** The checkpoints on the server, newest first, then the versions on this computer. */
  async list(): Promise<readonly HistoryEntry[]> {
    const checkpoints = await this.#onServer((checkpoints) => checkpoints.list());
    const kept = await this.#kept.list(this.#address);
    return [
      ...checkpoints.map((checkpoint): HistoryEntry => ({ type: "checkpoint", checkpoint })),
      ...kept
        .filter(({ reason }) => reason !== "checkpoint")
        .map((version): HistoryEntry => ({ type: "kept", kept: version })),
    ];
  }

  /** Creates a checkpoint of the saved file. Also stores its content on this computer, for comparisons. */
  create(): Promise<Checkpoint> {
    return this.#files.locks.exclusively([this.#path], async () => {
      const { bytes, version } = await this.#files.contents.peek(this.#path);
      const checkpoint = await this.#onServer((checkpoints) => checkpoints.create());
      const after = await this.#files.metadata.statContent(this.#path);
      const now = after === undefined ? undefined : versionOf(after);
      if (now !== undefined && isSameVersion(version, now)) {
        await this.#kept.storeCheckpoint(this.#address, bytes, checkpointKey(checkpoint));
      }
      return checkpoint;
    });
  }

  /**
   * Saves the server's version on this computer, and as a checkpoint if possible. Throws if the file has changed since
   * then, or if the version can't be stored on this computer.
   */
  async storeReplaced(server: ContentVersion): Promise<void> {
    const { bytes, version } = await this.#files.contents.peek(this.#path, "stored");
    if (!isSameVersion(version, server)) {
      throw new Error(
        vscode.l10n.t("{0} was changed on the server again. Nothing was overwritten.", nameOf(this.#path)),
      );
    }
    await this.#kept.store(this.#address, bytes, { reason: "overwrite" });
    try {
      const checkpoint = await this.#onServer((checkpoints) => checkpoints.create());
      await this.#kept.storeCheckpoint(this.#address, bytes, checkpointKey(checkpoint));
    } catch {
      // The content is saved on this computer. A server without checkpoints must not block the user's decision.
    }
  }

  /** The bytes of an entry. Throws an UnreadableCheckpoint if the server does not return them. */
  async content(entry: HistoryEntry): Promise<Uint8Array> {
    if (entry.type === "kept") {
      return this.#kept.read(this.#address, entry.kept);
    }
    const key = checkpointKey(entry.checkpoint);
    const known = key === undefined ? undefined : await this.#kept.contentOf(this.#address, key);
    const bytes = known ?? (await this.#readHidden(entry.checkpoint));
    if (bytes === undefined) {
      throw new UnreadableCheckpoint(entry.checkpoint.id);
    }
    return bytes;
  }

  /**
   * Reads a checkpoint by restoring it, reading the file, and writing back the previous content, byte for byte. The
   * previous content is saved on this computer first. If someone else writes the file meanwhile, their version is kept.
   */
  readThroughFile(checkpoint: Checkpoint): Promise<Uint8Array> {
    return this.#files.locks.exclusively([this.#path], async () => {
      const before = await this.#files.contents.peek(this.#path);
      const safe = await this.#kept.store(this.#address, before.bytes, { reason: "reading" });
      try {
        await this.#onServer((checkpoints) => checkpoints.restore(checkpoint));
        const after = await this.#files.contents.peek(this.#path);
        await this.#replace(before.bytes, after.version);
        await this.#kept.storeCheckpoint(this.#address, after.bytes, checkpointKey(checkpoint));
        await this.#kept.delete(this.#address, safe);
        return after.bytes;
      } catch (error) {
        const words = errorText(error);
        throw new Error(
          vscode.l10n.t(
            "{0} may have the checkpoint's content now: {1} To restore the previous content, run Platform: List Checkpoints…",
            nameOf(this.#path),
            words,
          ),
        );
      } finally {
        await this.#tellChanged();
      }
    });
  }

  /** Replaces the file with an entry, after saving the current content on this computer. */
  restore(entry: HistoryEntry): Promise<Restored> {
    return this.#files.locks.exclusively([this.#path], async () => {
      const before = await this.#files.contents.peek(this.#path);
      await this.#kept.store(this.#address, before.bytes, { reason: "restore" });
      if (entry.type === "kept") {
        await this.#replace(await this.content(entry), before.version);
      } else {
        await this.#keepOnServer(entry.checkpoint);
        await this.#onServer((checkpoints) => checkpoints.restore(entry.checkpoint));
      }
      const after = await this.#files.contents.peek(this.#path);
      if (entry.type === "checkpoint") {
        await this.#kept.storeCheckpoint(this.#address, after.bytes, checkpointKey(entry.checkpoint));
      }
      await this.#tellChanged();
      return { before: before.bytes, after: after.version };
    });
  }

  /** Undoes a restore. Throws if the file was changed since then. */
  undo({ before, after }: Restored): Promise<void> {
    return this.#files.locks.exclusively([this.#path], async () => {
      await this.#replace(before, after);
      await this.#tellChanged();
    });
  }

  async delete(entry: HistoryEntry): Promise<void> {
    if (entry.type === "kept") {
      await this.#kept.delete(this.#address, entry.kept);
    } else {
      await this.#onServer((checkpoints) => checkpoints.delete(entry.checkpoint));
    }
  }

  /**
   * Creates a checkpoint if the server has several and the one to restore is not the oldest, which the server may
   * delete.
   */
  async #keepOnServer(restored: Checkpoint): Promise<void> {
    const all = await this.#onServer((checkpoints) => checkpoints.list());
    if (all.length > 1 && all.at(-1)?.id !== restored.id) {
      await this.#onServer((checkpoints) => checkpoints.create());
    }
  }

  /** Writes bytes to the file. Throws if its version is not the expected one. */
  async #replace(bytes: Uint8Array, expected: ContentVersion): Promise<void> {
    const item = await this.#files.metadata.statContent(this.#path);
    const now = item === undefined ? undefined : versionOf(item);
    if (now === undefined || !isSameVersion(now, expected)) {
      this.#files.events.changed({ type: "changed", path: this.#path });
      throw new Error(
        vscode.l10n.t(
          "{0} was changed on the server in the meantime and wasn't restored. To get its previous content, run Platform: List Checkpoints…",
          nameOf(this.#path),
        ),
      );
    }
    await this.#files.server.request((client) =>
      client.call(updateContent, { path: this.#path, body: fileBodyFor(bytes) }),
    );
  }

  /** Updates the editors that show the file. */
  async #tellChanged(): Promise<void> {
    await this.#files.metadata.statContent(this.#path).catch(() => this.#files.cache.delete(this.#path));
    this.#files.events.changed({ type: "changed", path: this.#path });
  }

  /**
   * Reads a checkpoint's content from a hidden file with its name and date, on servers that return hidden files.
   * Undefined if there is none.
   */
  async #readHidden(checkpoint: Checkpoint): Promise<Uint8Array | undefined> {
    const name = nameOf(this.#path);
    const [stem, extension] = splitExtension(name);
    const folder = parentOf(this.#path);
    const path = `${folder === "" ? "" : `${folder}/`}.ipynb_checkpoints/${stem}-${checkpoint.id}${extension}`;
    try {
      const read = await this.#files.server.request((client) => readFileContent(client, path));
      const isOfCheckpoint = read.type === "file" && read.item.last_modified === checkpoint.last_modified;
      return isOfCheckpoint ? read.bytes : undefined;
    } catch (error) {
      if (causeOf(error)?.type === "status") {
        return undefined;
      }
      throw error;
    }
  }

  #onServer<T>(work: (checkpoints: FileCheckpoints) => Promise<T>): Promise<T> {
    return this.#files.server.request((client: ContentClient) => work(new FileCheckpoints(client, this.#path)));
  }
}

function checkpointKey({ id, last_modified: lastModified }: Checkpoint): CheckpointKey | undefined {
  return typeof lastModified === "string" ? { id, lastModified } : undefined;
}

/** The checkpoints of one file or notebook on its content server. */
class FileCheckpoints {
  readonly #client: ContentClient;
  readonly #path: string;

  constructor(client: ContentClient, path: string) {
    this.#client = client;
    this.#path = path;
  }

  /** Newest first. Checkpoints without a date come last. */
  async list(): Promise<readonly Checkpoint[]> {
    const all = await this.#client.call(listCheckpoints, { path: this.#path });
    return all.toSorted((one, other) => checkpointTime(other) - checkpointTime(one));
  }

  create(): Promise<Checkpoint> {
    return this.#client.call(createCheckpoint, { path: this.#path });
  }

  async restore({ id }: Checkpoint): Promise<void> {
    await this.#client.call(restoreCheckpoint, { path: this.#path, checkpointId: id });
  }

  async delete({ id }: Checkpoint): Promise<void> {
    await this.#client.call(deleteCheckpoint, { path: this.#path, checkpointId: id });
  }
}

function checkpointTime({ last_modified: time }: Checkpoint): number {
  const parsed = Date.parse(time ?? "");
  return Number.isNaN(parsed) ? Number.NEGATIVE_INFINITY : parsed;
}
