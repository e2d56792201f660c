import type * as vscode from "vscode";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../tenants/tenant-secrets.ts";
import type { SampleOnDemand } from "./sample-on-demand.ts";

/** Names a file that brings a tenant with its credentials, for containers and prepared machines. */
const tenantFileVariable = "PLATFORM_WORKBENCH_TENANT_FILE";

/**
 * Brings in the tenants that are not in the settings: of a tenant file, and the sample tenant where it was tried before.
 * What fails is logged. Whoever needs a tenant waits for it.
 */
export async function bringProvidedTenants(parts: {
  readonly registry: TenantRegistry;
  readonly secrets: TenantSecrets;
  readonly sample: SampleOnDemand;
  readonly log: vscode.LogOutputChannel;
}): Promise<void> {
  const { registry, secrets, sample, log } = parts;
  const tenantFile = process.env[tenantFileVariable] ?? "";
  const takeFile = async (): Promise<void> => {
    const { takeTenantFile } = await import("../tenants/tenant-file.ts");
    await takeTenantFile(tenantFile, registry, secrets);
  };
  for (const step of [...(tenantFile === "" ? [] : [takeFile]), () => sample.resume()]) {
    try {
      await step();
    } catch (error) {
      log.error(error instanceof Error ? error.message : String(error));
    }
  }
}
