import * as vscode from "vscode";
import * as z from "zod/mini";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import type { ContentClient } from "../../api/client/client.ts";
import { readFileText } from "../../api/content-server/file-content.ts";
import { type ListingOptions, listRecursively } from "../../api/content-server/listing.ts";
import { errorMessage } from "../../api/error-message.ts";
import { hasStatus } from "../../api/http/errors.ts";
import type { Companions } from "../../tenants/companions.ts";
import { withoutLinks } from "../../tenants/messages.ts";
import { typedKeys } from "../../tenants/stored-account-state.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { uriOf } from "../../tenants/workspace-uri.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { withCancellableProgress } from "../../ui/commands/progress.ts";
import { filesText } from "../../ui/format/counts.ts";
import { showInput } from "../../ui/quick-input/show-input.ts";
import {
  type WorkspaceChoiceParts,
  type WorkspaceReference,
  workspaceInView,
} from "../../ui/quick-input/workspace-choice.ts";
import { companionForSearch, searchWithCompanion } from "./companion-search.ts";
import type { RemoteSearchCommandId } from "./declarations.ts";
import { askForListing, filesButton, listingChoices, listingOptionsOf, listingWords } from "./listing-choices.ts";
import { matchesIn, patternOf, type SearchQuery } from "./matches.ts";
import { type SearchedFile, SearchResults } from "./search-results.ts";

interface SearchParts extends WorkspaceChoiceParts {
  readonly secrets: TenantSecrets;
  readonly companions: Companions;
  readonly state: vscode.Memento;
  readonly subscriptions: vscode.Disposable[];
}

const maxMatches = 2000;
const maxPerFile = 200;
/** Maximum size in bytes. Larger files are skipped. */
const maxBytes = 2_000_000;
const binaryNames =
  /\.(?:png|jpe?g|gif|webp|ico|pdf|zip|gz|tgz|bz2|xz|7z|tar|parquet|feather|pkl|pickle|npy|npz|h5|whl|exe|so|dll|xlsx?|docx?|pptx?|mp[34]|wav|avi|mov)$/i;

const foundPlace = z.object({
  uri: z.string(),
  line: z.int(),
  start: z.int(),
  end: z.int(),
  cell: z.optional(z.int()),
});

interface Running {
  readonly workspace: WorkspaceReference;
  readonly query: SearchQuery;
}

/** `Search in Workspace…`, because the editor's own search does not support virtual files. */
export function searchCommands(parts: SearchParts) {
  let results: SearchResults | undefined;
  let last: Running | undefined;
  const run = async (search: Running): Promise<void> => {
    last = search;
    results ??= newResults(parts, {
      searchedTenant: () => last?.workspace.tenantId,
      onCleared: () => {
        last = undefined;
      },
    });
    await searchWithProgress(parts, search, results);
  };
  return {
    "platformWorkbench.searchInWorkspace": async (command, argument) => run(await ask(parts, command, argument)),
    "platformWorkbench.searchAllFiles": async (command) => run(await ask(parts, command, undefined)),
    "platformWorkbench.repeatSearch": async (command, argument) => run(last ?? (await ask(parts, command, argument))),
    "platformWorkbench.openSearchResult": (_, argument) => openPlace(z.parse(foundPlace, argument)),
    "platformWorkbench.clearSearch": async () => {
      await results?.clear();
    },
    "platformWorkbench.clearSearchInPanel": async () => {
      await results?.clearAndClosePanel();
    },
  } satisfies Partial<CommandHandlers<RemoteSearchCommandId>>;
}

/** Creates the view of the results. It is cleared when the user signs out of the searched tenant. */
function newResults(
  { registry, secrets, subscriptions }: SearchParts,
  { searchedTenant, onCleared }: { readonly searchedTenant: () => string | undefined; readonly onCleared: () => void },
): SearchResults {
  const results = new SearchResults();
  const clearIfSignedOut = async (tenantId: string): Promise<void> => {
    const tenant = registry.get(tenantId);
    if (tenant === undefined || (await secrets.credential(tenant)) === undefined) {
      onCleared();
      await results.clearAndClosePanel();
    }
  };
  subscriptions.push(
    results,
    secrets.onDidChange(({ tenantId, workspaceId }) => {
      if (workspaceId === undefined && tenantId === searchedTenant()) {
        void clearIfSignedOut(tenantId);
      }
    }),
  );
  return results;
}

