import * as vscode from "vscode";
import { displayedName } from "../../api/displayed-text.ts";
import { LatestRequest } from "../../api/latest-request.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import { scheme, splitAuthority } from "../../tenants/workspace-uri.ts";

interface SignedOutFolderParts {
  readonly registry: Pick<TenantRegistry, "get" | "onDidChange">;
  readonly secrets: Pick<TenantSecrets, "credential" | "onDidChange">;
}

const signedOutView = "platformWorkbench.signedOut";

/**
 * Shows a view in the Explorer that offers to sign in, while a folder of the window belongs to a tenant without a
 * credential. The editor shows such a folder as empty, and gives extensions no other place in the Explorer. Its title says
 * what happened, because the editor collapses views that extensions add to the Explorer.
 */
export function showSignedOutFolders({ registry, secrets }: SignedOutFolderParts): vscode.Disposable {
  // Its content is the welcome text.
  const view = vscode.window.createTreeView<never>(signedOutView, {
    treeDataProvider: { getChildren: () => [], getTreeItem: (item) => item },
  });
  const checks = new LatestRequest();
  const check = async (): Promise<void> => {
    const signal = checks.begin();
    const tenantIds = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
      uri.scheme === scheme ? (splitAuthority(uri.authority)?.tenantId ?? []) : [],
    );
    const tenants = [...new Set(tenantIds)].flatMap((id) => registry.get(id) ?? []);
    const credentials = await Promise.all(tenants.map((tenant) => secrets.credential(tenant)));
    if (signal.aborted) {
      return;
    }
    const labels = tenants
      .filter((_, index) => credentials[index] === undefined)
      .map(({ label }) => displayedName(label));
    view.title = vscode.l10n.t(
      "Signed Out of {0}",
      new Intl.ListFormat(vscode.env.language, { type: "conjunction" }).format(labels),
    );
    await vscode.commands.executeCommand("setContext", signedOutView, labels.length > 0);
  };
  const update = (): void => void check();
  update();
  return vscode.Disposable.from(
    view,
    registry.onDidChange(update),
    secrets.onDidChange(update),
    vscode.workspace.onDidChangeWorkspaceFolders(update),
  );
}
