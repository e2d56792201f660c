import type { PlatformClient } from "../../api/client/client.ts";
import { readDesignAssets } from "../../api/families/design-assets.ts";

/** A version of a tenant's design. */
export interface DesignSource {
  readonly tenantId: string;
  readonly designId: string;
  readonly version: string;
}

/** The files of a version's source by path, in the order of the paths. */
export type SourceFiles = ReadonlyMap<string, Uint8Array>;

/** The cache holds 64 MiB of the most recently used sources. */
const mostBytes = 64 * 1024 * 1024;
/** After this time, a draft, which can change, is downloaded again on its next use. */
const keptFor = 5 * 60_000;

interface Kept {
  readonly until: number;
  readonly files: Promise<SourceFiles>;
  bytes: number;
}

const kept = new Map<string, Kept>();

/**
 * The source of a design's version, cached in memory for five minutes. Downloads it again if it was evicted from the
 * cache or if `fresh` is set. Throws a PlatformError of kind `asset`.
 */
export async function sourceFiles(
  client: PlatformClient,
  source: DesignSource,
  options: { readonly fresh?: boolean } = {},
): Promise<SourceFiles> {
  const key = [source.tenantId, source.designId, source.version].map(encodeURIComponent).join("/");
  const before = options.fresh === true ? undefined : kept.get(key);
  if (before !== undefined && before.until > Date.now()) {
    kept.delete(key);
    kept.set(key, before);
    return before.files;
  }
  const entry: Kept = { until: Date.now() + keptFor, files: readDesignAssets(client, source), bytes: 0 };
  kept.set(key, entry);
  try {
    const files = await entry.files;
    entry.bytes = [...files.values()].reduce((sum, content) => sum + content.byteLength, 0);
    forgetOldest();
    return files;
  } catch (error) {
    if (kept.get(key) === entry) {
      kept.delete(key);
    }
    throw error;
  }
}

function forgetOldest(): void {
  let bytes = [...kept.values()].reduce((sum, entry) => sum + entry.bytes, 0);
  for (const [key, entry] of kept) {
    if (bytes <= mostBytes || kept.size === 1) {
      return;
    }
    bytes -= entry.bytes;
    kept.delete(key);
  }
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
