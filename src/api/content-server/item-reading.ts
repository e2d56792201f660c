import { isNotebookPath } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/content-reading.ts";
import type { CallOptions, ContentCaller } from "../client/client.ts";
import { hasStatus, type PlatformError } from "../http/errors.ts";

/**
 * Query parameters beyond the API description. A server that does not support them ignores them, or answers with 400.
 */
interface FurtherQueries {
  readonly type: "file" | "directory";
  readonly format?: "text";
  readonly hash?: 1;
}

/** By client: the kinds of item for which its server has refused further queries. */
const refusals = new WeakMap<ContentCaller, Set<string>>();

/**
 * Reads an item with further queries. After a 400, reads it as the API description specifies. If that shows that the
 * queries were refused, the server gets none of them for such items from then on. A server may also ignore the queries.
 * Throws a PlatformError.
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
    // Refused in both forms: the first refusal is about the actual request.
    throw hasStatus(error, 400) ? refusal : error;
  }
  const isDirectory = item.type === "directory";
  if (kind === "directory" && !isDirectory) {
    throw refusal;
  }
  // A directory, or a file that isn't text, may have been refused because of its kind.
  if (isDirectory === (kind === "directory") && (queries.format === undefined || item.format !== "base64")) {
    refusals.set(client, (known ?? new Set()).add(kind));
  }
  return item;
}
