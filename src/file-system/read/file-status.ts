import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { incomplete } from "../errors.ts";

/** A file's metadata as the editor wants it; times in milliseconds since 1970, size in bytes. */
export interface FileStatus {
  readonly type: "file" | "directory";
  readonly modified: number;
  readonly created: number;
  readonly size: number;
  readonly isReadonly: boolean;
}

/** File or directory. */
export function kindOf(item: ContentItem): FileStatus["type"] {
  return item.type === "directory" ? "directory" : "file";
}

/** The metadata of an item. A file whose time or size the server left out is an error: nothing is made up. */
export function statusOf(path: string, item: ContentItem): FileStatus {
  const isDirectoryItem = item.type === "directory";
  const modified =
    item.last_modified === undefined || item.last_modified === null ? Number.NaN : Date.parse(item.last_modified);
  if (!isDirectoryItem && (Number.isNaN(modified) || typeof item.size !== "number")) {
    throw incomplete(path);
  }
  const created = item.created === undefined || item.created === null ? Number.NaN : Date.parse(item.created);
  return {
    type: kindOf(item),
    modified: Number.isNaN(modified) ? 0 : modified,
    created: Number.isNaN(created) ? 0 : created,
    size: isDirectoryItem ? 0 : (item.size ?? 0),
    isReadonly: item.writable === false,
  };
}
