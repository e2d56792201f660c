import * as vscode from "vscode";
import { stateOf } from "../../api/families/workspaces.ts";
import type { Connections } from "../../tenants/connections.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { uriOf } from "../../tenants/workspace-uri.ts";
import type { WorkspaceLifecycle } from "../../tenants/workspaces/workspace-lifecycle.ts";
import { pickRow } from "../../ui/quick-input/show-input.ts";
import type { WorkspaceReference } from "../../ui/quick-input/workspace-choice.ts";
import { askForNotebookToken } from "./notebook-token-prompt.ts";
import { workspaceFile } from "./workspace-file.ts";

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
  await connections.cacheWorkspace(tenantId, workspace);
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
  const target = await folderWithName(parts.storage, { tenantId, workspaceId }, name);
  await vscode.commands.executeCommand("vscode.openFolder", target, { forceNewWindow: chosen === "newWindow" });
}

/** The address to open: the workspace file, or the folder itself if that file can't be written. */
async function folderWithName(storage: vscode.Uri, reference: WorkspaceReference, name: string): Promise<vscode.Uri> {
  try {
    return await workspaceFile(storage, reference, name);
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
    const response = await showInformation(
      vscode.l10n.t("{0} isn't running. Start it to open its files.", name),
      start,
    );
    if (response !== start) {
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
  // A double click on a row often comes while its view is drawn.
  const chosen = await pickRow(items, {
    title: vscode.l10n.t("Open {0} as Folder", name),
    placeHolder: isRunning ? "" : vscode.l10n.t("This workspace isn't running"),
  });
  return chosen.place;
}
