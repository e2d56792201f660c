import * as vscode from "vscode";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TenantSecrets } from "../../tenants/tenant-secrets.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { pickItem, unlessCanceled } from "../../ui/quick-input/show-input.ts";
import type { TenantsCommandId } from "./declarations.ts";

interface MenuItem extends vscode.QuickPickItem {
  readonly command?: string;
  readonly argument?: unknown;
}

/** The menu of the status bar item, with actions for the whole tenant. */
export function tenantMenuCommands(parts: { readonly registry: TenantRegistry; readonly secrets: TenantSecrets }) {
  return {
    "platformWorkbench.showTenantMenu": async () => {
      const items = await menuItems(parts.registry, parts.secrets);
      const { current } = parts.registry;
      const chosen = await unlessCanceled(
        pickItem(items, {
          title: current === undefined ? vscode.l10n.t("Platform") : vscode.l10n.t("Platform · {0}", current.label),
        }),
      );
      if (chosen?.command !== undefined) {
        await vscode.commands.executeCommand(chosen.command, chosen.argument);
      }
    },
  } satisfies Partial<CommandHandlers<TenantsCommandId>>;
}

async function menuItems(registry: TenantRegistry, secrets: TenantSecrets): Promise<readonly MenuItem[]> {
  const { current, all } = registry;
  const item = (icon: string, label: string, command: string, argument?: unknown): MenuItem => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    command,
    argument,
  });
  const add = item("add", vscode.l10n.t("Add Tenant…"), "platformWorkbench.addTenant");
  const showLog = item("output", vscode.l10n.t("Show Log"), "platformWorkbench.showLog");
  if (current === undefined) {
    const sample = item("beaker", vscode.l10n.t("Try the Sample Tenant"), "platformWorkbench.trySampleTenant");
    return [add, sample, showLog];
  }
  const reference = { tenantId: current.id };
  const isSignedIn = (await secrets.credential(current)) !== undefined;
  const session = isSignedIn
    ? item("sign-out", vscode.l10n.t("Sign Out of {0}…", current.label), "platformWorkbench.signOut", reference)
    : item("sign-in", vscode.l10n.t("Sign In to {0}…", current.label), "platformWorkbench.signIn", reference);
  const separator: MenuItem = { label: current.label, kind: vscode.QuickPickItemKind.Separator };
  return [
    ...(isSignedIn
      ? [
          item("search", vscode.l10n.t("Go to Anything on the Platform…"), "platformWorkbench.goToAnything"),
          item("folder-opened", vscode.l10n.t("Open Workspace as Folder…"), "platformWorkbench.openWorkspace"),
          item("play", vscode.l10n.t("Run API Operation…"), "platformWorkbench.runOperation"),
        ]
      : []),
    separator,
    session,
    item("edit", vscode.l10n.t("Edit Tenant…"), "platformWorkbench.editTenant", reference),
    ...(all.length > 1 ? [item("arrow-swap", vscode.l10n.t("Switch Tenant…"), "platformWorkbench.switchTenant")] : []),
    add,
    showLog,
  ];
}
