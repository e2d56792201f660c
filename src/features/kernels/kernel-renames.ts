import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import { KernelServer } from "../../api/kernels/kernel-server.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { NotebookKernels } from "./notebook-kernels.ts";

type RenameServices = Pick<KernelServices, "connections" | "log">;

/** Updates the sessions of notebooks that are renamed or moved, alone or with their folder. Running cells continue. */
export class KernelRenames implements vscode.Disposable {
  readonly #kernels: Pick<NotebookKernels, "all" | "opened" | "sessions">;
  readonly #services: RenameServices;
  readonly #listeners: vscode.Disposable;

  constructor(kernels: Pick<NotebookKernels, "all" | "opened" | "sessions">, services: RenameServices) {
    this.#kernels = kernels;
    this.#services = services;
    const { sessions } = kernels;
    this.#listeners = vscode.Disposable.from(
      // Cells may end under the old name before the editor has the notebook under the new one.
      vscode.workspace.onWillRenameFiles(({ files }) => {
        for (const { notebook } of kernels.all.filter(({ running }) => running.length > 0)) {
          for (const { oldUri, newUri } of files) {
            const moved = movedUri(notebook.uri, oldUri, newUri);
            if (moved !== undefined) {
              sessions.expectRuns(moved);
            }
          }
        }
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          for (const text of oldUri.scheme === scheme ? sessions.uris : []) {
            const bound = vscode.Uri.parse(text);
            const moved = movedUri(bound, oldUri, newUri);
            if (moved !== undefined) {
              this.#renamed(bound, moved).catch((error: unknown) =>
                services.log.error(`kernels: ${errorMessage(error)}`),
              );
            }
          }
        }
      }),
    );
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  /** Moves the session. The notebook's new editor then finds running cells again. */
  async #renamed(oldUri: vscode.Uri, newUri: vscode.Uri): Promise<void> {
    const { connections, log } = this.#services;
    const { tenantId, workspaceId } = addressOf(newUri);
    // The notebook may already be closed under its old name, together with the workspace's kernels.
    const server = new KernelServer(() => connections.content(tenantId, workspaceId));
    await this.#kernels.sessions.move(oldUri, newUri, server);
    log.debug(`a session follows its notebook to ${newUri.path}`);
    const notebook = vscode.workspace.notebookDocuments.find(({ uri }) => uri.toString() === newUri.toString());
    if (notebook !== undefined) {
      await this.#kernels.opened(notebook);
    }
  }
}

/**
 * The new URI of a file after it, or one of its parent folders, was renamed in its workspace; undefined if it is not
 * affected.
 */
function movedUri(uri: vscode.Uri, oldUri: vscode.Uri, newUri: vscode.Uri): vscode.Uri | undefined {
  const isThere = oldUri.scheme === scheme && uri.scheme === scheme && uri.authority === oldUri.authority;
  if (!isThere || newUri.scheme !== scheme || newUri.authority !== oldUri.authority) {
    return undefined;
  }
  if (uri.path === oldUri.path) {
    return newUri;
  }
  const isWithin = uri.path.startsWith(`${oldUri.path}/`);
  return isWithin ? newUri.with({ path: newUri.path + uri.path.slice(oldUri.path.length) }) : undefined;
}
