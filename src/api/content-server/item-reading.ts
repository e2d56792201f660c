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

/** Number of paths whose rejection shows that the server rejects the extra queries. One could be, for example, unreadable. */
const maxRejected = 2;

/**
 * The paths for which a client's server has rejected the extra query parameters for items of one kind; `accepted` if it
 * has accepted them for any.
 */
type Experience = Set<string> | "accepted";

const experiences = new WeakMap<ContentCaller, Map<string, Experience>>();

/**
 * Reads an item with the extra query parameters. After a 400, reads it again without them. If that succeeds, they are no
 * longer sent for this item, and after the second item not for others of its kind, unless the server has accepted them
 * for one. Servers can also ignore them. Throws a PlatformError.
 */
export async function getItem(
  client: ContentCaller,
  path: string,
  content: 0 | 1,
  queries: FurtherQueries,
  options: CallOptions = {},
): Promise<ContentItem> {
  const kind = queries.type === "directory" ? queries.type : isNotebookPath(path) ? "notebook" : "file";
  const ofClient = experiences.get(client) ?? new Map<string, Experience>();
  experiences.set(client, ofClient);
  const known = ofClient.get(kind) ?? new Set();
  if (known !== "accepted" && (known.size >= maxRejected || known.has(path))) {
    return client.call(getContent, { path, content }, options);
  }
  let refusal: PlatformError;
  try {
    const accepted = await client.call(getContent, { path, content, ...queries }, options);
    ofClient.set(kind, "accepted");
    return accepted;
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
  const isOfKind = isDirectory === (kind === "directory") && (queries.format === undefined || item.format !== "base64");
  // So may a broken link, which can't be written. Later it may lead to a file again, whose version only the hash shows.
  const mayBeBrokenLink = item.writable === false;
  const current = ofClient.get(kind) ?? new Set();
  if (isOfKind && !mayBeBrokenLink && current !== "accepted") {
    ofClient.set(kind, current.add(path));
  }
  return item;
}
