import { normalizeContentPath } from "../catalogue/content-path.ts";
import type { PlatformNotebook } from "../catalogue/models/workspaces.ts";
import { searchNotebooks } from "../catalogue/operations/notebooks.ts";
import { everyPage } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { listWithin } from "./wrapped-list.ts";

/** Notebooks per request. */
const pageSize = 50;

/**
 * Finds the platform's record of the notebook at a path of a workspace. Reads the platform's notebooks page by page;
 * undefined if none matches.
 */
export async function findNotebook(
  client: PlatformClient,
  { workspaceId, path }: { readonly workspaceId: string; readonly path: string },
  options: CallOptions = {},
): Promise<PlatformNotebook | undefined> {
  const pages = everyPage<PlatformNotebook>({
    pageSize,
    keyOf: ({ id }) => id,
    fetch: async (offset) => {
      const response = await client.call(searchNotebooks, { body: { limit: pageSize, offset } }, options);
      return { items: listWithin<PlatformNotebook>(searchNotebooks, {}, response, ["notebooks"]) };
    },
  });
  for await (const page of pages) {
    const found = page.find((one) => one.workspaceId === workspaceId && isSamePath(one.path ?? "", path));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function isSamePath(reported: string, path: string): boolean {
  try {
    return normalizeContentPath(reported) === path;
  } catch {
    return false;
  }
}
