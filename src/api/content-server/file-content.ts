import { isNotebookPath } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentReader } from "../client/client.ts";
import { hasStatus, type PlatformError } from "../http/errors.ts";
import { bytesOf, textOf } from "./content-types.ts";
import { memberText } from "./json-member.ts";

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

export interface LookOptions extends CallOptions {
  /** What is at the path as far as is known: asking for a directory as a file is an error on real servers. */
  readonly expected?: "file" | "directory";
  /** False spares the server, which reads the whole file for its hash. */
  readonly withHash?: boolean;
}

/** An item's metadata of this moment, with a file's hash; undefined for a real 404. Throws the PlatformError of the rest. */
export async function lookAtItem(
  client: Pick<ContentReader, "call">,
  path: string,
  { expected = "file", withHash = true, ...options }: LookOptions = {},
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
      return lookAtItem(client, path, { ...options, expected: "directory" });
    }
    throw error;
  }
}
