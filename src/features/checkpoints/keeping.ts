import * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { ContentVersion } from "../../file-system/versions/content-version.ts";
import { errorText } from "../../tenants/error-text.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import { CheckpointHistory } from "./history.ts";

/** Keeps the server's version of a file before it is replaced by another one than it was edited from. */
export async function keepReplaced(
  files: PlatformFileSystem,
  storage: vscode.Uri,
  uri: vscode.Uri,
  server: ContentVersion,
): Promise<void> {
  await new CheckpointHistory(files, storage, addressOf(uri)).keepReplaced(server);
}

/** Makes a checkpoint of a file that was just saved; one that fails is told, for the person counts on it. */
export async function checkpointOfSave(files: PlatformFileSystem, storage: vscode.Uri, uri: vscode.Uri): Promise<void> {
  const address = addressOf(uri);
  try {
    await new CheckpointHistory(files, storage, address).create();
  } catch (error) {
    const words = errorText(error);
    void vscode.window.showWarningMessage(
      vscode.l10n.t("{0} was saved, but its checkpoint could not be created: {1}", address.path, words),
    );
  }
}
