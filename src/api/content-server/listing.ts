import { acceptedPath, nameOf } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { getContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentClient, RawResponse } from "../client/client.ts";
import { causeOf } from "../http/errors.ts";
import { phrase } from "../phrase.ts";
import { nextTurn } from "../turns.ts";
import { checkedChildrenOf, type RejectedChild } from "./children.ts";
import { type FolderLinks, type LeftOut, type ListedFolder, walkFolder } from "./folder-walk.ts";
import { getItem } from "./item-reading.ts";

/** Parameters of the recursive listing (API description, 4.2). */
export interface ListingOptions extends CallOptions {
  /** Where to start; the root by default. */
  readonly contentPath?: string;
  /** Folder names, compared with path segments. These folders and their content are not listed. */
  readonly ignoreFolders?: readonly string[];
  /** Extensions, such as `.py`, `py`, or `*.py`. They apply only to files, and their case doesn't matter. */
  readonly includedFileTypes?: readonly string[];
  readonly isRecursive?: boolean;
  /** Skips names that start with a dot. */
  readonly excludeHidden?: boolean;
  /** Called with the listed items of each directory as they arrive. */
  readonly onItems?: (items: readonly ContentItem[]) => void;
  /** Called for each listed file during the listing. Shares the limit of five parallel requests with the folders. */
  readonly onFile?: (item: ContentItem) => Promise<void>;
  /** Called with each listed folder as it was read itself, without its children. */
  readonly onFolder?: (folder: ContentItem) => void;
  /** The links in the folder, if they are known. */
  readonly links?: FolderLinks | undefined;
  /** Called with each folder above the start that can be listed, with its children. Not called if the links are known. */
  readonly onFolderAbove?: (folder: ListedFolder) => void;
  /** Called for what is not followed: folders that seem to be links, and items whose names can't be used. */
  readonly onLeftOut?: (leftOut: LeftOut) => void;
  /** Paths that are skipped: `.ipynb_checkpoints` as a name, `recent_executions` anywhere in the path. */
  readonly skip?: readonly ("checkpoints" | "executions")[];
}

/**
 * The recursive listing (API description, 4.2): a flat list that begins with the starting item. Visits each path once,
 * with up to five parallel requests. Doesn't follow folders that seem to be links to others that it visits.
 */
export async function listRecursively(client: ContentClient, options: ListingOptions = {}): Promise<ContentItem[]> {
  const given = options.contentPath ?? "";
  const start = acceptedPath(given, "contentPath", phrase`Can't list ${given}`, getContent.id);
  const first = await client.call(getContent, { path: start, content: 1 }, options);
  const found: ContentItem[] = [{ ...first, path: start, content: null }];
  options.onItems?.(found);
  if (first.type !== "directory") {
    return found;
  }
  const isRecursive = options.isRecursive ?? true;
  const visited = new Set([start]);
  await walkFolder(await listedInTurns(first, start), {
    list: async (path) => listedInTurns(await getItem(client, path, 1, { type: "directory" }, options), path),
    onFolder: ({ directory, children }) => {
      options.onFolder?.(directory);
      const kept: ContentItem[] = [];
      for (const child of children) {
        if (!visited.has(child.path) && isListed(child, options)) {
          visited.add(child.path);
          kept.push(child);
          found.push(child);
        }
      }
      options.onItems?.(kept);
      return kept.filter(({ type }) => (type === "directory" ? isRecursive : options.onFile !== undefined));
    },
    onFile: options.onFile,
    links: options.links,
    onFolderAbove: options.onFolderAbove,
    onLeftOut: options.onLeftOut,
  });
  return found;
}

/** Maximum number of children that are checked before yielding to other work. */
const childrenPerTurn = 1000;

/** Checks the children of a folder. Yields to other work if there are many. */
async function listedInTurns(item: ContentItem, path: string): Promise<ListedFolder> {
  const { content } = item;
  const directory = { ...item, path, content: null };
  if (!Array.isArray(content) || content.length <= childrenPerTurn) {
    return { directory, ...checkedChildrenOf(item, path) };
  }
  const children: ContentItem[] = [];
  const rejected: RejectedChild[] = [];
  for (let start = 0; start < content.length; start += childrenPerTurn) {
    await nextTurn();
    const some = checkedChildrenOf({ ...item, content: content.slice(start, start + childrenPerTurn) }, path);
    children.push(...some.children);
    rejected.push(...some.rejected);
  }
  return { directory, children, rejected };
}

function isListed(item: ContentItem, options: ListingOptions): boolean {
  const skip = options.skip ?? ["checkpoints", "executions"];
  const name = nameOf(item.path);
  if (skip.includes("checkpoints") && name === ".ipynb_checkpoints") {
    return false;
  }
  if (skip.includes("executions") && item.path.includes("recent_executions")) {
    return false;
  }
  if ((options.excludeHidden ?? true) && name.startsWith(".")) {
    return false;
  }
  if (item.path.split("/").some((segment) => options.ignoreFolders?.includes(segment) ?? false)) {
    return false;
  }
  const { includedFileTypes } = options;
  return (
    item.type === "directory" ||
    includedFileTypes === undefined ||
    includedFileTypes.some((type) => name.toLowerCase().endsWith(`.${type.toLowerCase().replace(/^\*?\.?/, "")}`))
  );
}

/** A listing for polling, with its ETag if the response has one. */
type PolledListing = ListedFolder & { readonly type: "listed"; readonly etag: string | undefined };

/** The result of a conditional listing: unchanged, or the children. */
export type ConditionalListing = { readonly type: "same" } | PolledListing;

/** Lists a directory (API description, 4.2). Doesn't count as activity. Throws a PlatformError. */
export async function listForPolling(
  client: ContentClient,
  path: string,
  options: Pick<CallOptions, "ifNoneMatch"> = {},
): Promise<PolledListing> {
  let etag: string | undefined;
  const onResponse = ({ headers }: RawResponse): void => {
    etag = headers.etag;
  };
  const queries = { type: "directory", no_track_activity: 1 } as const;
  const item = await getItem(client, path, 1, queries, { ...options, onResponse });
  return { type: "listed", directory: { ...item, path }, ...checkedChildrenOf(item, path), etag };
}

/**
 * Lists a directory unless it still has this ETag (API description, 4.2, with `If-None-Match`). Without an ETag from
 * the server, lists it every time. Doesn't count as activity. Throws a PlatformError.
 */
export async function listIfChanged(
  client: ContentClient,
  path: string,
  etag: string | undefined,
): Promise<ConditionalListing> {
  try {
    return await listForPolling(client, path, etag === undefined ? {} : { ifNoneMatch: etag });
  } catch (error) {
    const cause = causeOf(error);
    if (etag !== undefined && cause?.type === "redirected" && cause.status === 304) {
      return { type: "same" };
    }
    throw error;
  }
}
