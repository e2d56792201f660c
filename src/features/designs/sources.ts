import { LRUCache } from "lru-cache";
import type { AccountValue } from "../../api/client/account-scope.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { readDesignAssets } from "../../api/families/design-assets.ts";

/** A version of a design. */
export interface DesignSource {
  readonly designId: string;
  readonly version: string;
}

/** The files of a version's source by path, in the order of the paths. */
export type SourceFiles = ReadonlyMap<string, Uint8Array>;

/** The cache holds 64 MiB of the most recently used sources. */
const maxBytes = 64 * 1024 * 1024;
/** After this time, a draft, which can change, is downloaded again on its next use. */
const retentionMs = 5 * 60_000;

const sourcesOfAccount: AccountValue<
  LRUCache<string, SourceFiles, { readonly client: PlatformClient; readonly source: DesignSource }>
> = {
  create: () =>
    new LRUCache({
      maxSize: maxBytes,
      // A larger source is cached alone.
      sizeCalculation: (files) =>
        Math.min(
          maxBytes,
          [...files.values()].reduce((sum, content) => sum + content.byteLength, 1),
        ),
      ttl: retentionMs,
      fetchMethod: (_, __, { context: { client, source } }) => readDesignAssets(client, source),
    }),
};

/**
 * The source of a design's version, cached in memory for the account for five minutes. Downloads it again if it was
 * evicted from the cache or if `fresh` is set. Throws a PlatformError of kind `asset`.
 */
export async function sourceFiles(
  client: PlatformClient,
  source: DesignSource,
  options: { readonly fresh?: boolean } = {},
): Promise<SourceFiles> {
  const key = [source.designId, source.version].map(encodeURIComponent).join("/");
  const context = { client, source };
  return client.account.get(sourcesOfAccount).forceFetch(key, { context, forceRefresh: options.fresh === true });
}

/** A file that differs between two sources; `isBinary` if the editor can't compare it as text. */
export interface SourceDifference {
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  readonly isBinary: boolean;
}

/** The differences between two sources, by path. */
export function sourceDifferences(before: SourceFiles, after: SourceFiles): readonly SourceDifference[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path): readonly SourceDifference[] => {
    const [old, fresh] = [before.get(path), after.get(path)];
    if (old !== undefined && fresh !== undefined && Buffer.compare(old, fresh) === 0) {
      return [];
    }
    const change = old === undefined ? "added" : fresh === undefined ? "removed" : "changed";
    return [{ path, change, isBinary: [old, fresh].some((content) => content !== undefined && isBinary(content)) }];
  });
}

const examined = 8000;

/** True for content with a zero byte near its start, which the editor treats as binary. */
function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, examined).includes(0);
}
