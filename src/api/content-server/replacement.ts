import type { ContentItem } from "../catalogue/models/contents.ts";
import { deleteContent, updateContent } from "../catalogue/operations/contents.ts";
import type { ContentCaller } from "../client/client.ts";
import { PlatformError } from "../http/errors.ts";
import { phrase, type Text } from "../phrase.ts";
import { renameItem } from "./contents.ts";
import { statContent } from "./file-content.ts";

/** A complete file that is to take another one's place, and where that one goes in the meantime. */
export interface Replacement {
  readonly target: string;
  readonly upload: string;
  readonly aside: string;
}

/**
 * `placed`: the upload is the target now; `leftover` is what could not be removed. `changed`: the target turned out to be
 * another version than expected, `item` is it; it is where it was, and so is the upload.
 */
export type ReplacementOutcome =
  | { readonly type: "placed"; readonly item: ContentItem; readonly leftover: string | undefined }
  | { readonly type: "changed"; readonly item: ContentItem };

/**
 * Puts a complete file in another one's place: the old one goes aside, the new one in place, and only then the old one
 * away. At every moment one of the two, or both, is whole. What was set aside must be the expected version: somebody may
 * have saved it since it was looked at.
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
    // Some servers' time changes with the name alone: then it did so on the way back, too.
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
      throw remarked(error, phrase`The file as it was is now named ${aside}, the new one ${upload}.`);
    }
    throw error;
  }
  return { type: "placed", item, leftover: await emptiedAndRemoved(client, aside) };
}

/** What a save replaced is nothing that anybody deleted: a server that keeps what is deleted need not keep all of it. */
async function emptiedAndRemoved(client: ContentCaller, path: string): Promise<string | undefined> {
  await client
    .call(updateContent, { path, body: { type: "file", format: "text", content: "" } })
    .catch(() => undefined);
  return removed(client, path);
}

/**
 * How a replacement that was broken off has ended: `placed` by us now, `clear` without anything left to do, `kept` with the
 * upload beside a target that is there: it is all that is left of what was to be saved, `leftover` with what could not be
 * removed.
 */
export type EndOfReplacement =
  | { readonly type: "placed"; readonly item: ContentItem; readonly leftover: string | undefined }
  | { readonly type: "clear" }
  | { readonly type: "kept" }
  | { readonly type: "leftover" };

/** Ends a replacement that was broken off, from whatever state the server is in. */
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

/** Deletes a file whose name is nobody else's, so that a second try can do no harm; gives its path when it is still there. */
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
