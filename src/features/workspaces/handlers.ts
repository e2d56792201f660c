import * as vscode from "vscode";
import { getWorkspace } from "../../api/catalogue/operations/workspaces.ts";
import { unsavedDocuments } from "../../file-system/session/editor-documents.ts";
import { workspacePage } from "../../tenants/browser-addresses.ts";
import { showInformation, showWarning } from "../../tenants/messages.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { namedLines } from "../../ui/commands/confirmation.ts";
import { documentUri } from "../../ui/documents/document-address.ts";
import { documentInEditor } from "../../ui/documents/document-in-editor.ts";
import type { DocumentReload } from "../../ui/documents/platform-documents.ts";
import { currentTenant } from "../../ui/quick-input/choose-resource.ts";
import {
  chooseWorkspace,
  type WorkspaceChoiceParts,
  type WorkspaceReference,
} from "../../ui/quick-input/workspace-choice.ts";
import type { PlatformTree } from "../../ui/tree/platform-tree.ts";
import { treeCommands } from "../../ui/tree/tree-commands.ts";
import type { ConfigurationDocuments } from "./configuration-documents.ts";
import type { WorkspacesCommandId } from "./declarations.ts";
import { type OpenPlace, openAsFolder, type WorkspaceFolderParts } from "./folder.ts";
import { askForNotebookToken } from "./notebook-token-prompt.ts";
import { changeWorkspaceOwner } from "./owner.ts";
import { changeKernel, changeSize } from "./size-and-kernel.ts";

interface WorkspaceCommandParts extends WorkspaceChoiceParts, WorkspaceFolderParts {
  readonly tree: PlatformTree;
  readonly documents: DocumentReload;
  readonly configurations: () => Promise<Pick<ConfigurationDocuments, "send">>;
}

/** The workspace commands of rows and the palette. */
export function workspaceCommands(parts: WorkspaceCommandParts) {
  const choose = (run: CommandRun, argument: unknown, title: string): Promise<WorkspaceReference> =>
    chooseWorkspace(parts, run, argument, { title });
  const open = async (run: CommandRun, argument: unknown, place: OpenPlace | undefined): Promise<void> =>
    openAsFolder(parts, await choose(run, argument, vscode.l10n.t("Open Workspace as Folder")), place);

  return {
    ...treeCommands("Workspaces", parts.tree),
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
    "platformWorkbench.changeWorkspaceSize": async (run, argument) =>
      changeSize(parts, await choose(run, argument, vscode.l10n.t("Change Workspace Size"))),
    "platformWorkbench.changeWorkspaceKernel": async (run, argument) =>
      changeKernel(parts, await choose(run, argument, vscode.l10n.t("Change Workspace Kernel"))),
    "platformWorkbench.changeWorkspaceOwner": async (run, argument) =>
      changeWorkspaceOwner(parts, await choose(run, argument, vscode.l10n.t("Change Workspace Owner"))),
    "platformWorkbench.sendConfiguration": async (run, argument) => {
      const document = documentInEditor(argument, "configuration");
      run.setErrorContext({ tenantId: document.address.tenantId, workspaceId: document.address.workspaceId });
      await (await parts.configurations()).send(document);
    },
    "platformWorkbench.editConfiguration": async (run, argument) => {
      const { tenantId, workspaceId } = await choose(run, argument, vscode.l10n.t("Edit Workspace Configuration"));
      const title = vscode.l10n.t("{0} (configuration).json", await workspaceName(parts, tenantId, workspaceId));
      const uri = documentUri({ kind: "configuration", tenantId, workspaceId, key: "", title });
      await vscode.window.showTextDocument(uri, { preview: false });
    },
    "platformWorkbench.showInstanceSettings": async (run) => {
      const { id: tenantId, label } = currentTenant(parts.registry);
      run.setErrorContext({ tenantId });
      const name = vscode.l10n.t("Notebook settings of {0}", label);
      const resource = { type: "notebookSettings", tenantId, id: "all", name } as const;
      await vscode.commands.executeCommand("platformWorkbench.showDetails", resource);
    },
    "platformWorkbench.copyWorkspaceId": async (run, argument) => {
      const { workspaceId } = await choose(run, argument, vscode.l10n.t("Copy Workspace ID"));
      await vscode.env.clipboard.writeText(workspaceId);
    },
  } satisfies Partial<CommandHandlers<WorkspacesCommandId>>;
}

/** The last known name, or the name from the platform, so that an unknown id fails before a tab opens. */
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
  await connections.cacheWorkspace(tenantId, workspace);
  return workspace.name ?? workspaceId;
}

/** Asks whether to save the files first. If the user cancels or a save fails, the workspace keeps running. */
async function askToStopUnsaved(
  tenantId: string,
  workspaceId: string,
  name: string,
  unsaved: readonly string[],
): Promise<void> {
  const save = vscode.l10n.t("Save All and Stop");
  const stop = vscode.l10n.t("Stop");
  const later = vscode.l10n.t("Unsaved changes stay in the editor. You can save them when the workspace runs again.");
  const chosen = await showWarning(
    vscode.l10n.t("{0} has unsaved files. Stop it?", name),
    { modal: true, detail: [...namedLines(unsaved), "", later].join("\n") },
    save,
    stop,
  );
  if (chosen !== save && chosen !== stop) {
    throw new vscode.CancellationError();
  }
  for (const document of chosen === save ? unsavedDocuments(tenantId, workspaceId) : []) {
    if (document.isDirty && !(await document.save())) {
      throw new Error(
        vscode.l10n.t("{0} wasn't stopped because {1} couldn't be saved.", name, document.uri.path.slice(1)),
      );
    }
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
    await askToStopUnsaved(tenantId, workspaceId, name, unsaved);
  }
  const hasStopped = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Stopping {0}", name) },
    () => lifecycle.stop(tenantId, workspaceId),
  );
  if (!hasStopped) {
    void showInformation(vscode.l10n.t("{0} isn't running.", name));
  }
}
