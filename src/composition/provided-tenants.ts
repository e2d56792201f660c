import type * as vscode from "vscode";
import { errorMessage } from "../api/error-message.ts";
import { errorText } from "../tenants/error-text.ts";
import type { ExtensionLog } from "../tenants/extension-log.ts";
import { showError } from "../tenants/messages.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { tenantFilePath } from "../tenants/tenant-file-path.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";

/** In the editor's global state: whether the sample tenant was used before and starts with each window. */
export const sampleTriedKey = "sampleTenant";

/** In the editor's global state: the IDs of the provided tenants that the user is signed out of. */
const signedOutKey = "signedOutTenants";

/** True if the user has signed out of a provided tenant, and has not signed in again. */
export function isSignedOut(state: vscode.Memento, tenantId: string): boolean {
  return state.get<readonly string[]>(signedOutKey, []).includes(tenantId);
}

/** Remembers which provided tenants the user signs out of, because their credentials come back with each window. */
export function rememberSignOuts(parts: {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly state: vscode.Memento;
  readonly log: ExtensionLog;
}): vscode.Disposable {
  const { registry, secrets, state, log } = parts;
  const remember = async (tenant: Tenant): Promise<void> => {
    const isOut = (await secrets.credential(tenant)) === undefined;
    if (isOut !== isSignedOut(state, tenant.id)) {
      const others = state.get<readonly string[]>(signedOutKey, []).filter((id) => id !== tenant.id);
      await state.update(signedOutKey, isOut ? [...others, tenant.id] : others);
    }
  };
  return secrets.onDidChange(({ tenantId, workspaceId }) => {
    const tenant = workspaceId === undefined ? registry.get(tenantId) : undefined;
    if (tenant?.source === "provided") {
      remember(tenant).catch((error: unknown) => log.error(errorMessage(error)));
    }
  });
}

/**
 * Adds the tenants that are not in the settings: the tenant of a tenant file, and the sample tenant if it was used
 * before. Failures are logged and shown. Callers that need a tenant wait for this.
 */
export async function addProvidedTenants(parts: {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly state: vscode.Memento;
  readonly sample: () => Promise<{ resume(): Promise<void> }>;
  readonly log: ExtensionLog;
}): Promise<void> {
  const { registry, secrets, state, sample, log } = parts;
  const tenantFile = tenantFilePath();
  const importFile = async (path: string): Promise<void> => {
    const { importTenantFile } = await import("../tenants/tenant-file.ts");
    await importTenantFile(path, registry, secrets, (tenantId) => isSignedOut(state, tenantId));
  };
  const resumeSample = async (): Promise<void> => (await sample()).resume();
  const steps = [
    ...(tenantFile === undefined ? [] : [() => importFile(tenantFile)]),
    ...(state.get<boolean>(sampleTriedKey, false) ? [resumeSample] : []),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.error(errorMessage(error));
      void showError(errorText(error));
    }
  }
}
