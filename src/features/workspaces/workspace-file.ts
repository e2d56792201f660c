import * as vscode from "vscode";
import { uriOf } from "../../tenants/workspace-uri.ts";
import { fileName } from "../../ui/documents/document-address.ts";
import type { DocumentSource } from "../../ui/documents/platform-documents.ts";
import { unlessMissing } from "../../ui/documents/unless-missing.ts";
import {
  nameOfWorkspaceFile,
  workspaceFileDocument,
  workspaceFileTitle,
} from "../../ui/documents/workspace-file-address.ts";
import type { WorkspaceReference } from "../../ui/quick-input/workspace-choice.ts";

/**
 * The address of a workspace file with a workspace's folder, so that the window shows the workspace's name. With only a
 * folder, it would show the id. Other content that the user keeps in the file, such as settings, is preserved.
 *
 * In a browser, it is a document, so that the window's address opens the workspace in any browser profile. If the
 * workspace file is on the disk of the editor's server, some windows lose their folder, because the editor reads the
 * file and its own copy of it concurrently.
 */
export async function workspaceFile(
  storage: vscode.Uri,
  { tenantId, workspaceId }: WorkspaceReference,
  name: string,
): Promise<vscode.Uri> {
  const file = storedFile(storage, { tenantId, workspaceId }, fileName(workspaceFileTitle(name)));
  const stored = await read(file);
  if (stored?.includes(uriOf(tenantId, workspaceId).toString()) !== true) {
    await write(file, contentOf({ tenantId, workspaceId }, name));
  }
  return vscode.env.uiKind === vscode.UIKind.Web ? workspaceFileDocument({ tenantId, workspaceId, name }) : file;
}

/** Workspace files as documents: the user's stored file, or only the folder if there is none. */
export function workspaceFileSource(storage: vscode.Uri): Required<DocumentSource> {
  return {
    read: async (address) => {
      const stored = await read(storedFile(storage, address, address.title));
      return stored ?? contentOf(address, nameOfWorkspaceFile(address.title));
    },
    write: (address, text) => write(storedFile(storage, address, address.title), text),
  };
}

/** The ids come from servers, and the title can come from a link. Neither leads out of the storage folder. */
function storedFile(storage: vscode.Uri, { tenantId, workspaceId }: WorkspaceReference, title: string): vscode.Uri {
  return vscode.Uri.joinPath(storage, "workspaces", ...[tenantId, workspaceId, title].map(fileName));
}

function contentOf({ tenantId, workspaceId }: WorkspaceReference, name: string): string {
  return `${JSON.stringify({ folders: [{ uri: uriOf(tenantId, workspaceId).toString(), name }] }, undefined, 2)}\n`;
}

async function read(file: vscode.Uri): Promise<string | undefined> {
  const content = await unlessMissing(vscode.workspace.fs.readFile(file));
  return content && Buffer.from(content).toString();
}

async function write(file: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(file, ".."));
  await vscode.workspace.fs.writeFile(file, Buffer.from(text));
}
