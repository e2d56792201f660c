import * as vscode from "vscode";
import { mayOpen } from "./browser-addresses.ts";
import type { Tenant } from "./tenant.ts";

/** Opens an address that a server named, where it is the tenant's own; shows it without opening otherwise. */
export async function openAddress(
  tenant: Tenant,
  address: string,
  contentOrigins: readonly string[] = [],
): Promise<boolean> {
  if (mayOpen(address, tenant, contentOrigins)) {
    return vscode.env.openExternal(vscode.Uri.parse(address, true));
  }
  if (address === "") {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "{0} did not provide an address to open. Open a workspace once in its web application.",
        tenant.label,
      ),
    );
    return false;
  }
  const copy = vscode.l10n.t("Copy Address");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      "The platform provided an address outside {0}, which was not opened: {1}",
      new URL(tenant.baseUrl).host,
      address,
    ),
    copy,
  );
  if (chosen === copy) {
    await vscode.env.clipboard.writeText(address);
  }
  return false;
}
