import * as vscode from "vscode";
import * as z from "zod/mini";
import { isContentPath } from "../../api/catalogue/content-path.ts";
import type { Companion } from "../../api/companion/companion.ts";
import { CompanionLostError, CompanionOperationError, CompanionUnavailableError } from "../../api/companion/errors.ts";
import type { PushOf } from "../../api/companion/operation.ts";
import { searchFiles, searchText } from "../../api/companion/operations/search.ts";
import { pythonPattern } from "../../api/companion/python-pattern.ts";
import type { Companions } from "../../tenants/companions.ts";
import { localizedText } from "../../tenants/error-text.ts";
import type { WorkspaceReference } from "../../ui/quick-input/workspace-choice.ts";
import type { ListingChoices } from "./listing-choices.ts";
import type { SearchedRest, SearchMatch, SearchQuery } from "./matches.ts";
import type { UnsavedTexts } from "./unsaved-texts.ts";

/** Milliseconds to wait for a companion that must be started first. Then, the contents API is quicker in most cases. */
const startTimeoutMs = 15_000;
/** Milliseconds after which a search ends. */
const searchTimeoutMs = 300_000;

/** Why there is no companion, in one sentence; undefined if the user knows, because a setting turns it off. */
export interface WithoutCompanion {
  readonly reason: string | undefined;
}

/**
 * The companion for a search, or why there is none. Throws an error if the workspace can't be reached either, or the
 * signal's reason.
 */
export async function companionForSearch(
  companions: Pick<Companions, "get">,
  workspace: WorkspaceReference,
  signal: AbortSignal,
): Promise<Companion | WithoutCompanion> {
  const timeout = AbortSignal.timeout(startTimeoutMs);
  try {
    return await companions.get(workspace, AbortSignal.any([signal, timeout]));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CompanionUnavailableError) {
      const isKnown = error.obstacle === "disabled" || error.obstacle === "noKernels";
      return { reason: isKnown ? undefined : localizedText(error.text) };
    }
    return { reason: timeout.aborted ? vscode.l10n.t("The companion is still starting.") : undefined };
  }
}

interface SearchOptions {
  readonly maxMatches: number;
  readonly maxPerFile: number;
  /** Maximum size of a file, in bytes. */
  readonly maxBytes: number;
  /** Whether to return the groups of each match. */
  readonly withGroups?: boolean;
  /** Whether to count the matches beyond the limits, and to name the files that are skipped. */
  readonly countsRest?: boolean;
  readonly unsaved?: readonly UnsavedTexts[];
}

interface SearchListener {
  /** Called with the number of files that were searched until now. */
  onSearched(searched: number): void;
  onFound(path: string, matches: readonly SearchMatch[]): void;
}

/**
 * Searches with the companion. Resolves with undefined if the contents API must be used instead, because the companion
 * ended, or because Python has no such regular expression. What was found until then is found again.
 */
export async function searchWithCompanion(
  companion: Companion,
  query: SearchQuery,
  choices: ListingChoices,
  { unsaved = [], ...options }: SearchOptions,
  listener: SearchListener,
  signal: AbortSignal,
): Promise<SearchedRest | undefined> {
  const text = query.isRegularExpression ? pythonPattern(query.text) : query.text;
  if (text === undefined) {
    return undefined;
  }
  let files = 0;
  try {
    const { searched, skipped, skippedFiles, rest } = await companion.request(
      searchText,
      {
        ...listingOf(choices),
        ...options,
        ...query,
        text,
        unsaved: unsaved.map(({ path, texts, areCells }) => ({ path, texts: [...texts], areCells })),
      },
      {
        signal,
        timeoutMs: searchTimeoutMs,
        onPush: ({ items, searched: seen }) => {
          files = seen;
          listener.onSearched(seen);
          for (const { path, matches } of items) {
            if (isContentPath(path)) {
              listener.onFound(path, matches.map(withoutUndefined));
            }
          }
        },
      },
    );
    return { files: searched, skipped, skippedFiles, rest };
  } catch (error) {
    if (signal.aborted) {
      return { files, skipped: 0, skippedFiles: [], rest: { matches: 0, files: 0 } };
    }
    return endOf(error);
  }
}

/**
 * Lists the workspace's files with the companion. Resolves with false if the contents API must be used instead.
 * `onPaths` is called with paths as they are found.
 */
export async function listWithCompanion(
  companion: Companion,
  choices: ListingChoices,
  { maxFiles, onPaths }: { readonly maxFiles: number; readonly onPaths: (paths: readonly string[]) => void },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await companion.request(
      searchFiles,
      { ...listingOf(choices), maxFiles },
      { signal, timeoutMs: searchTimeoutMs, onPush: ({ items }) => onPaths(items.filter(isContentPath)) },
    );
    return true;
  } catch (error) {
    if (signal.aborted) {
      return true;
    }
    endOf(error);
    return false;
  }
}

/** Undefined if the contents API can be used instead. Throws errors that it would not avoid. */
function endOf(error: unknown): undefined {
  if (error instanceof CompanionOperationError && (error.kind === "slowPattern" || error.kind === "noFolder")) {
    throw error;
  }
  if (error instanceof CompanionOperationError || error instanceof CompanionLostError) {
    return undefined;
  }
  throw error;
}

function listingOf(choices: ListingChoices): {
  readonly folder: string;
  readonly ignoreFolders: string[];
  readonly fileTypes: string[];
  readonly isRecursive: boolean;
  readonly includesHidden: boolean;
  readonly exclude: string[];
  readonly useIgnoreFiles: boolean;
} {
  const { folder, ignoreFolders, fileTypes, isRecursive, includesHidden } = choices;
  const settings = vscode.workspace.getConfiguration();
  return {
    folder,
    ignoreFolders: [...ignoreFolders],
    fileTypes: [...fileTypes],
    isRecursive,
    includesHidden,
    exclude: ["files.exclude", "search.exclude"].flatMap((name) => excludedBy(settings.get(name))),
    useIgnoreFiles: settings.get("search.useIgnoreFiles", true),
  };
}

const excludeSetting = z.record(z.string(), z.unknown());

/** The globs of a setting such as `files.exclude`. Those with a condition apply to files next to others, and are skipped. */
function excludedBy(value: unknown): readonly string[] {
  const parsed = z.safeParse(excludeSetting, value);
  return Object.entries(parsed.data ?? {}).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []));
}

type ReceivedMatch = PushOf<typeof searchText>["items"][number]["matches"][number];

function withoutUndefined({ cell, groups, ...place }: ReceivedMatch): SearchMatch {
  return { ...place, ...(cell === undefined ? {} : { cell }), ...(groups === undefined ? {} : { groups }) };
}
