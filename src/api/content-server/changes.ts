import type { ContentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/contents.ts";
import type { ContentClient } from "../client/client.ts";
import { causeOf } from "../http/errors.ts";
import { childrenOf } from "./contents.ts";

/** What a look at a directory found: that it is as it was, or its children, with the ETag of the answer where there is one. */
export type DirectoryLook =
  | { readonly type: "same" }
  | {
      readonly type: "listed";
      readonly directory: ContentItem;
      readonly children: readonly ContentItem[];
      readonly etag: string | undefined;
    };

/**
 * Lists a directory unless it is as it was when it had this ETag (API description, 4.2, with `If-None-Match`). A server
 * that sends no ETag lists it each time. Throws a PlatformError as every read does.
 */
export async function lookAtDirectory(
  client: ContentClient,
  path: string,
  etag: string | undefined,
): Promise<DirectoryLook> {
  let next: string | undefined;
  try {
    const item = await client.call(
      getContent,
      { path, content: 1, type: "directory" },
      {
        ...(etag === undefined ? {} : { ifNoneMatch: etag }),
        onAnswered: ({ headers }) => {
          next = headers.etag;
        },
      },
    );
    return { type: "listed", directory: { ...item, path }, children: childrenOf(item), etag: next };
  } catch (error) {
    const cause = causeOf(error);
    if (etag !== undefined && cause?.type === "redirected" && cause.status === 304) {
      return { type: "same" };
    }
    throw error;
  }
}
