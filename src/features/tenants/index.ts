import type * as vscode from "vscode";
import type { Connections } from "../../tenants/connections.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { defineFeature } from "../../ui/feature.ts";
import { TenantAccounts } from "./accounts.ts";
import { tenantsDeclarations } from "./declarations.ts";
import { StatusBar } from "./status-bar.ts";

interface TenantServices {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly log: vscode.LogOutputChannel;
  readonly trySampleTenant: () => Promise<void>;
}

/** A person's tenants: added, switched, signed in to; in the Accounts menu and the status bar. */
export const tenants = defineFeature({
  commands: tenantsDeclarations,
  create: ({ registry, secrets, connections, log, trySampleTenant }: TenantServices) => ({
    handlers: async () => {
      const [{ tenantCommands }, { tenantMenuCommands }] = await Promise.all([
        import("./handlers.ts"),
        import("./menu.ts"),
      ]);
      return {
        ...tenantCommands({ registry, secrets, connections, trySampleTenant }),
        ...tenantMenuCommands({ registry, secrets }),
        "platformWorkbench.showLog": () => log.show(),
      };
    },
    disposables: [new TenantAccounts({ registry, secrets, connections }), new StatusBar(registry, secrets)],
  }),
});
