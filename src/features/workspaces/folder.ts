import * as vscode from "vscode";
import { stateOf } from "../../api/families/workspaces.ts";
import type { Connections } from "../../tenants/connections.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { WorkspaceLifecycle } from "../../tenants/workspace-lifecycle.ts";
import { uriOf } from "../../tenants/workspace-uri.ts";
import { fileName } from "../../ui/documents/document-address.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import type { WorkspaceReference } from "../../ui/quick-input/workspace-choice.ts";
import { askForNotebookToken } from "./notebook-token-prompt.ts";

export interface WorkspaceFolderParts {
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly lifecycle: WorkspaceLifecycle;
  /** The extension's storage folder. */
  readonly storage: vscode.Uri;
}

export type OpenPlace = "here" | "newWindow";

/**
 * Opens a workspace as a folder. Starts it first if the user agrees, and asks for a notebook token. If `place` is
 * undefined, asks for it. Throws a CancellationError if canceled.
 */
export async function openAsFolder(
  parts: WorkspaceFolderParts,
  { tenantId, workspaceId }: WorkspaceReference,
  place: OpenPlace | undefined,
): Promise<void> {
  const { connections, lifecycle, secrets } = parts;
  const workspace = await connections.workspace(tenantId, workspaceId);
  await connections.learn(tenantId, workspace);
  const name = workspace.name ?? workspaceId;
  const isRunning = stateOf(workspace).state === "running";
  const chosen = await choosePlace(name, isRunning, place);
  if (!isRunning && !(await lifecycle.startAndWait(tenantId, workspaceId))) {
    throw new vscode.CancellationError();
  }
  const base = await connections.contentServer(tenantId, workspaceId);
  const token = await secrets.notebookToken(tenantId, workspaceId);
  const hasToken = token !== undefined && token.origin === base.origin;
  if (!hasToken && !(await askForNotebookToken(parts, tenantId, workspaceId))) {
    throw new vscode.CancellationError();
  }
  const target = await folderWithName(workspaceFiles(parts.storage), { tenantId, workspaceId }, name);
  await vscode.commands.executeCommand("vscode.openFolder", target, { forceNewWindow: chosen === "newWindow" });
}

/**
 * The folder of the files that name a workspace's folder. It is on the disk of the editor's server, so that the window's
 * address opens the workspace in another browser profile, too. An editor without a server has only its user data.
 */
function workspaceFiles(storage: vscode.Uri): vscode.Uri {
  return vscode.env.uiKind === vscode.UIKind.Web && vscode.env.remoteName === undefined
    ? vscode.Uri.from({ scheme: "vscode-userdata", path: "/User/platform-workbench/workspaces" })
    : vscode.Uri.joinPath(storage, "workspaces");
}

/** The address to open: the file that names the folder, or the folder itself if that file can't be written. */
async function folderWithName(directory: vscode.Uri, reference: WorkspaceReference, name: string): Promise<vscode.Uri> {
  try {
    return await writeWorkspaceFile(directory, reference, name);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) {
      return uriOf(reference.tenantId, reference.workspaceId);
    }
    throw error;
  }
}

async function choosePlace(name: string, isRunning: boolean, place: OpenPlace | undefined): Promise<OpenPlace> {
  if (place !== undefined && isRunning) {
    return place;
  }
  if (place !== undefined) {
    const start = vscode.l10n.t("Start and Open");
    const answer = await showInformation(vscode.l10n.t("{0} is not running. Start it to open its files.", name), start);
    if (answer !== start) {
      throw new vscode.CancellationError();
    }
    return place;
  }
  const items = [
    {
      label: isRunning ? vscode.l10n.t("Open in This Window") : vscode.l10n.t("Start and Open in This Window"),
      iconPath: new vscode.ThemeIcon("window"),
      place: "here",
    },
    {
      label: isRunning ? vscode.l10n.t("Open in New Window") : vscode.l10n.t("Start and Open in New Window"),
      iconPath: new vscode.ThemeIcon("empty-window"),
      place: "newWindow",
    },
  ] as const;
  const chosen = await pickItem(items, {
    title: vscode.l10n.t("Open {0} as Folder", name),
    placeHolder: isRunning ? "" : vscode.l10n.t("This workspace is not running"),
  });
  return chosen.place;
}

/** Writes a workspace file, so that the window shows the workspace's name. With only a folder, it would show the id. */
async function writeWorkspaceFile(
  storage: vscode.Uri,
  { tenantId, workspaceId }: WorkspaceReference,
  name: string,
): Promise<vscode.Uri> {
  const directory = vscode.Uri.joinPath(storage, tenantId, workspaceId);
  const file = vscode.Uri.joinPath(directory, `${fileName(name)}.code-workspace`);
  const content = { folders: [{ uri: uriOf(tenantId, workspaceId).toString(), name }] };
  await vscode.workspace.fs.createDirectory(directory);
  await vscode.workspace.fs.writeFile(file, Buffer.from(`${JSON.stringify(content, undefined, 2)}\n`));
  return file;
}
