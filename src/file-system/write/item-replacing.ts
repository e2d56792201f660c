import { randomUUID } from "node:crypto";
import { joinPath, nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import type { ContentClient } from "../../api/client/client.ts";
import { renameItem } from "../../api/content-server/contents.ts";
import { deleteTree } from "../../api/content-server/deletion.ts";
import { statContent } from "../../api/content-server/file-content.ts";
import { hasStatus, mayHaveHappened } from "../../api/http/errors.ts";
import { comparedName } from "../../api/local-names.ts";
import { phrase } from "../../api/phrase.ts";
import { withRemark } from "../errors.ts";
import type { DirectoryReader } from "../read/directory-reader.ts";
import type { ServerRequests } from "../session/server-requests.ts";
import type { JournaledMove, SaveJournal } from "./save-journal.ts";

interface ReplacementParts {
  readonly server: ServerRequests;
  readonly journal: SaveJournal;
  readonly directories: DirectoryReader;
}

/** An item that was moved into place, and whether it replaced another one. */
export interface Replaced {
  readonly item: ContentItem;
  readonly isReplacing: boolean;
}

/**
 * Replaces the target: moves it aside, moves the source into place, and then deletes the old target. At least one of
 * them exists at any time, and the next session finishes what was interrupted. `stage` is `copying` if the source is a
 * temporary copy, which has no other use.
 */
export async function replaceItem(
  { server, journal }: ReplacementParts,
  from: string,
  to: string,
  stage: "renaming" | "copying",
  aside = besideOf(to, "replaced"),
): Promise<Replaced> {
  const patch = (source: string, target: string): Promise<ContentItem> =>
    server.request((client) => renameItem(client, source, target));
  await journal.record({ stage, target: to, source: from, aside, upload: aside });
  try {
    await patch(to, aside);
  } catch (error) {
    if (hasStatus(error, 404)) {
      // Someone else removed it meanwhile, so nothing is replaced.
      const item = await patch(from, to);
      await journal.ended(aside);
      return { item, isReplacing: false };
    }
    if (mayHaveHappened(error)) {
      journal.failed(aside);
      throw withRemark(error, phrase`${to} might now be named ${aside}.`);
    }
    await journal.ended(aside);
    throw error;
  }
  let item: ContentItem;
  try {
    item = await patch(from, to);
  } catch (error) {
    try {
      await patch(aside, to);
    } catch {
      journal.failed(aside);
      throw withRemark(error, phrase`The previous item is now named ${aside}.`);
    }
    await journal.ended(aside);
    throw error;
  }
  try {
    await server.request((client) => deleteTree(client, aside));
  } catch (error) {
    journal.failed(aside);
    throw withRemark(error, phrase`${to} was replaced. The previous item still exists as ${aside}.`);
  }
  await journal.ended(aside);
  return { item, isReplacing: true };
}

/** Maximum length of a file name in file systems, in bytes. */
const maxNameBytes = 255;

/** A new path next to an item, for one of the steps of a change. `word` says which. */
export function besideOf(target: string, word: string, id = randomUUID().slice(0, 8)): string {
  const name = `${nameOf(target)}.${word}-${id}`;
  return joinPath(parentOf(target), Buffer.byteLength(name) <= maxNameBytes ? name : `${word}-${id}`);
}

/**
 * True if two paths that differ only in case or Unicode normalization are the same item, because the server's disk
 * doesn't distinguish them. Their folder then lists only one of them.
 */
export async function isSameItem({ directories }: ReplacementParts, one: string, other: string): Promise<boolean> {
  if (comparedName(one, "mac") !== comparedName(other, "mac") || parentOf(one) !== parentOf(other)) {
    return false;
  }
  const { children } = await directories.list(parentOf(one));
  return children.filter(({ path }) => path === one || path === other).length === 1;
}

/** Renames an item to another spelling of its name in two steps, for a server that takes both for the same name. */
export async function respellItem(
  { server, journal }: ReplacementParts,
  from: string,
  to: string,
): Promise<ContentItem> {
  const between = besideOf(to, "renaming");
  const patch = (source: string, target: string): Promise<ContentItem> =>
    server.request((client) => renameItem(client, source, target));
  await journal.record({ stage: "renaming", target: to, source: from, aside: between, upload: between });
  try {
    await patch(from, between);
  } catch (error) {
    if (mayHaveHappened(error)) {
      journal.failed(between);
      throw withRemark(error, phrase`${from} might now be named ${between}.`);
    }
    await journal.ended(between);
    throw error;
  }
  let item: ContentItem;
  try {
    item = await patch(between, to);
  } catch (error) {
    try {
      await patch(between, from);
    } catch {
      journal.failed(between);
      throw withRemark(error, phrase`${from} is now named ${between}.`);
    }
    await journal.ended(between);
    throw error;
  }
  await journal.ended(between);
  return item;
}

/**
 * Finishes a move that was interrupted, from any state of the server: the target gets its previous item back, unless
 * the new one is already in place. Resolves with false if something remains.
 */
export async function endMove(
  client: ContentClient,
  { stage, target, source, aside }: JournaledMove,
): Promise<boolean> {
  const [atTarget, atSource, atAside] = await Promise.all(
    [target, source, aside].map((path) => statContent(client, path, { expected: "any" })),
  );
  if (atAside !== undefined && atTarget === undefined) {
    await renameItem(client, aside, target);
  } else if (atAside !== undefined && atSource === undefined) {
    await deleteTree(client, aside);
  } else if (atAside !== undefined) {
    // Someone else has created another item at the target. Nothing is deleted, because it is unclear what is needed.
    return false;
  }
  if (stage === "copying" && atSource !== undefined) {
    await deleteTree(client, source);
  }
  return true;
}
