import * as z from "zod/mini";
import { joinPath } from "../catalogue/content-path.ts";
import { type ContentItem, contentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/content-reading.ts";
import { PlatformError } from "../http/errors.ts";
import { itemNameProblem } from "../item-names.ts";
import { phrase, type Text } from "../phrase.ts";

const children = z.array(contentItem);

/** An item of a listing that can't be used. Its name is as the server sent it, and never part of a path. */
export interface RejectedChild {
  readonly name: string;
  readonly reason: Text;
}

/** The content of a listed directory. */
export interface Children {
  readonly children: readonly ContentItem[];
  readonly rejected: readonly RejectedChild[];
}

/**
 * The children of a directory at a path, and those whose names can't be used. The path of a child is made from its
 * name, whatever path the server sent. Throws if the item is not a directory, or was read without its children.
 */
export function checkedChildrenOf(
  item: ContentItem,
  path: string,
  platform: NodeJS.Platform = process.platform,
): Children {
  const parsed = z.safeParse(children, item.content);
  if (item.type !== "directory" || !parsed.success) {
    throw new PlatformError({
      kind: "retrieval",
      cause: { type: "unexpectedResponse", fields: ["content"] },
      failure: phrase`Can't list ${path || phrase`the workspace root`}`,
      entity: path,
      operationId: getContent.id,
      reason:
        item.type === "directory"
          ? phrase`the server's response doesn't list the folder's content`
          : phrase`it isn't a folder`,
    });
  }
  const accepted: ContentItem[] = [];
  const rejected: RejectedChild[] = [];
  for (const child of parsed.data) {
    const reason = itemNameProblem(child.name, platform);
    if (reason === undefined) {
      const place = joinPath(path, child.name);
      accepted.push(child.path === place ? child : { ...child, path: place });
    } else {
      rejected.push({ name: child.name, reason });
    }
  }
  return { children: accepted, rejected };
}

/** The children of a directory at a path whose names can be used. Throws like `checkedChildrenOf`. */
export function childrenOf(item: ContentItem, path: string): readonly ContentItem[] {
  return checkedChildrenOf(item, path).children;
}
