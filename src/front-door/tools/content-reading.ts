import { bytesOf, inferType, textOf } from "../../api/content-types.ts";
import type { ContentClient } from "../../api/contents.ts";
import { hasStatus, type PlatformError } from "../../api/errors.ts";
import { memberText } from "../../api/json-member.ts";
import type { ContentItem } from "../../api/models/contents.ts";
import { getContent } from "../../api/operations/contents.ts";
import { ToolFault } from "./tool.ts";

export interface FileRead {
  readonly item: ContentItem;
  readonly bytes: Uint8Array;
}

/** A file's exact bytes with the version that they are of. Throws a ToolFault for a directory. */
export async function readFile(client: ContentClient, path: string, signal: AbortSignal): Promise<FileRead> {
  let refusal: PlatformError;
  try {
    const item = await client.call(getContent, { path, content: 1, type: "file", hash: 1 }, { signal });
    const bytes = item.type === "directory" ? undefined : bytesOf(item);
    if (bytes === undefined) {
      throw item.type === "directory" ? isDirectory(path) : unreadable(path);
    }
    return { item, bytes };
  } catch (error) {
    if (!hasStatus(error, 400)) {
      throw error;
    }
    refusal = error;
  }
  return readRefused(client, path, refusal, signal);
}

/** After a server has refused the item as a file: it is a directory, or a notebook that it gives as one only. */
async function readRefused(
  client: ContentClient,
  path: string,
  refusal: PlatformError,
  signal: AbortSignal,
): Promise<FileRead> {
  const item = await client.call(getContent, { path, content: 0 }, { signal });
  if (item.type === "directory") {
    throw isDirectory(path);
  }
  if (inferType(path).type !== "notebook") {
    throw refusal;
  }
  const answer = await client.raw(getContent, { path, content: 1, format: "json" }, { signal });
  const notebook = answer.status === 200 ? memberText(textOf(answer.body) ?? "", "content") : undefined;
  if (notebook === undefined || notebook === "null") {
    throw refusal;
  }
  return { item, bytes: new TextEncoder().encode(notebook) };
}

/** What the server has at a path now, with a file's hash; undefined for a real 404. */
export async function lookAt(
  client: ContentClient,
  path: string,
  signal: AbortSignal,
): Promise<ContentItem | undefined> {
  try {
    return await client.call(getContent, { path, content: 0, type: "file", hash: 1 }, { signal });
  } catch (error) {
    if (hasStatus(error, 404)) {
      return undefined;
    }
    if (hasStatus(error, 400)) {
      // Asked for as a file, a directory is refused by real servers.
      return client.call(getContent, { path, content: 0 }, { signal });
    }
    throw error;
  }
}

export function isDirectory(path: string): ToolFault {
  return new ToolFault("arguments", `${path || "The workspace root"} is a directory: list it with contents_list.`);
}

function unreadable(path: string): ToolFault {
  return new ToolFault("workspace", `The content server gave ${path} in a form that cannot be read.`);
}
