import type { CallOptions } from "../../api/client/client.ts";
import { readFileContent } from "../../api/content-server/file-content.ts";
import { isDirectory, unreadable } from "../errors.ts";
import type { WorkspaceSession } from "../session/workspace-session.ts";
import type { FileContent } from "./big-file-reading.ts";

/** A file's item and bytes; throws a FileError for a directory, and for content that cannot be trusted. */
export async function readItem(
  session: WorkspaceSession,
  path: string,
  options: CallOptions = {},
): Promise<FileContent> {
  const read = await session.request((client) => readFileContent(client, path, options));
  switch (read.type) {
    case "file":
      return { item: read.item, bytes: read.bytes };
    case "directory":
      session.cache.learn({ ...read.item, path });
      throw isDirectory(path);
    case "unreadable":
      throw unreadable(path);
  }
}
