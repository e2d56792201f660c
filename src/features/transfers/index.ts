import * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { defineFeature } from "../../ui/feature.ts";
import { transfersDeclarations } from "./declarations.ts";

/**
 * Replaces the editor's own `isWeb` in menu conditions, because VS Code's server evaluates those before the browser
 * does, with `isWeb` as false.
 */
const inBrowserKey = "platformWorkbench.inBrowser";

interface TransferServices {
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly files: PlatformFileSystem;
  readonly log: ExtensionLog;
}

/** Copies files and folders between this computer and a workspace. */
export const transfers = defineFeature({
  commands: transfersDeclarations,
  create: ({ registry, connections, files, log }: TransferServices) => {
    if (vscode.env.uiKind === vscode.UIKind.Web) {
      void vscode.commands.executeCommand("setContext", inBrowserKey, true);
    }
    return {
      handlers: async () => (await import("./handlers.ts")).transferCommands({ registry, connections, files, log }),
    };
  },
});
