import type * as vscode from "vscode";
import type { Companions } from "../../tenants/companions.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { defineFeature } from "../../ui/feature.ts";
import { remoteSearchDeclarations } from "./declarations.ts";

interface RemoteSearchServices {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly companions: Companions;
  readonly state: vscode.Memento;
  readonly subscriptions: vscode.Disposable[];
}

/** Finds files and text on a content server, which the editor's own search does not support. */
export const remoteSearch = defineFeature({
  commands: remoteSearchDeclarations,
  create: ({ registry, secrets, connections, companions, state, subscriptions }: RemoteSearchServices) => ({
    handlers: async () => {
      const [{ searchCommands }, { goToFileCommands }] = await Promise.all([
        import("./search-in-workspace.ts"),
        import("./go-to-file.ts"),
      ]);
      return {
        ...searchCommands({ registry, secrets, connections, companions, state, subscriptions }),
        ...goToFileCommands({ registry, connections, companions, state }),
      };
    },
  }),
});
