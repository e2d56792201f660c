import { mayHaveHappened } from "../../api/http/errors.ts";
import { type ContentVersion, isSameVersion } from "../versions/content-version.ts";

/** The number of saves that are kept, newest first, and the size of the largest one in bytes. */
const mostSaves = 20;
const largestSave = 16_000_000;

/** The content that a save sends, and the version that the editor's copy is based on at that time. */
interface Sent {
  readonly bytes: Uint8Array;
  readonly base: ContentVersion | undefined;
}

/**
 * The content of failed saves that the server may have stored anyway. A server version with exactly this content is the
 * user's own, while the editor's copy is still based on the same version. After the file is read again, it may be
 * someone else's. Kept until the window is reloaded.
 */
export class UnconfirmedSaves {
  readonly #sent = new Map<string, Sent>();

  /** Runs the write of a file. If the outcome is unknown, keeps the sent content until the file is written again. */
  async follow<T>(path: string, sent: Sent, write: () => Promise<T>): Promise<T> {
    try {
      const written = await write();
      this.#sent.delete(path);
      return written;
    } catch (error) {
      if (mayHaveHappened(error)) {
        this.#remember(path, sent);
      }
      throw error;
    }
  }

  /** The bytes that were last sent from a copy of this version, if the server may have stored them. */
  sentFrom(path: string, base: ContentVersion | undefined): Uint8Array | undefined {
    const sent = this.#sent.get(path);
    const isSameBase = sent?.base !== undefined && base !== undefined && isSameVersion(sent.base, base);
    return isSameBase ? sent.bytes : undefined;
  }

  #remember(path: string, sent: Sent): void {
    this.#sent.delete(path);
    if (sent.bytes.byteLength > largestSave) {
      return;
    }
    this.#sent.set(path, sent);
    for (const oldest of this.#sent.keys()) {
      if (this.#sent.size > mostSaves) {
        this.#sent.delete(oldest);
      }
    }
  }
}
