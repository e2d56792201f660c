import type { ContentItem } from "../catalogue/models/contents.ts";
import { deleteContent, updateContent } from "../catalogue/operations/contents.ts";
import type { ContentCaller } from "../client/client.ts";
import { PlatformError } from "../http/errors.ts";
import { phrase, type Text } from "../phrase.ts";
import { renameItem } from "./contents.ts";
import { statContent } from "./file-content.ts";

/** A complete upload that replaces the target, and the path to which the target is moved meanwhile. */
export interface Replacement {
  readonly target: string;
  readonly upload: string;
  readonly aside: string;
}

/**
 * `placed`: the upload is now the target; `leftover` could not be removed. `changed`: the target was not the expected
 * version but `item`. Both files are unchanged.
 */
export type ReplacementOutcome =
  | { readonly type: "placed"; readonly item: ContentItem; readonly leftover: string | undefined }
  | { readonly type: "changed"; readonly item: ContentItem };

/**
 * Replaces a file with a complete upload: moves the old file aside, moves the new one into place, and removes the old
 * one. At least one of them is complete at any time. The old file must be the expected version, because someone may
 * have saved it since it was checked.
 */
export async function putInPlace(
  client: ContentCaller,
  replacement: Replacement,
  expected: ContentItem,
): Promise<ReplacementOutcome> {
  const { target, upload, aside } = replacement;
  const first = await renameItem(client, target, aside);
  if (first.size !== expected.size) {
    return { type: "changed", item: await renameItem(client, aside, target) };
  }
  if (first.last_modified !== expected.last_modified) {
    const back = await renameItem(client, aside, target);
    // On some servers, a rename changes the time, so moving the file back changed it, too.
    if (back.last_modified === first.last_modified) {
      return { type: "changed", item: back };
    }
    await renameItem(client, target, aside);
  }
  let item: ContentItem;
  try {
    item = await renameItem(client, upload, target);
  } catch (error) {
    try {
      await renameItem(client, aside, target);
    } catch {
      throw remarked(error, phrase`The previous file is now named ${aside}, and the new file is named ${upload}.`);
    }
    throw error;
  }
  return { type: "placed", item, leftover: await emptiedAndRemoved(client, aside) };
}

/** Empties the file first. The user did not delete the old version, so the server's trash doesn't need its content. */
async function emptiedAndRemoved(client: ContentCaller, path: string): Promise<string | undefined> {
  await client
    .call(updateContent, { path, body: { type: "file", format: "text", content: "" } })
    .catch(() => undefined);
  return removed(client, path);
}

/**
 * How an interrupted replacement ended. `placed`: the upload is now in place. `clear`: there was nothing to do. `kept`:
 * the target exists, and the upload next to it is the only copy of the unsaved content. `leftover`: a file could not be
 * removed.
 */
export type EndOfReplacement =
  | { readonly type: "placed"; readonly item: ContentItem; readonly leftover: string | undefined }
  | { readonly type: "clear" }
  | { readonly type: "kept" }
  | { readonly type: "leftover" };

/** Finishes an interrupted replacement from any state of the server. */
export async function endReplacement(client: ContentCaller, replacement: Replacement): Promise<EndOfReplacement> {
  const { target, upload, aside } = replacement;
  const [atTarget, atUpload, atAside] = await Promise.all([
    statContent(client, target, { expected: "any" }),
    statContent(client, upload, { expected: "any" }),
    statContent(client, aside, { expected: "any" }),
  ]);
  if (atTarget !== undefined && atUpload !== undefined) {
    return { type: "kept" };
  }
  if (atUpload !== undefined) {
    const item = await renameItem(client, upload, target);
    return {
      type: "placed",
      item,
      leftover: atAside === undefined ? undefined : await emptiedAndRemoved(client, aside),
    };
  }
  if (atTarget === undefined && atAside !== undefined) {
    await renameItem(client, aside, target);
    return { type: "clear" };
  }
  const leftover = atAside === undefined ? undefined : await emptiedAndRemoved(client, aside);
  return leftover === undefined ? { type: "clear" } : { type: "leftover" };
}

/** Deletes a file. Its name is unique to this client, so a retry is safe. Resolves with its path if it still exists. */
export async function removed(client: ContentCaller, path: string): Promise<string | undefined> {
  return (await isRemoved(client, path)) || (await isRemoved(client, path)) ? undefined : path;
}

async function isRemoved(client: ContentCaller, path: string): Promise<boolean> {
  try {
    await client.call(deleteContent, { path });
    return true;
  } catch {
    return statContent(client, path, { expected: "any" }).then(
      (item) => item === undefined,
      () => false,
    );
  }
}

function remarked(error: unknown, remark: Text): unknown {
  return error instanceof PlatformError ? error.withRemark(remark) : error;
}
