import * as vscode from "vscode";
import { nameOf, parentOf } from "../../api/catalogue/content-path.ts";
import type { ContentItem } from "../../api/catalogue/models/contents.ts";
import { listRecursively } from "../../api/content-server/listing.ts";
import type { Companions } from "../../tenants/companions.ts";
import { addressOf, scheme, uriOf } from "../../tenants/workspace-uri.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { ReplacedItems, type ValueItem } from "../../ui/quick-input/replaced-items.ts";
import { showPick } from "../../ui/quick-input/show-input.ts";
import {
  type WorkspaceChoiceParts,
  type WorkspaceReference,
  workspaceInView,
} from "../../ui/quick-input/workspace-choice.ts";
import { fileIcon } from "../../ui/resources/resource-icons.ts";
import { companionForSearch, listWithCompanion } from "./companion-search.ts";
import type { RemoteSearchCommandId } from "./declarations.ts";
import { askForListing, filesButton, listingChoices, listingOptionsOf, listingWords } from "./listing-choices.ts";

const redrawPauseMs = 150;
/** Maximum number of files that the editor lists. */
const maxFiles = 100_000;

interface GoToFileParts extends WorkspaceChoiceParts {
  readonly companions: Companions;
  readonly state: vscode.Memento;
}

type FileItem = ValueItem<string>;

/** `Go to Remote File…`, because the editor's own quick open does not list virtual folders. */
export function goToFileCommands(parts: GoToFileParts) {
  return {
    "platformWorkbench.goToFile": async (run, argument) => {
      const title = vscode.l10n.t("Go to Remote File");
      const workspace = await workspaceInView(parts, run, argument, title);
      const name = parts.connections.nameOf(workspace.tenantId, workspace.workspaceId);
      const heading = vscode.l10n.t("Go to Remote File in {0}", name);
      let picked = await pickFile(parts, workspace, heading);
      while (picked.type === "chooseFiles") {
        await askForListing(parts.state, workspace);
        picked = await pickFile(parts, workspace, heading);
      }
      await (picked.type === "editor"
        ? vscode.commands.executeCommand("workbench.action.quickOpen", picked.text)
        : vscode.commands.executeCommand("vscode.open", uriOf(workspace.tenantId, workspace.workspaceId, picked.path)));
    },
  } satisfies Partial<CommandHandlers<RemoteSearchCommandId>>;
}

/** The user's choice: a file, another set of files to search, or a list of the editor's own quick open. */
type Picked =
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "chooseFiles" }
  | { readonly type: "editor"; readonly text: string };

/** Prefixes of other lists in the editor's quick open: commands, symbols, lines, help. */
const editorPrefix = /^[>@#:%?]/;

/** Lists the workspace's files while the user types. Open files come first. */
async function pickFile(
  { connections, companions, state }: GoToFileParts,
  { tenantId, workspaceId }: WorkspaceReference,
  title: string,
): Promise<Picked> {
  const choices = listingChoices(state, { tenantId, workspaceId });
  const narrowed = listingWords(choices);
  const client = await connections.content(tenantId, workspaceId);
  const pick = vscode.window.createQuickPick<FileItem>();
  const items = new ReplacedItems(pick);
  pick.title = narrowed === "" ? title : `${title} · ${narrowed}`;
  pick.buttons = [filesButton(narrowed !== "")];
  pick.placeholder = vscode.l10n.t("Search files by name or path");
  pick.matchOnDescription = true;
  pick.busy = true;
  const open = openFiles(tenantId, workspaceId);
  const found = new Set<string>(open);
  const draw = (): void => {
    const others = [...found].filter((path) => !open.has(path)).sort();
    items.replace([
      ...separated(vscode.l10n.t("open in this window"), [...open]),
      ...separated(vscode.l10n.t("in the workspace"), others),
    ]);
  };
  const list = async (signal: AbortSignal): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const onPaths = (paths: readonly string[]): void => {
      for (const path of paths) {
        found.add(path);
      }
      timer ??= setTimeout(() => {
        timer = undefined;
        draw();
      }, redrawPauseMs);
    };
    const onItems = (items: readonly ContentItem[]): void =>
      onPaths(items.flatMap(({ type, path }) => (type === "directory" ? [] : [path])));
    try {
      const companion = await companionForSearch(companions, { tenantId, workspaceId }, signal);
      const isListed =
        !("reason" in companion) && (await listWithCompanion(companion, choices, { maxFiles, onPaths }, signal));
      if (!isListed) {
        await listRecursively(client, { ...listingOptionsOf(choices), onItems, signal });
      }
    } finally {
      clearTimeout(timer);
    }
    if (signal.aborted) {
      return;
    }
    draw();
    pick.busy = false;
    if (found.size === 0) {
      items.replace([{ label: emptyText, alwaysShow: true }]);
    }
  };
  draw();
  const emptyText =
    narrowed === ""
      ? vscode.l10n.t("This workspace has no files yet")
      : vscode.l10n.t("No matching files: {0}", narrowed);
  return showPick<FileItem, Picked>(
    pick,
    (item) => {
      const path = items.valueOf(item);
      return path === undefined ? undefined : { type: "file", path };
    },
    ({ signal, fail, finish }) => {
      pick.onDidTriggerButton(() => finish({ type: "chooseFiles" }));
      pick.onDidChangeValue((text) => (editorPrefix.test(text) ? finish({ type: "editor", text }) : undefined));
      list(signal).catch(fail);
    },
  );
}

function separated(label: string, paths: readonly string[]): FileItem[] {
  return paths.length === 0
    ? []
    : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...paths.map((path) => fileItem(path))];
}

function fileItem(path: string): FileItem {
  return { label: nameOf(path), description: parentOf(path), iconPath: fileIcon(path), value: path };
}

/** Paths of the workspace's files that are open in tabs of this window. */
function openFiles(tenantId: string, workspaceId: string): ReadonlySet<string> {
  const { authority } = uriOf(tenantId, workspaceId);
  const paths = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .map(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook ? input.uri : undefined,
    )
    .filter((uri) => uri?.scheme === scheme && uri.authority === authority)
    .flatMap((uri) => (uri === undefined ? [] : [addressOf(uri).path]));
  return new Set(paths);
}
