import * as vscode from "vscode";
import { mayOpen } from "./browser-addresses.ts";
import { showWarning } from "./messages.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Opens an address from a server in the browser if it belongs to the tenant; otherwise shows it in a warning. Resolves
 * with true if the browser opened it.
 */
export async function openAddress(
  tenant: Tenant,
  address: string,
  contentOrigins: readonly string[] = [],
): Promise<boolean> {
  if (mayOpen(address, tenant, contentOrigins)) {
    return vscode.env.openExternal(vscode.Uri.parse(address, true));
  }
  if (address === "") {
    void showWarning(
      vscode.l10n.t(
        "{0} didn't provide an address to open. Open a workspace once in its web application.",
        tenant.label,
      ),
    );
    return false;
  }
  const copy = vscode.l10n.t("Copy Address");
  const chosen = await showWarning(
    vscode.l10n.t(
      "The platform provided an address outside {0}, which wasn't opened: {1}",
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
