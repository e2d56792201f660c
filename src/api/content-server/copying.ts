import { parentOf } from "../catalogue/content-path.ts";
import type { ContentItem } from "../catalogue/models/contents.ts";
import { createContent } from "../catalogue/operations/contents.ts";
import type { CallOptions, ContentClient } from "../client/client.ts";
import { causeOf, mayHaveHappened, PlatformError } from "../http/errors.ts";
import { renameItem, withCleanup } from "./contents.ts";
import { deleteTree } from "./deletion.ts";

/**
 * Copies a file to exactly this path with one request where the server can. Undefined when it cannot: nothing was made
 * then, or what was made is gone again.
 */
export async function copyFileOnServer(
  client: ContentClient,
  source: string,
  target: string,
  options: CallOptions = {},
): Promise<ContentItem | undefined> {
  const copied = await copying(client, source, target, target, options);
  return copied && movedTo(client, copied, target, options);
}

/** The same for a folder: its copy lands below the target's parent and is renamed where its name differs. */
export async function copyFolderOnServer(
  client: ContentClient,
  source: string,
  target: string,
  options: CallOptions = {},
): Promise<ContentItem | undefined> {
  const copied = await copying(client, source, target, parentOf(target), options);
  return copied && movedTo(client, copied, target, options);
}

/** Undefined when the server refuses it as something that it does not know; nothing was made then. */
async function copying(
  client: ContentClient,
  source: string,
  target: string,
  parentPath: string,
  options: CallOptions,
): Promise<ContentItem | undefined> {
  try {
    return await client.call(createContent, { parentPath, body: { copy_from: source } }, options);
  } catch (error) {
    const cause = causeOf(error);
    if (cause?.type === "status" && statusesOfNoCopying.includes(cause.status)) {
      return undefined;
    }
    if (!(error instanceof PlatformError)) {
      throw error;
    }
    const explained = error.with({ failure: `Cannot copy ${source} to ${target}`, entity: target });
    const where = parentOf(target) || "the workspace root";
    throw mayHaveHappened(error)
      ? explained.withRemark(`A copy may have been left in ${where} all the same.`)
      : explained;
  }
}

async function movedTo(
  client: ContentClient,
  copied: ContentItem,
  target: string,
  options: CallOptions,
): Promise<ContentItem> {
  if (copied.path === target) {
    return copied;
  }
  const rename = (): Promise<ContentItem> => renameItem(client, copied.path, target, options);
  return withCleanup(client, copied.path, rename, target, deleteTree);
}

/** With them answer servers that know no `copy_from`. */
const statusesOfNoCopying: readonly number[] = [400, 404, 405, 500, 501];
