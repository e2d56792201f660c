import * as vscode from "vscode";
import * as z from "zod/mini";
import { getWorkspace } from "../api/operations/workspaces.ts";
import { documentUri } from "../documents/document-address.ts";
import { unsavedDocuments } from "../files/editor-documents.ts";
import { workspacePage } from "../tenants/browser-addresses.ts";
import { askForNotebookToken } from "../tenants/notebook-token-prompt.ts";
import type { WorkspacesView } from "../views/workspaces.ts";
import type { CommandHandlers, CommandRun } from "./command-runner.ts";
import { chooseWorkspace, type WorkspaceChoiceParts, type WorkspaceReference } from "./workspace-choice.ts";
import { type OpenPlace, openAsFolder, type WorkspaceFolderParts } from "./workspace-folder.ts";

export interface WorkspaceCommandParts extends WorkspaceChoiceParts, WorkspaceFolderParts {
  readonly view: WorkspacesView;
}

export type WorkspaceCommandId =
  | "platformWorkbench.refreshWorkspaces"
  | "platformWorkbench.filterWorkspaces"
  | "platformWorkbench.changeWorkspaceFilter"
  | "platformWorkbench.clearWorkspaceFilter"
  | "platformWorkbench.loadMoreWorkspaces"
  | "platformWorkbench.retryWorkspaces"
  | "platformWorkbench.clickWorkspace"
  | "platformWorkbench.openSelection"
  | "platformWorkbench.openWorkspace"
  | "platformWorkbench.openWorkspaceHere"
  | "platformWorkbench.openWorkspaceInNewWindow"
  | "platformWorkbench.openWorkspaceInBrowser"
  | "platformWorkbench.startWorkspace"
  | "platformWorkbench.stopWorkspace"
  | "platformWorkbench.setNotebookToken"
  | "platformWorkbench.editConfiguration"
  | "platformWorkbench.copyWorkspaceId";

const ofTenant = z.looseObject({ tenantId: z.string() });
const ofWorkspace = z.looseObject({ tenantId: z.string(), workspaceId: z.string() });
const doubleClick = 500;

/** What the Workspaces view and the palette offer for workspaces. */
export function workspaceCommands(parts: WorkspaceCommandParts): Pick<CommandHandlers, WorkspaceCommandId> {
  const { view } = parts;
  const choose = (run: CommandRun, argument: unknown, title: string): Promise<WorkspaceReference> =>
    chooseWorkspace(parts, run, argument, { title });
  const open = async (run: CommandRun, argument: unknown, place: OpenPlace | undefined): Promise<void> =>
    openAsFolder(parts, await choose(run, argument, vscode.l10n.t("Open Workspace as Folder")), place);
  let lastClick = { key: "", time: 0 };

  return {
    "platformWorkbench.refreshWorkspaces": () => view.refresh(),
    "platformWorkbench.filterWorkspaces": () => askForFilter(view),
    "platformWorkbench.changeWorkspaceFilter": () => askForFilter(view),
    "platformWorkbench.clearWorkspaceFilter": () => view.setFilter(""),
    "platformWorkbench.loadMoreWorkspaces": (_, argument) => view.loadMore(z.parse(ofTenant, argument).tenantId),
    "platformWorkbench.retryWorkspaces": (_, argument) => view.retry(z.parse(ofTenant, argument).tenantId),
    "platformWorkbench.clickWorkspace": async (run, argument) => {
      const { tenantId, workspaceId } = z.parse(ofWorkspace, argument);
      const key = `${tenantId}/${workspaceId}`;
      const isSecond = lastClick.key === key && Date.now() - lastClick.time < doubleClick;
      lastClick = isSecond ? { key: "", time: 0 } : { key, time: Date.now() };
      if (isSecond) {
        await open(run, argument, undefined);
      }
    },
    "platformWorkbench.openSelection": (run) => openSelection(view, (node) => open(run, node, undefined)),
    "platformWorkbench.openWorkspace": (run, argument) => open(run, argument, undefined),
    "platformWorkbench.openWorkspaceHere": (run, argument) => open(run, argument, "here"),
    "platformWorkbench.openWorkspaceInNewWindow": (run, argument) => open(run, argument, "newWindow"),
    "platformWorkbench.openWorkspaceInBrowser": async (run, argument) => {
      const { tenantId, workspaceId } = await choose(run, argument, vscode.l10n.t("Open Workspace in Browser"));
      const page = workspacePage(parts.connections.tenant(tenantId), workspaceId);
      await vscode.env.openExternal(vscode.Uri.parse(page, true));
    },
    "platformWorkbench.startWorkspace": async (run, argument) => {
      const title = vscode.l10n.t("Start Workspace");
      const { tenantId, workspaceId } = await chooseWorkspace(parts, run, argument, { title, states: ["stopped"] });
      return parts.lifecycle.startAndWait(tenantId, workspaceId);
    },
    "platformWorkbench.stopWorkspace": (run, argument) => stopWorkspace(parts, run, argument),
    "platformWorkbench.setNotebookToken": async (run, argument) => {
      const { tenantId, workspaceId } = await choose(run, argument, vscode.l10n.t("Set Notebook Token"));
      return askForNotebookToken(parts, tenantId, workspaceId);
    },
    "platformWorkbench.editConfiguration": async (run, argument) => {
      const { tenantId, workspaceId } = await choose(run, argument, vscode.l10n.t("Edit Workspace Configuration"));
      const title = vscode.l10n.t("{0} (configuration).json", await workspaceName(parts, tenantId, workspaceId));
      const uri = documentUri({ kind: "configuration", tenantId, workspaceId, key: "", title });
      await vscode.window.showTextDocument(uri, { preview: false });
    },
    "platformWorkbench.copyWorkspaceId": async (run, argument) => {
      const { workspaceId } = await choose(run, argument, vscode.l10n.t("Copy Workspace Id"));
      await vscode.env.clipboard.writeText(workspaceId);
    },
  };
}

