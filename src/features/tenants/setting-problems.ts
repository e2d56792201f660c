import * as vscode from "vscode";
import { localizedText } from "../../tenants/error-text.ts";
import { showWarning } from "../../tenants/messages.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";

/**
 * Warns about entries of the tenants setting that can't be used, because their tenants are missing from the views.
 * Warns again only when the problems have changed.
 */
export function warnAboutTenantSetting(registry: Pick<TenantRegistry, "read" | "onDidChange">): vscode.Disposable {
  let last = "";
  const check = async (): Promise<void> => {
    const problems = registry.read().problems.map(localizedText).join(" ");
    if (problems === last) {
      return;
    }
    last = problems;
    if (problems === "") {
      return;
    }
    const openSettings = vscode.l10n.t("Open Settings");
    if ((await showWarning(problems, openSettings)) === openSettings) {
      await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
        revealSetting: { key: "platformWorkbench.tenants" },
      });
    }
  };
  void check();
  return registry.onDidChange(() => void check());
}
