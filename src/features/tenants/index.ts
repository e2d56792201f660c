import type * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { SampleAccess } from "../../tenants/sample-access.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { defineFeature } from "../../ui/feature.ts";
import { TenantAccounts } from "./accounts.ts";
import { tenantsDeclarations } from "./declarations.ts";
import { warnAboutTenantSetting } from "./setting-problems.ts";
import { StatusBar } from "./status-bar.ts";

interface TenantServices {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly connections: Connections;
  readonly log: ExtensionLog;
  readonly subscriptions: vscode.Disposable[];
  readonly sample: () => Promise<SampleAccess>;
}

/** The user's tenants: adding, switching, signing in, the Accounts menu, and the status bar. */
export const tenants = defineFeature({
  commands: tenantsDeclarations,
  create: ({ registry, secrets, connections, log, sample, subscriptions }: TenantServices) => {
    // Nothing waits for it.
    import("./signed-out-folders.ts")
      .then(({ showSignedOutFolders }) => subscriptions.push(showSignedOutFolders({ registry, secrets })))
      .catch((error: unknown) => log.error(errorMessage(error)));
    return {
      handlers: async () => {
        const [{ tenantCommands }, { tenantMenuCommands }] = await Promise.all([
          import("./handlers.ts"),
          import("./menu.ts"),
        ]);
        return {
          ...tenantCommands({ registry, secrets, connections, sample }),
          ...tenantMenuCommands({ registry, secrets }),
          "platformWorkbench.showLog": () => log.show(),
        };
      },
      disposables: [
        new TenantAccounts({ registry, secrets, connections, sample }),
        new StatusBar(registry, secrets),
        warnAboutTenantSetting(registry),
      ],
    };
  },
});
