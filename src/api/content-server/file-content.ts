import type { ContentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentCaller, RawAnswer } from "../client/client.ts";
import { hasStatus } from "../http/errors.ts";
import { memberText } from "../http/json-member.ts";
import { bytesOf, textOf } from "./content-types.ts";
import { getItem } from "./item-reading.ts";

/** What is at a path. `unreadable`: a file whose content came in a form that cannot be trusted. */
export type ContentRead =
  | { readonly type: "file"; readonly item: ContentItem; readonly bytes: Uint8Array }
  | { readonly type: "directory" | "unreadable"; readonly item: ContentItem };

/**
 * A file's exact bytes in one request, with the item that tells their version. A server that gives a notebook as one
 * brings its own JSON text in the same answer. Throws the PlatformError of what failed.
 */
export async function readFileContent(
  client: ContentCaller,
  path: string,
  options: CallOptions = {},
): Promise<ContentRead> {
  let answer: RawAnswer | undefined;
  const onAnswered = (given: RawAnswer): void => {
    answer = given;
  };
  const item = await getItem(client, path, 1, { type: "file", hash: 1 }, { ...options, onAnswered });
  if (item.type === "directory") {
    return { type: "directory", item };
  }
  const notebook = notebookTextOf(item, answer);
  const bytes = notebook === undefined ? bytesOf(item) : new TextEncoder().encode(notebook);
  return bytes === undefined || isDamaged(item, bytes) ? { type: "unreadable", item } : { type: "file", item, bytes };
}

/** A file's text, a notebook's as it stands in the file where the server gives it so; undefined if it is not text. */
export async function readFileText(
  client: ContentCaller,
  path: string,
  options: CallOptions = {},
): Promise<string | undefined> {
  let answer: RawAnswer | undefined;
  const onAnswered = (given: RawAnswer): void => {
    answer = given;
  };
  const item = await getItem(client, path, 1, { type: "file", format: "text" }, { ...options, onAnswered });
  const { content, format } = item;
  return typeof content === "string" && format !== "base64" ? content : notebookTextOf(item, answer);
}

/**
 * The JSON text of a notebook that came as one, cut out of the answer as it stands there: 64-bit integers and `1.0` survive.
 * Undefined for any other item.
 */
function notebookTextOf({ type, content }: ContentItem, answer: RawAnswer | undefined): string | undefined {
  const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
  const text = isObject && type === "notebook" && answer !== undefined ? textOf(answer.body) : undefined;
  return text === undefined ? undefined : memberText(text, "content");
}

/** True for bytes that were no UTF-8 and came as a text all the same, of a server that tells no hash. */
function isDamaged({ content, size, hash }: ContentItem, { byteLength }: Uint8Array): boolean {
  const isReplaced = typeof content === "string" && content.includes("\uFFFD");
  return isReplaced && typeof hash !== "string" && typeof size === "number" && size !== byteLength;
}

export interface StatOptions extends CallOptions {
  /**
   * The kind of item that is probably at the path. `file` (the default) also brings its hash, and costs a second request
   * where a server refuses a directory that is asked for as a file; the other two take one request.
   */
  readonly expected?: "file" | "directory" | "any";
  /** False leaves the hash out, for which the server reads the whole file. */
  readonly withHash?: boolean;
}

/** An item's current metadata; undefined for a real 404. Throws the PlatformError of any other failure. */
export async function statContent(
  client: ContentCaller,
  path: string,
  { expected = "file", withHash = true, ...options }: StatOptions = {},
): Promise<ContentItem | undefined> {
  try {
    return expected === "file"
      ? await getItem(client, path, 0, withHash ? { type: "file", hash: 1 } : { type: "file" }, options)
      : await client.call(getContent, { path, content: 0 }, options);
  } catch (error) {
    if (hasStatus(error, 404)) {
      return undefined;
    }
    throw error;
  }
}
