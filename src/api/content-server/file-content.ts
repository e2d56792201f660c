import type { ContentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/content-reading.ts";
import type { CallOptions, ContentCaller, RawResponse } from "../client/client.ts";
import { hasStatus } from "../http/errors.ts";
import { memberText } from "../http/json-member.ts";
import { bytesOf, decodedText } from "./content-types.ts";
import { getItem } from "./item-reading.ts";

/** The item at a path. `unreadable`: a file whose bytes can't be restored reliably. */
export type ContentRead =
  | { readonly type: "file"; readonly item: ContentItem; readonly bytes: Uint8Array }
  | { readonly type: "directory" | "unreadable"; readonly item: ContentItem };

/** `notebook`: what the server presents as the notebook, which may differ from the file. Default `file`. */
interface AsOptions extends CallOptions {
  readonly as?: "file" | "notebook";
}

/**
 * Reads a file's exact bytes with one request, together with the item that contains their version. For a notebook, uses
 * the JSON text in the same response. Throws a PlatformError.
 */
export async function readFileContent(
  client: ContentCaller,
  path: string,
  { as = "file", ...options }: AsOptions = {},
): Promise<ContentRead> {
  let response: RawResponse | undefined;
  const onResponse = (given: RawResponse): void => {
    response = given;
  };
  const item = await getItem(client, path, 1, { type: as, hash: 1 }, { ...options, onResponse });
  if (item.type === "directory") {
    return { type: "directory", item };
  }
  const notebook = notebookTextOf(item, response);
  const bytes = notebook === undefined ? bytesOf(item) : new TextEncoder().encode(notebook);
  return bytes === undefined || isDamaged(item, bytes) ? { type: "unreadable", item } : { type: "file", item, bytes };
}

/**
 * A file's text; for a notebook, the file's original JSON if the server preserves it. Undefined if the file is not
 * text.
 */
export async function readFileText(
  client: ContentCaller,
  path: string,
  options: CallOptions = {},
): Promise<string | undefined> {
  let response: RawResponse | undefined;
  const onResponse = (given: RawResponse): void => {
    response = given;
  };
  const item = await getItem(client, path, 1, { type: "file", format: "text" }, { ...options, onResponse });
  const { content, format } = item;
  return typeof content === "string" && format !== "base64" ? content : notebookTextOf(item, response);
}

/**
 * The JSON of a notebook, extracted unparsed from the response to preserve 64-bit integers and `1.0`. Undefined for any
 * other item.
 */
function notebookTextOf({ type, content }: ContentItem, response: RawResponse | undefined): string | undefined {
  const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
  const text = isObject && type === "notebook" && response !== undefined ? decodedText(response.body) : undefined;
  return text === undefined ? undefined : memberText(text, "content");
}

/** True for bytes that are not UTF-8 but were sent as text by a server that reports no hash. */
function isDamaged({ content, size, hash }: ContentItem, { byteLength }: Uint8Array): boolean {
  const isReplaced = typeof content === "string" && content.includes("\uFFFD");
  return isReplaced && typeof hash !== "string" && typeof size === "number" && size !== byteLength;
}

export interface StatOptions extends AsOptions {
  /**
   * The expected kind of item. `file` (the default) also requests the hash, and takes a second request if a server
   * refuses to read a directory as a file. The others take one request.
   */
  readonly expected?: "file" | "directory" | "any";
  /** False omits the hash, for which the server reads the whole file. */
  readonly withHash?: boolean;
}

/** An item's current metadata; undefined for a real 404. Throws a PlatformError for any other failure. */
export async function statContent(
  client: ContentCaller,
  path: string,
  { expected = "file", withHash = true, as = "file", ...options }: StatOptions = {},
): Promise<ContentItem | undefined> {
  try {
    return expected === "file"
      ? await getItem(client, path, 0, withHash ? { type: as, hash: 1 } : { type: as }, options)
      : await client.call(getContent, { path, content: 0 }, options);
  } catch (error) {
    if (hasStatus(error, 404)) {
      return undefined;
    }
    throw error;
  }
}
