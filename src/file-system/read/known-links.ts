import type { Companion } from "../../api/companion/companion.ts";
import { listLinks } from "../../api/companion/operations/links.ts";
import type { FolderLinks } from "../../api/content-server/folder-walk.ts";

/** Milliseconds after which a folder is handled without knowing its links. */
const timeoutMs = 20_000;

/** The links in a folder of the companion's workspace; undefined if the companion fails, or takes too long. */
export async function linksOf(companion: Companion, folder: string): Promise<FolderLinks | undefined> {
  try {
    return await companion.request(listLinks, { folder }, { timeoutMs });
  } catch {
    // Links are then recognized by what the content API shows.
    return undefined;
  }
}
