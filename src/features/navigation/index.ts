import * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { defineFeature } from "../../ui/feature.ts";
import type { Trees } from "../../ui/tree/lazy-trees.ts";
import { navigationDeclarations } from "./declarations.ts";

interface NavigationServices {
  readonly registry: TenantRegistry;
  readonly connections: Connections;
  readonly trees: Trees;
  readonly state: vscode.Memento;
}

/** Opens anything on the platform: by name, by link, or from its row. */
export const navigation = defineFeature({
  commands: navigationDeclarations,
  create: ({ registry, connections, trees, state }: NavigationServices) => ({
    handlers: async () => {
      const [{ goToAnythingCommands, RecentResources }, { linkCommands }, { resourceCommands }, { rowCommands }] =
        await Promise.all([
          import("./go-to-anything.ts"),
          import("./links.ts"),
          import("./resources.ts"),
          import("../../ui/tree/tree-commands.ts"),
        ]);
      const recent = new RecentResources(state);
      return {
        ...goToAnythingCommands({ registry, connections, trees, recent }),
        ...linkCommands({ registry, connections, trees }),
        ...resourceCommands({ registry, connections, recent }),
        ...rowCommands(trees),
      };
    },
    disposables: [
      vscode.window.registerUriHandler({
        handleUri: async (link) => {
          await vscode.commands.executeCommand("platformWorkbench.openLink", link);
        },
      }),
    ],
  }),
});
