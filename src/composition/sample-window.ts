import * as vscode from "vscode";
import { showInformation } from "../tenants/messages.ts";
import { authorityOf, scheme } from "../tenants/workspace-uri.ts";

/**
 * Where to open a workspace of the sample tenant. Asks if the window has other folders, which would be replaced.
 * Undefined if the user declines.
 */
export async function sampleWindowLocation(
  { tenantId, workspaceId }: { readonly tenantId: string; readonly workspaceId: string },
  name: string,
): Promise<"here" | "newWindow" | undefined> {
  const authority = authorityOf(tenantId, workspaceId);
  const others = (vscode.workspace.workspaceFolders ?? []).filter(
    ({ uri }) => uri.scheme !== scheme || uri.authority !== authority,
  );
  if (others.length === 0) {
    return "here";
  }
  const here = vscode.l10n.t("Open in This Window");
  const newWindow = vscode.l10n.t("Open in New Window");
  const detail = vscode.l10n.t(
    "Opening it in this window closes {0}. The sample tenant is also in the Platform side bar.",
    others.map((folder) => folder.name).join(", "),
  );
  const question = vscode.l10n.t("Open the sample workspace {0}?", name);
  const chosen = await showInformation(question, { modal: true, detail }, here, newWindow);
  return chosen === here ? "here" : chosen === newWindow ? "newWindow" : undefined;
}
