import type { ContentItem } from "../../../api/catalogue/models/contents.ts";
import type { ContentClient } from "../../../api/client/client.ts";
import { readFileContent } from "../../../api/content-server/file-content.ts";
import { largestAnswers, withinSize } from "./answer-size.ts";
import { ToolFault } from "./tool.ts";

export interface FileRead {
  readonly item: ContentItem;
  readonly bytes: Uint8Array;
}

/** A file's exact bytes with the version that they are of. Throws a ToolFault for what is no file that can be read. */
export async function readFile(client: ContentClient, path: string, signal: AbortSignal): Promise<FileRead> {
  const read = await withinSize(path, largestAnswers.json, signal, (options) => readFileContent(client, path, options));
  switch (read.type) {
    case "file":
      return read;
    case "directory":
      throw isDirectory(path);
    case "unreadable":
      throw new ToolFault("workspace", `The content server gave ${path} in a form that cannot be read.`);
  }
}

export function isDirectory(path: string): ToolFault {
  return new ToolFault("arguments", `${path || "The workspace root"} is a directory: list it with contents_list.`);
}
