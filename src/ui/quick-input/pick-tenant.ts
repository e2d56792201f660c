import * as vscode from "vscode";
import type { Tenant } from "../../tenants/tenant.ts";
import { pickItem, unlessCanceled } from "./show-input.ts";

/** Lets the user choose one of the tenants. */
export async function pickTenant(
  tenants: readonly Tenant[],
  title: string,
  describe: (tenant: Tenant) => string | undefined = () => undefined,
): Promise<Tenant | undefined> {
  const items = tenants.map((tenant) => {
    const detail = describe(tenant);
    return {
      label: tenant.label,
      description: new URL(tenant.baseUrl).host,
      iconPath: new vscode.ThemeIcon("organization"),
      tenant,
      ...(detail === undefined ? {} : { detail }),
    };
  });
  const chosen = await unlessCanceled(pickItem(items, { title, matchOnDescription: true }));
  return chosen?.tenant;
}
