import * as vscode from "vscode";
import { KernelServer } from "../../api/kernels/kernel-server.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { EarlierKernels } from "./earlier-kernels.ts";
import type { KernelAttachments } from "./kernel-attachments.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { KernelBindings } from "./sessions/kernel-bindings.ts";

interface KernelRenamesParts {
  readonly services: Pick<KernelServices, "connections" | "log">;
  readonly bindings: KernelBindings;
  readonly attachments: Pick<KernelAttachments, "moved">;
  readonly earlier: Pick<EarlierKernels, "expect">;
  /** Notebooks with cells that are running or waiting. */
  readonly running: () => readonly vscode.NotebookDocument[];
  /** Called when a notebook is open under its new name. */
  readonly opened: (notebook: vscode.NotebookDocument) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Updates the sessions of notebooks that are renamed or moved, alone or with their folder. Running cells continue. */
export class KernelRenames implements vscode.Disposable {
  readonly #parts: KernelRenamesParts;
  readonly #listeners: vscode.Disposable;

  constructor(parts: KernelRenamesParts) {
    this.#parts = parts;
    this.#listeners = vscode.Disposable.from(
      // Cells may end under the old name before the editor has the notebook under the new one.
      vscode.workspace.onWillRenameFiles(({ files }) => {
        for (const notebook of parts.running()) {
          for (const { oldUri, newUri } of files) {
            const moved = movedUri(notebook.uri, oldUri, newUri);
            if (moved !== undefined) {
              parts.earlier.expect(moved);
            }
          }
        }
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          for (const text of oldUri.scheme === scheme ? parts.bindings.uris : []) {
            const bound = vscode.Uri.parse(text);
            const moved = movedUri(bound, oldUri, newUri);
            if (moved !== undefined) {
              this.#renamed(bound, moved).catch(parts.onError);
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
    const { attachments, opened, services } = this.#parts;
    const { tenantId, workspaceId } = addressOf(newUri);
    // The notebook may already be closed under its old name, together with the workspace's kernels.
    const server = new KernelServer(() => services.connections.content(tenantId, workspaceId));
    await attachments.moved(oldUri, newUri, server);
    services.log.debug(`a session follows its notebook to ${newUri.path}`);
    const notebook = vscode.workspace.notebookDocuments.find(({ uri }) => uri.toString() === newUri.toString());
    if (notebook !== undefined) {
      await opened(notebook);
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
