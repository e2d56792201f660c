import * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import { defineFeature } from "../../ui/feature.ts";

interface ViewerServices {
  readonly files: PlatformFileSystem;
  readonly extensionUri: vscode.Uri;
  readonly log: ExtensionLog;
}

/** Shows files of workspaces that the editor itself can't show as something readable. The screens load with the first one. */
export const viewers = defineFeature({
  commands: {},
  create: (services: ViewerServices) => ({
    disposables: [
      vscode.window.registerCustomEditorProvider(
        "platformWorkbench.pdf",
        {
          openCustomDocument: (uri) => ({ uri, dispose() {} }),
          resolveCustomEditor: async (document, panel) => {
            const { PdfScreens } = await import("./pdf-screens.ts");
            new PdfScreens(services).resolveCustomEditor(document, panel);
          },
        } satisfies vscode.CustomReadonlyEditorProvider,
        { supportsMultipleEditorsPerDocument: true, webviewOptions: { enableFindWidget: true } },
      ),
    ],
  }),
});
