import * as z from "zod/mini";
import { type ContentItem, contentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/content-reading.ts";
import { PlatformError } from "../http/errors.ts";
import { phrase } from "../phrase.ts";

const children = z.array(contentItem);

/** The children of a directory. Throws if the item is not a directory, or was read without its children. */
export function childrenOf(item: ContentItem): readonly ContentItem[] {
  const parsed = z.safeParse(children, item.content);
  if (item.type !== "directory" || !parsed.success) {
    throw new PlatformError({
      kind: "retrieval",
      cause: { type: "unexpectedAnswer", fields: ["content"] },
      failure: phrase`Can't list ${item.path || phrase`the workspace root`}`,
      entity: item.path,
      operationId: getContent.id,
      reason:
        item.type === "directory"
          ? phrase`the server's response doesn't list the folder's content`
          : phrase`it isn't a folder`,
    });
  }
  return parsed.data;
}
