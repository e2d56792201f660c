import * as vscode from "vscode";
import type { InputButton } from "../../ui/quick-input/checked-text.ts";

interface CredentialBox {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly buttons: readonly InputButton[];
}

/**
 * The prompt for a tenant's credential: where to find or create it, with a button that opens the tenant, and where it is
 * sent. `tenantFile` is the path of the file that contains the tenant and its token, if there is one.
 */
export function credentialBox(label: string, baseUrl: string, tenantFile?: string): CredentialBox {
  const { host } = new URL(baseUrl);
  return {
    title: vscode.l10n.t("Sign In to {0}", label),
    prompt:
      tenantFile === undefined
        ? vscode.l10n.t(
            "Create an access token in the administration settings of {0}, or ask its administrator for one. It is stored in the editor's secret storage and sent only to {0}.",
            host,
          )
        : vscode.l10n.t(
            "Enter the token from the tenant file {1}, or create one in the administration settings of {0}. It is stored in the editor's secret storage and sent only to {0}.",
            host,
            tenantFile,
          ),
    placeholder: vscode.l10n.t("Access token of your account"),
    buttons: [
      {
        iconPath: new vscode.ThemeIcon("link-external"),
        tooltip: vscode.l10n.t("Open {0} in Browser", host),
        run: () => vscode.env.openExternal(vscode.Uri.parse(baseUrl, true)),
      },
    ],
  };
}
