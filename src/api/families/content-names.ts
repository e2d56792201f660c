import { getStream } from "../catalogue/operations/data.ts";
import { getCard } from "../catalogue/operations/instance.ts";
import { getPage } from "../catalogue/operations/pages.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { inParallel } from "../content-server/concurrency.ts";
import { PlatformError } from "../http/errors.ts";
import type { RepositoryContentItem } from "./repository-content.ts";

/** Whether an instance has a content item. `unknown` if this type can't be looked up, or the lookup failed. */
export type ContentLookup =
  | { readonly type: "found"; readonly name: string }
  | { readonly type: "missing" }
  | { readonly type: "unknown" };

type Named = Readonly<Record<string, unknown>> & object;

/** Functions that read an item's name, by content type. The API has no operation for other types. */
const readers: Readonly<
  Record<string, (client: PlatformClient, id: string, options: CallOptions) => Promise<string | null | undefined>>
> = {
  PAGE: async (client, id, options) => {
    const page: Named = await client.call(getPage, { id }, options);
    return [page.title, page.pageName].find((name) => typeof name === "string");
  },
  CARD: async (client, id, options) => (await client.call(getCard, { id }, options)).title,
  STREAM: async (client, id, options) => (await client.call(getStream, { id }, options)).dataSource?.name,
};

/**
 * Looks up a content item on the client's instance with one request. Only pages, cards, and streams can be looked up.
 */
export async function lookUpContent(
  client: PlatformClient,
  contentType: string,
  id: string,
  options: CallOptions = {},
): Promise<ContentLookup> {
  const read = Object.hasOwn(readers, contentType) ? readers[contentType] : undefined;
  if (read === undefined) {
    return { type: "unknown" };
  }
  try {
    const name = (await read(client, id, options))?.trim();
    return { type: "found", name: name === undefined || name === "" ? id : name };
  } catch (error) {
    if (error instanceof PlatformError) {
      return { type: error.status === 404 ? "missing" : "unknown" };
    }
    throw error;
  }
}

/** The rest are shown with their ids, to avoid a thousand requests for a large repository. */
const maxNamed = 100;

/** The names of content items by key. Items that can't be read are omitted. */
export async function contentNames(
  client: PlatformClient,
  items: readonly RepositoryContentItem[],
  options: CallOptions = {},
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  await inParallel(items.slice(0, maxNamed), async (item) => {
    const found = await lookUpContent(client, item.contentType, item.repositoryObjectId, options);
    if (found.type === "found") {
      names.set(contentKey(item), found.name);
    }
  });
  return names;
}

/** A key that is unique within a repository. */
export function contentKey({ contentType, repositoryObjectId }: RepositoryContentItem): string {
  return `${contentType} ${repositoryObjectId}`;
}
