import * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import { scheme } from "../../tenants/workspace-uri.ts";
import { defineFeature } from "../../ui/feature.ts";
import { conflictsDeclarations } from "./declarations.ts";

/** Compares and merges an editor's version of a file with the server's. */
export const conflicts = defineFeature({
  commands: conflictsDeclarations,
  create: ({ files }: { readonly files: PlatformFileSystem }) => ({
    handlers: async () => (await import("./handlers.ts")).conflictCommands({ files }),
    disposables: [
      // The editor's own extension for conflict markers doesn't serve other schemes or cells.
      vscode.languages.registerCodeLensProvider([{ scheme }, { scheme, notebookType: "jupyter-notebook" }], {
        provideCodeLenses: async (document) => [...(await import("./accepted-changes.ts")).lensesOf(document)],
      }),
    ],
  }),
});
