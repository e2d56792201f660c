import * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { defineFeature } from "../../ui/feature.ts";
import { viewersDeclarations } from "./declarations.ts";

interface ViewerServices {
  readonly files: PlatformFileSystem;
  readonly extensionUri: vscode.Uri;
  readonly log: ExtensionLog;
}

const kinds = ["pdf", "parquet"] as const;

/** Shows files of workspaces that the editor itself can't show as something readable. The screens load with the first one. */
export const viewers = defineFeature({
  commands: viewersDeclarations,
  create: (services: ViewerServices) => {
    const screens = () => import("./screens.ts");
    return {
      handlers: async () => (await screens()).parquetCommands,
      disposables: kinds.map((kind) =>
        vscode.window.registerCustomEditorProvider(
          `platformWorkbench.${kind}`,
          {
            openCustomDocument: (uri) => ({ uri, dispose() {} }),
            resolveCustomEditor: async (document, panel) =>
              (await screens()).screensOf(services)[kind].resolveCustomEditor(document, panel),
          } satisfies vscode.CustomReadonlyEditorProvider,
          { supportsMultipleEditorsPerDocument: true, webviewOptions: { enableFindWidget: true } },
        ),
      ),
    };
  },
});
