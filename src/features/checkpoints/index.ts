import * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { ContentVersion } from "../../file-system/versions/content-version.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { defineFeature } from "../../ui/feature.ts";
import { checkpointsDeclarations } from "./declarations.ts";

interface CheckpointServices {
  readonly files: PlatformFileSystem;
  /** The extension's storage on this computer. */
  readonly storage: vscode.Uri;
}

/** The checkpoints of a file as its history. A setting also creates one after each save. */
export const checkpoints = defineFeature({
  commands: checkpointsDeclarations,
  create: ({ files, storage }: CheckpointServices) => {
    const saved = async ({ uri }: { readonly uri: vscode.Uri }): Promise<void> => {
      const settings = vscode.workspace.getConfiguration("platformWorkbench", uri);
      if (uri.scheme === scheme && settings.get<boolean>("files.checkpointOnSave", false)) {
        await (await import("./storing.ts")).checkpointOfSave(files, storage, uri);
      }
    };
    return {
      handlers: async () => (await import("./handlers.ts")).checkpointCommands({ files, storage }),
      disposables: [vscode.workspace.onDidSaveTextDocument(saved), vscode.workspace.onDidSaveNotebookDocument(saved)],
    };
  },
});

/** Saves the server's version of a file before the user overwrites it with changes to another version. */
export async function storeReplacedVersion(
  files: PlatformFileSystem,
  storage: vscode.Uri,
  uri: vscode.Uri,
  server: ContentVersion,
): Promise<void> {
  const { storeReplaced } = await import("./storing.ts");
  await storeReplaced(files, storage, uri, server);
}
