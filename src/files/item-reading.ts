import type { CallOptions } from "../api/client.ts";
import { bytesOf, inferType } from "../api/content-types.ts";
import { hasStatus, type PlatformError } from "../api/errors.ts";
import { memberText } from "../api/json-member.ts";
import { getContent } from "../api/operations/contents.ts";
import type { FileContent } from "./big-file-reading.ts";
import { isDirectory, unreadable } from "./file-fault.ts";
import type { WorkspaceSession } from "./workspace-session.ts";

/** A file's item and bytes in one request, as a file; a second and a third one where the server refuses it as that. */
export async function readItem(
  session: WorkspaceSession,
  path: string,
  options: CallOptions = {},
): Promise<FileContent> {
  try {
    const item = await session.request((client) =>
      client.call(getContent, { path, content: 1, type: "file", hash: 1 }, options),
    );
    const bytes = item.type === "directory" ? undefined : bytesOf(item);
    if (bytes === undefined) {
      throw item.type === "directory" ? isDirectory(path) : unreadable(path);
    }
    return { item, bytes };
  } catch (error) {
    if (!hasStatus(error, 400)) {
      throw error;
    }
    return readOtherwise(session, path, error);
  }
}

/** After a server has refused the item as a file: it is a directory, or a notebook that it gives as one only. */
async function readOtherwise(session: WorkspaceSession, path: string, refusal: PlatformError): Promise<FileContent> {
  const item = await session.request((client) => client.call(getContent, { path, content: 0 }));
  if (item.type === "directory") {
    session.cache.learn(item);
    throw isDirectory(path);
  }
  if (inferType(path).type !== "notebook") {
    throw refusal;
  }
  const answer = await session.request((client) => client.raw(getContent, { path, content: 1, format: "json" }));
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(answer.body);
  const notebook = answer.status === 200 ? memberText(text, "content") : undefined;
  if (notebook === undefined || notebook === "null") {
    throw refusal;
  }
  return { item, bytes: new TextEncoder().encode(notebook) };
}
