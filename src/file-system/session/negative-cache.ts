import { isHiddenPath } from "../../api/catalogue/content-path.ts";
import { hasStatus } from "../../api/http/errors.ts";
import { notFound } from "../errors.ts";
import type { ExplorerRevalidation } from "./explorer-revalidation.ts";
import type { Knowledge, ListingCache } from "./listing-cache.ts";

/**
 * A path of the kind that the editor tries without anybody having named it. Seen in a window of VS Code 1.139 that opens
 * on a folder, and then opens files of nine languages: `.vscode/*`, `.mcp.json`, `.claude/*`, `.github/agents`,
 * `.github/copilot/*`, `.vimrc`, `.config/nvim/*`, `.local/share/JetBrains/*`, `eclipse/eclipse`. All but the last, which is
 * looked for only once, have a dot in front.
 */
export function isProbe(path: string): boolean {
  return isHiddenPath(path);
}

/** Remembers what does not exist, so that the dozens of files that the editor probes cost no request each. */
export class NegativeCache {
  readonly #cache: ListingCache;
  readonly #revalidation: ExplorerRevalidation;

  constructor(cache: ListingCache, revalidation: ExplorerRevalidation) {
    this.#cache = cache;
    this.#revalidation = revalidation;
  }

  /** What is known well enough to answer with; folders that the editor only revalidates are as it last saw them. */
  lookUp(path: string): Knowledge {
    const before = this.#cache.hint(path);
    const isFolder = before.type === "present" && before.item.type === "directory";
    const isRevalidated = (isFolder || isProbe(path)) && this.#revalidation.isExpected(path);
    return isRevalidated ? before : this.#cache.lookUp(path);
  }

  /** Makes the request. A 404 is remembered, and becomes the FileError for a missing item. */
  async request<T>(path: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (hasStatus(error, 404)) {
        this.#cache.learnAbsent(path);
        throw notFound(path);
      }
      throw error;
    }
  }
}
