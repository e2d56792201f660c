import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { statContent } from "../../api/content-server/file-content.ts";
import { bigFileIn } from "../session/big-files.ts";
import type { WorkspaceSession } from "../session/workspace-session.ts";
import { versionOf } from "../versions/content-version.ts";

/** A metadata read that was made for a save: it spares the write its own. */
interface SaveCheck {
  readonly item: ContentItem | undefined;
  readonly at: number;
}

/** How long the look at the server that the editor takes before a save serves the write that follows it. */
const checkServesFor = 1_500;

/** The server's metadata of this moment. */
export class MetadataReading {
  readonly #session: WorkspaceSession;
  readonly #checks = new Map<string, SaveCheck>();

  constructor(session: WorkspaceSession) {
    this.#session = session;
  }

  /** The item; undefined for a real 404. */
  async check(path: string): Promise<ContentItem | undefined> {
    return this.#session.share(`check ${path}`, async () => {
      const askedAt = Date.now();
      const item = await this.#ask(path);
      if (item === undefined) {
        this.#session.cache.learnAbsent(path, askedAt);
      } else {
        this.#session.cache.learn({ ...item, path }, askedAt);
        const version = versionOf(item);
        if (version !== undefined) {
          this.#session.versions.complete(path, version);
        }
      }
      return item;
    });
  }

  /** What a check has just brought serves the write that may follow. */
  keepForWrite(path: string, item: ContentItem | undefined): void {
    this.#checks.set(path, { item, at: Date.now() });
  }

  /** The look at the server that the editor's `stat` before this write has just taken, else a new one. */
  async checkForWrite(path: string): Promise<ContentItem | undefined> {
    const check = this.#checks.get(path);
    this.#checks.delete(path);
    if (check !== undefined && Date.now() - check.at <= checkServesFor) {
      return check.item;
    }
    const item = await this.check(path);
    this.#checks.delete(path);
    return item;
  }

  async #ask(path: string): Promise<ContentItem | undefined> {
    const before = this.#session.cache.lookUp(path, Number.POSITIVE_INFINITY);
    const look = {
      expected: before.type === "present" && before.item.type === "directory" ? "directory" : "file",
      withHash: bigFileIn(before) === undefined,
    } as const;
    return this.#session.request((client) => statContent(client, path, look));
  }
}
