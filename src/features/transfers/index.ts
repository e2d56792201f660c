import type * as vscode from "vscode";
import type { PlatformFileSystem } from "../../file-system/provider/platform-file-system.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { defineFeature } from "../../ui/feature.ts";
import { transfersDeclarations } from "./declarations.ts";

interface TransferServices {
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly files: PlatformFileSystem;
  readonly log: vscode.LogOutputChannel;
}

/** Files and folders between this machine and a workspace. */
export const transfers = defineFeature({
  commands: transfersDeclarations,
  create: ({ registry, connections, files, log }: TransferServices) => ({
    handlers: async () => (await import("./handlers.ts")).transferCommands({ registry, connections, files, log }),
  }),
});
