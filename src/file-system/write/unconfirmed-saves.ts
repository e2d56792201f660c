import { LRUCache } from "lru-cache";
import { isSameContent } from "../../api/content-server/write-verification.ts";
import { mayHaveHappened } from "../../api/http/errors.ts";
import type { ContentReader } from "../read/content-reader.ts";
import type { NotebookModels } from "../read/notebook-models.ts";
import type { SavedCopy } from "../session/open-documents.ts";
import { type ContentVersion, isSameVersion } from "../versions/content-version.ts";
import type { CopyKind, EditorVersions } from "../versions/editor-versions.ts";

/** The number of saves that are kept, newest first, and the size of the largest one in bytes. */
const maxSaves = 20;
const maxSaveBytes = 16_000_000;

interface OwnVersionParts {
  readonly contents: Pick<ContentReader, "peek">;
  readonly models: Pick<NotebookModels, "includes">;
  readonly versions: Pick<EditorVersions, "baseContent" | "baseOf" | "rebase">;
}

/** The content that a save sends, the editor's copy that it comes from, and the version that this is based on at that time. */
interface Sent {
  readonly bytes: Uint8Array;
  readonly kind: CopyKind | undefined;
  readonly base: ContentVersion | undefined;
}

/**
 * The content of failed saves that the server may have stored anyway. A server version with exactly this content is the
 * user's own, while the same editor's copy is still based on the same version. For another editor of the file, it is a
 * change that its copy doesn't have. After the file is read again, it may be someone else's. Kept until the window is
 * reloaded.
 */
export class UnconfirmedSaves {
  readonly #sent = new LRUCache<string, Sent>({
    max: maxSaves,
    // A larger one replaces the earlier content of its path, too.
    maxEntrySize: maxSaveBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.byteLength),
  });

  /** Runs the write of a file. If the outcome is unknown, keeps the sent content until the file is written again. */
  async follow<T>(path: string, sent: Sent, write: () => Promise<T>): Promise<T> {
    try {
      const written = await write();
      this.#sent.delete(path);
      return written;
    } catch (error) {
      if (mayHaveHappened(error)) {
        this.#sent.set(path, sent);
      }
      throw error;
    }
  }

  /**
   * True if the server's version is exactly what an earlier save of the copy sent, or if it has the content of the base: if
   * the version of that has no hash, or if a server with jupytext reports it differently after its restart. It then becomes
   * the copy's base.
   */
  async takeOwn(
    { contents, models, versions }: OwnVersionParts,
    path: string,
    server: ContentVersion,
    copy: SavedCopy | undefined,
  ): Promise<boolean> {
    const isModel = models.includes(path);
    const base = versions.baseOf(path, copy?.kind, copy?.key);
    // Without hashes to compare, another date doesn't mean another content.
    const isHashed = base?.hash !== undefined && server.hash !== undefined;
    const isDated = base !== undefined && !isHashed && base.size === server.size;
    const own =
      this.sentFrom(path, copy?.kind, base) ??
      (isModel || isDated ? versions.baseContent(path, copy?.kind, copy?.key) : undefined);
    if (own === undefined) {
      return false;
    }
    // A version that can't be read may be someone else's.
    const now = await contents.peek(path).catch(() => undefined);
    if (now === undefined || !(isModel || isSameVersion(now.version, server))) {
      return false;
    }
    if (!isSameContent(path, now.bytes, own)) {
      return false;
    }
    versions.rebase(path, now.version, now.bytes, copy?.kind);
    return true;
  }

  /** The bytes that were last sent from this copy of this version, if the server may have stored them. */
  sentFrom(path: string, kind: CopyKind | undefined, base: ContentVersion | undefined): Uint8Array | undefined {
    const sent = this.#sent.get(path);
    const isSameBase = sent?.base !== undefined && base !== undefined && isSameVersion(sent.base, base);
    return isSameBase && sent.kind === kind ? sent.bytes : undefined;
  }
}
