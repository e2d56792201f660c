import * as vscode from "vscode";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { CommandRun } from "../commands/command-runner.ts";
import { chooseWorkspace, type WorkspaceChoiceParts, type WorkspaceReference } from "./workspace-choice.ts";

/**
 * The workspace that a person works in: of the file or folder that a menu names, of the active editor, or of the window's
 * only folder; else the one that the person picks.
 */
export async function workspaceInView(
  parts: WorkspaceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<WorkspaceReference> {
  const active =
    vscode.window.activeNotebookEditor?.notebook.uri ?? vscode.window.activeTextEditor?.document.uri ?? undefined;
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .map(({ uri }) => uri)
    .filter((uri) => uri.scheme === scheme);
  const [only] = folders;
  const named = argument instanceof vscode.Uri ? argument : undefined;
  const uri = named ?? (active?.scheme === scheme ? active : undefined) ?? (folders.length === 1 ? only : undefined);
  if (uri === undefined || uri.scheme !== scheme) {
    return chooseWorkspace(parts, run, argument, { title });
  }
  const { tenantId, workspaceId } = addressOf(uri);
  run.setErrorContext({ tenantId, workspaceId });
  return { tenantId, workspaceId };
}
