import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { showWarning } from "../../tenants/messages.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";

/** The file system with the deleted folders. */
interface DeletingFiles {
  delete(uri: vscode.Uri, options: { readonly recursive: boolean }): Promise<void>;
}

/**
 * Folders that were deleted with their content. Undo in the editor recreates such a folder without its content, so it
 * is removed again, and a message explains why. The editor fires an event before users create a folder, but not for
 * Undo.
 */
export class DeletedFolders implements vscode.Disposable {
  readonly #files: DeletingFiles;
  readonly #folders = new Set<string>();
  readonly #listeners: vscode.Disposable;

  constructor(files: DeletingFiles) {
    this.#files = files;
    this.#listeners = vscode.Disposable.from(
      vscode.workspace.onWillCreateFiles(({ files: announced }) => {
        for (const uri of announced) {
          this.#folders.delete(uri.toString());
        }
      }),
      vscode.workspace.onDidCreateFiles(({ files: created }) => {
        for (const uri of created) {
          if (this.#folders.delete(uri.toString())) {
            void this.#remove(uri);
          }
        }
      }),
    );
  }

  add(uri: vscode.Uri): void {
    this.#folders.add(uri.toString());
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  async #remove(uri: vscode.Uri): Promise<void> {
    try {
      await this.#files.delete(uri, { recursive: false });
    } catch {
      // Someone has added content meanwhile, or the folder is unreachable.
      return;
    }
    void showWarning(
      vscode.l10n.t(
        "Can't undo the deletion of {0}: its files were deleted from the server. If the server has a trash, look for them there.",
        nameOf(addressOf(uri).path),
      ),
    );
  }
}