/** Asks for the workspace and the text. After the user changes the set of files, asks for the text again. */
async function ask(parts: SearchParts, command: CommandRun, argument: unknown): Promise<Running> {
  const title = vscode.l10n.t("Search in Workspace");
  const workspace = await workspaceInView(parts, command, argument, title);
  let typed: string | undefined;
  for (;;) {
    const { query, isToSearch } = await askForText(parts, workspace, title, typed);
    if (isToSearch) {
      return { workspace, query };
    }
    typed = query.text;
    await askForListing(parts.state, workspace);
  }
}

/** The typed text, for a search, or to continue with after the user changes the set of files. */
interface Asked {
  readonly query: SearchQuery;
  readonly isToSearch: boolean;
}

/** Asks for the text, with buttons for matching case, for regular expressions, and for the set of files. */
async function askForText(
  parts: SearchParts,
  workspace: WorkspaceReference,
  title: string,
  typed: string | undefined,
): Promise<Asked> {
  const narrowed = listingWords(listingChoices(parts.state, workspace));
  const name = parts.connections.nameOf(workspace.tenantId, workspace.workspaceId);
  const before = parts.state.get<SearchQuery>(typedKeys.lastSearch);
  const input = vscode.window.createInputBox();
  let query: SearchQuery = {
    text: typed ?? selectedText() ?? before?.text ?? "",
    isCaseSensitive: before?.isCaseSensitive ?? false,
    isRegularExpression: before?.isRegularExpression ?? false,
  };
  const button = (icon: string, tooltip: string, isOn: boolean): vscode.QuickInputButton => ({
    iconPath: new vscode.ThemeIcon(icon, isOn ? new vscode.ThemeColor("inputOption.activeForeground") : undefined),
    tooltip: isOn ? vscode.l10n.t("{0} (on)", tooltip) : vscode.l10n.t("{0} (off)", tooltip),
  });
  let buttons: readonly [vscode.QuickInputButton, vscode.QuickInputButton, vscode.QuickInputButton];
  const draw = (): void => {
    buttons = [
      button("case-sensitive", vscode.l10n.t("Match Case"), query.isCaseSensitive),
      button("regex", vscode.l10n.t("Use Regular Expression"), query.isRegularExpression),
      filesButton(narrowed !== ""),
    ];
    input.buttons = buttons;
    const switches = [
      ...(narrowed === "" ? [] : [narrowed]),
      ...(query.isCaseSensitive ? [vscode.l10n.t("matching case")] : []),
      ...(query.isRegularExpression ? [vscode.l10n.t("as a regular expression")] : []),
    ];
    const searched = vscode.l10n.t("Search the text files and notebooks of {0}", name);
    input.prompt = withoutLinks([searched, ...switches].join(", "));
  };
  input.title = title;
  input.placeholder = vscode.l10n.t("Text to find");
  input.value = query.text;
  input.ignoreFocusOut = true;
  const isUsable = (): boolean => {
    query = { ...query, text: input.value };
    input.validationMessage = problemOf(query);
    return input.value !== "" && input.validationMessage === undefined;
  };
  draw();
  return showInput<Asked>(input, ({ finish }) => {
    input.onDidTriggerButton((pressed) => {
      if (pressed === buttons[2]) {
        finish({ query: { ...query, text: input.value }, isToSearch: false });
        return;
      }
      query =
        pressed === buttons[0]
          ? { ...query, isCaseSensitive: !query.isCaseSensitive }
          : { ...query, isRegularExpression: !query.isRegularExpression };
      draw();
      isUsable();
    });
    input.onDidChangeValue(isUsable);
    input.onDidAccept(() => {
      if (isUsable()) {
        finish({ query, isToSearch: true });
      }
    });
  });
}

