import * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { ContentVersion } from "../../file-system/versions/content-version.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { defineFeature } from "../../ui/feature.ts";
import { checkpointsDeclarations } from "./declarations.ts";

interface CheckpointServices {
  readonly files: PlatformFileSystem;
  /** The extension's own folder on this machine. */
  readonly storage: vscode.Uri;
}

/** The checkpoints of a file as its history; one is made by itself after a save, where the person wants it. */
export const checkpoints = defineFeature({
  commands: checkpointsDeclarations,
  create: ({ files, storage }: CheckpointServices) => {
    const saved = async ({ uri }: { readonly uri: vscode.Uri }): Promise<void> => {
      const settings = vscode.workspace.getConfiguration("platformWorkbench", uri);
      if (uri.scheme === scheme && settings.get<boolean>("files.checkpointOnSave", false)) {
        await (await import("./keeping.ts")).checkpointOfSave(files, storage, uri);
      }
    };
    return {
      handlers: async () => (await import("./handlers.ts")).checkpointCommands({ files, storage }),
      disposables: [vscode.workspace.onDidSaveTextDocument(saved), vscode.workspace.onDidSaveNotebookDocument(saved)],
    };
  },
});

/** Keeps the server's version of a file before a save replaces it with one that did not come from it. */
export async function keepReplacedVersion(
  files: PlatformFileSystem,
  storage: vscode.Uri,
  uri: vscode.Uri,
  server: ContentVersion,
): Promise<void> {
  const { keepReplaced } = await import("./keeping.ts");
  await keepReplaced(files, storage, uri, server);
}