/** The name as last seen, asked for where it was never seen: an id that nothing belongs to is told before a tab opens. */
async function workspaceName(
  { connections }: WorkspaceCommandParts,
  tenantId: string,
  workspaceId: string,
): Promise<string> {
  const known = connections.nameOf(tenantId, workspaceId);
  if (known !== workspaceId) {
    return known;
  }
  const client = await connections.platform(tenantId);
  const workspace = await client.call(getWorkspace, { workspaceId });
  await connections.learn(tenantId, workspace);
  return workspace.name ?? workspaceId;
}

async function askForFilter(view: WorkspacesView): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t("Filter Workspaces"),
    prompt: vscode.l10n.t("Show the workspaces with this in their name; leave it empty for all"),
    placeHolder: vscode.l10n.t("Part of a name"),
    value: view.filter,
  });
  if (text !== undefined) {
    await view.setFilter(text.trim());
  }
}

/** Enter on a row does what a double click does: the row's own action for rows that are not a workspace. */
async function openSelection(view: WorkspacesView, open: (node: unknown) => Promise<void>): Promise<void> {
  const [node] = view.selection;
  if (node === undefined) {
    return;
  }
  if (node.type === "workspace") {
    await open(node);
    return;
  }
  if (node.type === "tenant") {
    await vscode.commands.executeCommand("list.toggleExpand");
    return;
  }
  const { command } = view.getTreeItem(node);
  if (command !== undefined) {
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
  }
}

async function stopWorkspace(parts: WorkspaceCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const { connections, lifecycle } = parts;
  const title = vscode.l10n.t("Stop Workspace");
  const { tenantId, workspaceId } = await chooseWorkspace(parts, run, argument, {
    title,
    states: ["running", "starting"],
  });
  const name = connections.nameOf(tenantId, workspaceId);
  const unsaved = [...new Set(unsavedDocuments(tenantId, workspaceId).map(({ uri }) => uri.path.slice(1)))];
  if (unsaved.length > 0) {
    const shown = unsaved.slice(0, 10);
    const rest = unsaved.length - shown.length;
    const stop = vscode.l10n.t("Stop");
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t("Stop {0} although files of it have unsaved changes?", name),
      {
        modal: true,
        detail: [
          ...shown,
          ...(rest === 0 ? [] : [vscode.l10n.t("and {0} more", rest)]),
          "",
          vscode.l10n.t("They stay in the editor, and can be saved when the workspace runs again."),
        ].join("\n"),
      },
      stop,
    );
    if (chosen !== stop) {
      throw new vscode.CancellationError();
    }
  }
  const hasStopped = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Stopping {0}", name) },
    () => lifecycle.stop(tenantId, workspaceId),
  );
  if (!hasStopped) {
    void vscode.window.showInformationMessage(vscode.l10n.t("{0} is not running.", name));
  }
}
