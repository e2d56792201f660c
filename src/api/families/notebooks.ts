import { normalizeContentPath } from "../catalogue/content-path.ts";
import type { ResponseOf } from "../catalogue/operation.ts";
import { searchNotebooks } from "../catalogue/operations/notebooks.ts";
import { everyPage } from "../catalogue/paging.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";

type Notebook = ResponseOf<typeof searchNotebooks>["notebooks"][number];

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
): Promise<Notebook | undefined> {
  const pages = everyPage<Notebook>({
    pageSize,
    keyOf: ({ id }) => id,
    fetch: async (offset) => ({
      items: (await client.call(searchNotebooks, { body: { limit: pageSize, offset } }, options)).notebooks,
    }),
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
