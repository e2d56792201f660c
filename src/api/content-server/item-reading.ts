import { isNotebookPath } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/content-reading.ts";
import type { CallOptions, ContentCaller } from "../client/client.ts";
import { hasStatus, type PlatformError } from "../http/errors.ts";

/**
 * Query parameters that are not in the API description. Servers that don't support them ignore them, or respond with
 * 400.
 */
interface FurtherQueries {
  readonly type: "file" | "notebook" | "directory";
  readonly format?: "text";
  readonly hash?: 1;
  /** The request doesn't count as activity, for which a hub keeps a server running. */
  readonly no_track_activity?: 1;
}

/** The kinds of items for which each client's server has rejected the extra query parameters. */
const refusals = new WeakMap<ContentCaller, Set<string>>();

/**
 * Reads an item with the extra query parameters. After a 400, reads it again without them. If that succeeds, they are
 * no longer sent to this server for items of this kind. Servers can also ignore them. Throws a PlatformError.
 */
export async function getItem(
  client: ContentCaller,
  path: string,
  content: 0 | 1,
  queries: FurtherQueries,
  options: CallOptions = {},
): Promise<ContentItem> {
  const kind = queries.type === "directory" ? queries.type : isNotebookPath(path) ? "notebook" : "file";
  const known = refusals.get(client);
  if (known?.has(kind)) {
    return client.call(getContent, { path, content }, options);
  }
  let refusal: PlatformError;
  try {
    return await client.call(getContent, { path, content, ...queries }, options);
  } catch (error) {
    if (!hasStatus(error, 400)) {
      throw error;
    }
    refusal = error;
  }
  let item: ContentItem;
  try {
    item = await client.call(getContent, { path, content }, options);
  } catch (error) {
    // Both requests were rejected. The first error is about the request that the caller made.
    throw hasStatus(error, 400) ? refusal : error;
  }
  const isDirectory = item.type === "directory";
  if (kind === "directory" && !isDirectory) {
    throw refusal;
  }
  // For a directory or a binary file, the kind of the item may have caused the 400.
  if (isDirectory === (kind === "directory") && (queries.format === undefined || item.format !== "base64")) {
    refusals.set(client, (known ?? new Set()).add(kind));
  }
  return item;
}
