import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { errorMessage } from "../../../api/error-message.ts";
import { KernelServer } from "../../../api/kernels/kernel-server.ts";
import type { PlatformFileSystem } from "../../../file-system/provider/platform-file-system.ts";
import type { Connections } from "../../../tenants/connections.ts";
import type { ExtensionLog } from "../../../tenants/extension-log.ts";
import { addressOf, scheme, uriOf } from "../../../tenants/workspace-uri.ts";
import type { CommandRun } from "../../../ui/commands/command-runner.ts";
import { type WorkspaceChoiceParts, workspaceInView } from "../../../ui/quick-input/workspace-choice.ts";
import { notebookType } from "../notebook-metadata.ts";

export interface NewNotebookParts extends WorkspaceChoiceParts {
  readonly connections: Connections;
  readonly files: Pick<PlatformFileSystem, "writeFile">;
  readonly log: Pick<ExtensionLog, "debug">;
}

/** Number of names that are tried. */
const maxNames = 1000;

/**
 * Creates a notebook with an empty code cell and the workspace's default kernel, named as in Jupyter, and opens it. It is
 * created in the folder of the menu, beside the file in the active editor, or in a workspace that the user chooses.
 */
export async function createNotebook(parts: NewNotebookParts, run: CommandRun, argument: unknown): Promise<void> {
  const { tenantId, workspaceId } = await workspaceInView(parts, run, argument, vscode.l10n.t("New Notebook"));
  const metadata = await kernelMetadata(parts, tenantId, workspaceId);
  const cell = {
    cell_type: "code",
    execution_count: null,
    id: randomUUID().slice(0, 8),
    metadata: {},
    outputs: [],
    source: [],
  };
  const content = { cells: [cell], metadata, nbformat: 4, nbformat_minor: 5 };
  const bytes = new TextEncoder().encode(`${JSON.stringify(content, undefined, 1)}\n`);
  const uri = await created(parts.files, folderOf(argument, uriOf(tenantId, workspaceId)), bytes);
  await vscode.commands.executeCommand("vscode.openWith", uri, notebookType);
}

/** Writes the first file whose name is free. Throws if there is none. */
export async function created(
  files: Pick<PlatformFileSystem, "writeFile">,
  folder: vscode.Uri,
  bytes: Uint8Array,
): Promise<vscode.Uri> {
  for (let number = 0; number < maxNames; number += 1) {
    const uri = vscode.Uri.joinPath(folder, `Untitled${number === 0 ? "" : number}.ipynb`);
    try {
      await files.writeFile(uri, bytes, { create: true, overwrite: false });
      return uri;
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError && error.code === "FileExists")) {
        throw error;
      }
    }
  }
  throw new Error(vscode.l10n.t("Can't create a notebook: the folder has too many notebooks without a name."));
}

/** The folder of the menu, or of the file in the active editor if it is in the workspace; otherwise its root. */
function folderOf(argument: unknown, root: vscode.Uri): vscode.Uri {
  if (argument instanceof vscode.Uri && argument.scheme === scheme) {
    return argument;
  }
  const active = vscode.window.activeNotebookEditor?.notebook.uri ?? vscode.window.activeTextEditor?.document.uri;
  return active?.scheme === scheme && active.authority === root.authority && addressOf(active).path !== ""
    ? vscode.Uri.joinPath(active, "..")
    : root;
}

/** The metadata that names the default kernel; empty if the server doesn't report one. */
async function kernelMetadata(
  { connections, log }: NewNotebookParts,
  tenantId: string,
  workspaceId: string,
): Promise<object> {
  try {
    const support = await new KernelServer(() => connections.content(tenantId, workspaceId)).support();
    const spec =
      support.type === "available" ? support.specs.find(({ name }) => name === support.defaultName) : undefined;
    return spec === undefined
      ? {}
      : {
          kernelspec: { display_name: spec.displayName, language: spec.language, name: spec.name },
          language_info: { name: spec.language },
        };
  } catch (error) {
    // The file itself reports what is wrong with the server.
    log.debug(`kernels for a new notebook: ${errorMessage(error)}`);
    return {};
  }
}
