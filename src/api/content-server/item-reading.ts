import { isNotebookPath } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentCaller } from "../client/client.ts";
import { hasStatus, type PlatformError } from "../http/errors.ts";

/** What content servers can be asked for beyond the API description. A server that does not know it ignores it, or answers 400. */
interface FurtherQueries {
  readonly type: "file" | "directory";
  readonly format?: "text";
  readonly hash?: 1;
}

/** By client: the kinds of item for which its server has refused further queries. */
const refusals = new WeakMap<ContentCaller, Set<string>>();

/**
 * Reads an item with further queries. After a 400 it is read as the API description has it, and when that shows that the
 * queries were refused, the server gets none of them for such items from then on. The answer may be one of a server that
 * ignored them. Throws the PlatformError of what failed.
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
    // Refused in either form: the first refusal is of what was wanted.
    throw hasStatus(error, 400) ? refusal : error;
  }
  const isDirectory = item.type === "directory";
  if (kind === "directory" && !isDirectory) {
    throw refusal;
  }
  // A file that is a folder, or no text, may have been refused as what it was asked for.
  if (isDirectory === (kind === "directory") && (queries.format === undefined || item.format !== "base64")) {
    refusals.set(client, (known ?? new Set()).add(kind));
  }
  return item;
}
