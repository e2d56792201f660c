import * as vscode from "vscode";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import type { ContentClient } from "../../api/client/client.ts";
import { readFileText } from "../../api/content-server/file-content.ts";
import { listRecursively } from "../../api/content-server/listing.ts";
import { hasStatus } from "../../api/http/errors.ts";
import type { Companions } from "../../tenants/companions.ts";
import type { Connections } from "../../tenants/connections.ts";
import { boundedMatching, TooSlowError } from "./bounded-matching.ts";
import { companionForSearch, searchWithCompanion } from "./companion-search.ts";
import { listingOptionsOf } from "./listing-choices.ts";
import { matchesIn, patternOf, type SearchedRest, type SearchMatch, type SkippedFile, textsOf } from "./matches.ts";
import type { Search } from "./search-input.ts";
import { type UnsavedTexts, unsavedTextsOf } from "./unsaved-texts.ts";

/** Maximum number of matches that a search finds. */
export const maxMatches = 2000;
const maxPerFile = 200;
/** The editor reports larger numbers of changes of a document as a single one. */
const maxReplacedPerFile = 1000;
/** Maximum size in bytes. Larger files are skipped. */
export const maxBytes = 2_000_000;
const binaryNames =
  /\.(?:png|jpe?g|gif|webp|ico|pdf|zip|gz|tgz|bz2|xz|7z|tar|parquet|feather|pkl|pickle|npy|npz|h5|whl|exe|so|dll|xlsx?|docx?|pptx?|mp[34]|wav|avi|mov)$/i;
/** Files that take too long, after which the search ends. */
const maxSlowFiles = 3;
/** Maximum number of skipped files that are named. */
const maxNamed = 200;

/** What a search found besides its matches, and why each file took a request, in one sentence. */
export interface TextSearchEnd extends SearchedRest {
  readonly reason?: string | undefined;
}

interface TextSearchParts {
  readonly connections: Pick<Connections, "content">;
  readonly companions: Pick<Companions, "get">;
}

interface TextSearchListener {
  /** Called with the number of files that were searched until now. */
  onSearched(files: number): void;
  onFound(path: string, matches: readonly SearchMatch[]): void;
  /** The search begins again. */
  onRestart(): void;
}

interface TextSearchOptions {
  /** Whether to return what a replacement needs. */
  readonly isToReplace: boolean;
  readonly signal: AbortSignal;
}

/**
 * Searches a workspace: with its companion, or over the contents API. Documents with unsaved changes are searched as they
 * are in the editor. Resolves with what there is if it is canceled.
 */
export async function searchTexts(
  { connections, companions }: TextSearchParts,
  search: Search,
  listener: TextSearchListener,
  { isToReplace, signal }: TextSearchOptions,
): Promise<TextSearchEnd> {
  const { workspace, query, choices } = search;
  const client = await connections.content(workspace.tenantId, workspace.workspaceId);
  const options = {
    maxMatches,
    maxPerFile: isToReplace ? maxReplacedPerFile : maxPerFile,
    maxBytes,
    withGroups: isToReplace,
    countsRest: isToReplace,
    unsaved: unsavedTextsOf(workspace),
  };
  const found = await companionForSearch(companions, workspace, signal);
  if (!("reason" in found)) {
    const searched = await searchWithCompanion(found, query, choices, options, listener, signal);
    if (searched !== undefined) {
      return searched;
    }
    listener.onRestart();
  }
  const searched = await searchEachFile(client, search, options, listener, signal);
  return "reason" in found ? { ...searched, reason: found.reason } : searched;
}

interface FileSearchOptions {
  readonly maxPerFile: number;
  readonly withGroups: boolean;
  readonly countsRest: boolean;
  readonly unsaved: readonly UnsavedTexts[];
}

/** Searches the files of the workspace while it is listed. Both share five parallel requests. */
async function searchEachFile(
  client: ContentClient,
  { query, choices }: Search,
  { maxPerFile, withGroups, countsRest, unsaved }: FileSearchOptions,
  listener: TextSearchListener,
  signal: AbortSignal,
): Promise<SearchedRest> {
  const pattern = patternOf(query);
  const unsavedTexts = new Map(unsaved.map((texts) => [texts.path, texts]));
  const skipped: SkippedFile[] = [];
  let files = 0;
  let found = 0;
  let rest = { matches: 0, files: 0 };
  const onFile = async ({ path, size }: ContentItem): Promise<void> => {
    if (found >= maxMatches && !countsRest) {
      return;
    }
    const read = unsavedTexts.get(path) ?? (await readTexts(client, path, size ?? 0, signal));
    if ("reason" in read) {
      skipped.push(read);
      return;
    }
    const max = Math.max(0, Math.min(maxPerFile, maxMatches - found));
    let matched: ReturnType<typeof matchesIn>;
    try {
      matched = boundedMatching(() => matchesIn(read, pattern, max, { withGroups, countsRest }));
    } catch (error) {
      if (!(error instanceof TooSlowError)) {
        throw error;
      }
      skipped.push({ path, reason: "slow" });
      if (skipped.filter(({ reason }) => reason === "slow").length >= maxSlowFiles) {
        throw new Error(vscode.l10n.t("The regular expression takes too long, such as in {0}.", path), {
          cause: error,
        });
      }
      return;
    }
    files += 1;
    listener.onSearched(files);
    found += matched.matches.length;
    if (matched.rest > 0) {
      rest = { matches: rest.matches + matched.rest, files: rest.files + 1 };
    }
    if (matched.matches.length > 0) {
      listener.onFound(path, matched.matches);
    }
  };
  try {
    await listRecursively(client, { ...listingOptionsOf(choices), signal, onFile });
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
  return { files, skipped: skipped.length, skippedFiles: skipped.slice(0, maxNamed), rest };
}

/** The texts of a file, or why it can't be searched. */
async function readTexts(client: ContentClient, path: string, size: number, signal: AbortSignal) {
  if (binaryNames.test(path)) {
    return { path, reason: "binary" } as const;
  }
  if (size > maxBytes) {
    return { path, reason: "large" } as const;
  }
  const text = await readText(client, path, signal);
  return text === undefined || text.slice(0, 8192).includes("\0")
    ? ({ path, reason: "binary" } as const)
    : textsOf(path, text);
}

/** The text of a file or notebook file. Undefined if it is not text, or if it no longer exists. */
async function readText(client: ContentClient, path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await readFileText(client, path, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (hasStatus(error, 400) || hasStatus(error, 404)) {
      return undefined;
    }
    throw error;
  }
}
