import * as vscode from "vscode";
import { lazy } from "../../api/lazy.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { defineFeature } from "../../ui/feature.ts";
import { frontDoorDeclarations } from "./declarations.ts";

interface FrontDoorServices {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly log: ExtensionLog;
  readonly subscriptions: vscode.Disposable[];
}

/** The tenants' front doors as MCP servers of the editor, with their tokens. */
export const frontDoor = defineFeature({
  commands: frontDoorDeclarations,
  create: ({ registry, secrets, log, subscriptions }: FrontDoorServices) => {
    const changed = new vscode.EventEmitter<void>();
    const servers = lazy(async () => {
      const { FrontDoorServers } = await import("./servers.ts");
      const loaded = new FrontDoorServers({ registry, secrets, log });
      subscriptions.push(loaded);
      return loaded;
    });
    return {
      handlers: async () => (await import("./handlers.ts")).frontDoorCommands({ registry, secrets }),
      disposables: [
        changed,
        registry.onDidChange(() => changed.fire()),
        secrets.onDidChangeFrontDoorToken(() => changed.fire()),
        vscode.lm.registerMcpServerDefinitionProvider("platformWorkbench.frontDoor", {
          onDidChangeMcpServerDefinitions: changed.event,
          provideMcpServerDefinitions: async () => (await servers()).definitions(),
          resolveMcpServerDefinition: async (server) =>
            server instanceof vscode.McpHttpServerDefinition ? (await servers()).resolve(server) : undefined,
        }),
      ],
    };
  },
});
