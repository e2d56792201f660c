import * as vscode from "vscode";
import { displayedTooltip, nameWithoutIcons } from "../../api/displayed-text.ts";
import { LatestRequest } from "../../api/latest-request.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";

/** The status bar item with the tenant and whether the user is signed in. Selecting it opens the tenant menu. */
export class StatusBar implements vscode.Disposable {
  readonly #registry: TenantRegistry;
  readonly #secrets: TenantSecrets;
  readonly #item: vscode.StatusBarItem;
  readonly #listeners: readonly vscode.Disposable[];
  readonly #draws = new LatestRequest();

  constructor(registry: TenantRegistry, secrets: TenantSecrets) {
    this.#registry = registry;
    this.#secrets = secrets;
    this.#item = vscode.window.createStatusBarItem("platformWorkbench.tenant", vscode.StatusBarAlignment.Left, 50);
    this.#item.name = vscode.l10n.t("Platform Tenant");
    this.#item.command = "platformWorkbench.showTenantMenu";
    const draw = (): void => void this.#draw();
    this.#listeners = [this.#item, registry.onDidChange(draw), secrets.onDidChange(draw)];
    draw();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#listeners).dispose();
  }

  async #draw(): Promise<void> {
    const signal = this.#draws.begin();
    const tenant = this.#registry.current;
    if (tenant === undefined) {
      this.#item.hide();
      return;
    }
    const isSignedIn = (await this.#secrets.credential(tenant)) !== undefined;
    if (signal.aborted) {
      return;
    }
    const state = isSignedIn ? vscode.l10n.t("signed in") : vscode.l10n.t("signed out");
    this.#item.text = `$(${isSignedIn ? "organization" : "sign-in"}) ${nameWithoutIcons(tenant.label)}${isSignedIn ? "" : ` · ${state}`}`;
    this.#item.tooltip = displayedTooltip(`${tenant.label}\n${tenant.baseUrl}\n${state}`);
    this.#item.accessibilityInformation = { label: vscode.l10n.t("Platform tenant {0}, {1}", tenant.label, state) };
    this.#item.show();
  }
}
