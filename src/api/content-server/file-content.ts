import { isNotebookPath } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentCaller, ContentReader } from "../client/client.ts";
import { hasStatus, type PlatformError } from "../http/errors.ts";
import { memberText } from "../http/json.ts";
import { bytesOf, textOf } from "./content-types.ts";

/** What is at a path. `unreadable`: a file whose content came in a form that cannot be trusted. */
export type ContentRead =
  | { readonly type: "file"; readonly item: ContentItem; readonly bytes: Uint8Array }
  | { readonly type: "directory" | "unreadable"; readonly item: ContentItem };

/**
 * A file's exact bytes in one request, with the item that tells their version. A notebook that a server refuses to give as
 * a file takes two more, and its bytes are the notebook's own JSON text. Throws the PlatformError of what failed.
 */
export async function readFileContent(
  client: ContentReader,
  path: string,
  options: CallOptions = {},
): Promise<ContentRead> {
  let refusal: PlatformError;
  try {
    const item = await client.call(getContent, { path, content: 1, type: "file", hash: 1 }, options);
    if (item.type === "directory") {
      return { type: "directory", item };
    }
    const bytes = bytesOf(item);
    return bytes === undefined ? { type: "unreadable", item } : { type: "file", item, bytes };
  } catch (error) {
    if (!hasStatus(error, 400)) {
      throw error;
    }
    refusal = error;
  }
  return readRefused(client, path, refusal, options);
}

/** After a server has refused the item as a file: it is a directory, or a notebook that it gives as one only. */
async function readRefused(
  client: ContentReader,
  path: string,
  refusal: PlatformError,
  options: CallOptions,
): Promise<ContentRead> {
  const { signal } = options;
  const item = await client.call(getContent, { path, content: 0 }, signal === undefined ? {} : { signal });
  if (item.type === "directory") {
    return { type: "directory", item };
  }
  if (!isNotebookPath(path)) {
    throw refusal;
  }
  const answer = await client.raw(getContent, { path, content: 1, format: "json" }, options);
  const text = answer.status === 200 ? textOf(answer.body) : undefined;
  const notebook = text === undefined ? undefined : memberText(text, "content");
  if (notebook === undefined || notebook === "null") {
    throw refusal;
  }
  return { type: "file", item, bytes: new TextEncoder().encode(notebook) };
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
  const hash = withHash ? ({ hash: 1 } as const) : {};
  const asked = expected === "file" ? ({ type: "file", ...hash } as const) : {};
  try {
    return await client.call(getContent, { path, content: 0, ...asked }, options);
  } catch (error) {
    if (hasStatus(error, 404)) {
      return undefined;
    }
    if (expected === "file" && hasStatus(error, 400)) {
      return statContent(client, path, { ...options, expected: "any" });
    }
    throw error;
  }
}
