import { isHiddenPath } from "../../api/catalogue/content-path.ts";
import { hasStatus } from "../../api/http/errors.ts";
import { notFound } from "../errors.ts";
import type { ExplorerRevalidation } from "./explorer-revalidation.ts";
import type { Knowledge, ListingCache } from "./listing-cache.ts";

/**
 * True for paths that the editor probes by itself. A window of VS Code 1.139 that opens a folder and then files in nine
 * languages probes `.vscode/*`, `.mcp.json`, `.claude/*`, `.github/agents`, `.github/copilot/*`, `.vimrc`,
 * `.config/nvim/*`, `.local/share/JetBrains/*`, `eclipse/eclipse`. All of them begin with a dot, except for the last
 * one, which is probed only once.
 */
export function isProbe(path: string): boolean {
  return isHiddenPath(path);
}

/** Caches missing paths, so that the dozens of files that the editor probes don't need a request each. */
export class NegativeCache {
  readonly #cache: ListingCache;
  readonly #revalidation: ExplorerRevalidation;

  constructor(cache: ListingCache, revalidation: ExplorerRevalidation) {
    this.#cache = cache;
    this.#revalidation = revalidation;
  }

  /** The cached state that can be returned. Folders that the editor is only revalidating stay unchanged. */
  lookUp(path: string): Knowledge {
    const before = this.#cache.hint(path);
    const isFolder = before.type === "present" && before.item.type === "directory";
    const isRevalidated = (isFolder || isProbe(path)) && this.#revalidation.isExpected(path);
    return isRevalidated ? before : this.#cache.lookUp(path);
  }

  /** Makes a request. A 404 is cached, and becomes the FileError for a missing item. */
  async request<T>(path: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (hasStatus(error, 404)) {
        this.#cache.setAbsent(path);
        throw notFound(path);
      }
      throw error;
    }
  }
}
