import * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { ContentVersion } from "../../file-system/versions/content-version.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showWarning } from "../../tenants/messages.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { CheckpointHistory } from "./history.ts";

/** Saves the server's version of a file before the user overwrites it with changes to another version. */
export async function storeReplaced(
  files: PlatformFileSystem,
  storage: vscode.Uri,
  uri: vscode.Uri,
  server: ContentVersion,
): Promise<void> {
  await new CheckpointHistory(files, storage, addressOf(uri)).storeReplaced(server);
}

/** Creates a checkpoint of a file that was just saved. Reports a failure, because the user relies on the checkpoint. */
export async function checkpointOfSave(files: PlatformFileSystem, storage: vscode.Uri, uri: vscode.Uri): Promise<void> {
  const address = addressOf(uri);
  try {
    await new CheckpointHistory(files, storage, address).create();
  } catch (error) {
    const words = errorText(error);
    void showWarning(vscode.l10n.t("{0} was saved, but its checkpoint couldn't be created: {1}", address.path, words));
  }
}