function problemOf(query: SearchQuery): string | undefined {
  try {
    patternOf(query);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

function selectedText(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection) ?? "";
  return text === "" || text.includes("\n") ? undefined : text;
}

async function searchWithProgress(
  parts: SearchParts,
  { workspace, query }: Running,
  results: SearchResults,
): Promise<void> {
  const { tenantId, workspaceId } = workspace;
  await parts.state.update(typedKeys.lastSearch, query);
  const client = await parts.connections.content(tenantId, workspaceId);
  const name = parts.connections.nameOf(tenantId, workspaceId);
  await results.begin(query.text, name);
  await withCancellableProgress(vscode.l10n.t('Searching {0} for "{1}"', name, query.text), async (signal, report) => {
    const choices = listingChoices(parts.state, { tenantId, workspaceId });
    const onFound = (path: string, matches: SearchedFile["matches"]): void =>
      results.add({ uri: uriOf(tenantId, workspaceId, path), path, matches });
    const found = await companionForSearch(parts.companions, workspace, signal);
    const isCompanion = !("reason" in found);
    if (isCompanion) {
      const onSearched = (searched: number): void => report(vscode.l10n.t("{0} read", filesText(searched)));
      const limits = { maxMatches, maxPerFile, maxBytes };
      const searched = await searchWithCompanion(found, query, choices, limits, { onSearched, onFound }, signal);
      if (searched !== undefined) {
        results.end({ ...searched, isCancelled: signal.aborted, max: maxMatches });
        return;
      }
      results.restart();
    }
    let read = 0;
    const listing = listingOptionsOf(choices);
    const seen = await search(
      client,
      patternOf(query),
      { ...listing, signal },
      {
        onRead: () => {
          read += 1;
          report(vscode.l10n.t("{0} read", filesText(read)));
        },
        onFound,
        isEnough: () => results.count >= maxMatches,
      },
    );
    const reason = isCompanion ? undefined : found.reason;
    results.end({ ...seen, isCancelled: signal.aborted, max: maxMatches, reason });
  });
}

interface SearchEvents {
  onRead(): void;
  onFound(path: string, matches: SearchedFile["matches"]): void;
  isEnough(): boolean;
}

/** Searches the text files of the workspace while it is listed. Both share five parallel requests. */
async function search(
  client: ContentClient,
  pattern: RegExp,
  listing: ListingOptions & { readonly signal: AbortSignal },
  events: SearchEvents,
): Promise<{ readonly files: number; readonly skipped: number }> {
  const { signal } = listing;
  let skipped = 0;
  let files = 0;
  const look = async ({ path, size }: ContentItem): Promise<void> => {
    if (events.isEnough()) {
      return;
    }
    const isBig = binaryNames.test(path) || (size ?? 0) > maxBytes;
    const text = isBig ? undefined : await readText(client, path, signal);
    if (text === undefined) {
      skipped += 1;
      return;
    }
    files += 1;
    events.onRead();
    const matches = matchesIn(path, text, pattern, maxPerFile);
    if (matches.length > 0) {
      events.onFound(path, matches);
    }
  };
  try {
    await listRecursively(client, { ...listing, onFile: look });
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
  return { files, skipped };
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

/** Opens a file at a match. A notebook opens at the cell. */
async function openPlace({ uri, line, start, end, cell }: z.output<typeof foundPlace>): Promise<void> {
  const address = vscode.Uri.parse(uri, true);
  if (cell === undefined) {
    const selection = new vscode.Range(line, start, line, end);
    await vscode.window.showTextDocument(address, { selection });
    return;
  }
  const document = await vscode.workspace.openNotebookDocument(address);
  const range = new vscode.NotebookRange(cell, cell + 1);
  const editor = await vscode.window.showNotebookDocument(document, { selections: [range] });
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}
