import { absentOr404, isProbe, seen } from "./absence.ts";
import type { FileContent } from "./big-file-reading.ts";
import { bigFileIn } from "./big-files.ts";
import { type ContentVersion, versionOf } from "./content-version.ts";
import type { DirectoryReading } from "./directory-reading.ts";
import { FileFault, incomplete, notFound } from "./file-fault.ts";
import { readItem } from "./item-reading.ts";
import type { Admission } from "./long-transfers.ts";
import type { MetadataReading } from "./metadata-reading.ts";
import type { WorkspaceSession } from "./workspace-session.ts";

/** The bytes of one workspace's files. */
export class ContentReading {
  readonly #session: WorkspaceSession;
  readonly #metadata: MetadataReading;
  readonly #directories: DirectoryReading;
  /** False once the server turned out to give no raw bytes of a file that it has. */
  #hasRawFiles = true;

  constructor(session: WorkspaceSession, metadata: MetadataReading, directories: DirectoryReading) {
    this.#session = session;
    this.#metadata = metadata;
    this.#directories = directories;
  }

  /** A file's exact bytes. What came is the version that the editor's copy is of. */
  async read(path: string): Promise<Uint8Array> {
    await this.#refuseAbsent(path);
    if (!this.#session.editors.isOpen(path)) {
      this.#session.opened(path);
    }
    return this.#session.share(`read ${path}`, async () => {
      const askedAt = Date.now();
      const { item, bytes } = await absentOr404(this.#session, path, () => this.#readWhole(path, "toEdit"));
      const version = versionOf(item);
      if (version === undefined) {
        throw incomplete(path);
      }
      this.#session.versions.read(path, version, this.#session.editors.isOpen(path), bytes);
      this.#session.cache.learn({ ...item, path }, askedAt);
      return bytes;
    });
  }

  /**
   * The server's bytes of this moment, to look at, with the version that they are: the one that the editor's copy came
   * from stays what it is. Throws a FileFault where the server does not tell the version.
   */
  async peek(path: string): Promise<{ readonly bytes: Uint8Array; readonly version: ContentVersion }> {
    const { item, bytes } = await absentOr404(this.#session, path, () => this.#readWhole(path, "toLookAt"));
    const version = versionOf(item);
    if (version === undefined) {
      throw incomplete(path);
    }
    return { bytes, version };
  }

  /** A file that is known to be big is read as raw bytes where the server has them, any other one in one request. */
  async #readWhole(path: string, purpose: "toEdit" | "toLookAt"): Promise<FileContent> {
    const big = bigFileIn(this.#session.cache.lookUp(path, Number.POSITIVE_INFINITY));
    if (big === undefined) {
      return readItem(this.#session, path);
    }
    const { transfers } = this.#session;
    const admission: Admission = purpose === "toEdit" ? await transfers.admit(path, big.size) : { type: "open" };
    if (admission.type === "refused") {
      throw new FileFault("cancelled", path, `${path} was not opened.`);
    }
    const action = admission.type;
    const { cancelledOr, readBigFile } = await import("./big-file-reading.ts");
    const content = await transfers.run({ action, path, bytes: big.size }, async (control) => {
      const raw = this.#hasRawFiles
        ? await readBigFile(this.#session, { ...big, path }, () => this.#metadata.check(path), control)
        : undefined;
      if (raw?.type === "read") {
        return raw.content;
      }
      const whole = await readItem(this.#session, path, {
        signal: control.signal,
        // As JSON it takes a third more than its bytes.
        onReceived: (bytes, total = big.size * 1.37) => control.onMoved(bytes / total),
      }).catch((error: unknown) => {
        throw cancelledOr(error, path, `Opening ${path} was cancelled.`);
      });
      this.#hasRawFiles &&= !(raw?.type === "refused" && raw.isFinal);
      return whole;
    });
    if (admission.type === "download") {
      await admission.keep(content.bytes);
    }
    return content;
  }

  /**
   * Spares the server the dozens of files that the editor looks for and that are not there: they are read only when the
   * root's listing has them. What was seen before is read at once, and so is anything else: a kernel may just have made it.
   */
  async #refuseAbsent(path: string): Promise<void> {
    const hint = this.#session.cache.lookUp(path, Number.POSITIVE_INFINITY);
    if (!isProbe(path) || hint.type === "present") {
      return;
    }
    if (seen(this.#session, path).type === "unknown") {
      await this.#directories.listOrLearn("");
    }
    if (seen(this.#session, path).type === "absent") {
      throw notFound(path);
    }
  }
}
