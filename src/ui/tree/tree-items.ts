import * as vscode from "vscode";
import { displayedName, displayedTooltip } from "../../api/displayed-text.ts";
import { accessObstacle } from "../../tenants/access-obstacle.ts";
import { remedyOf } from "../../tenants/access-remedy.ts";
import { errorText } from "../../tenants/error-text.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import type { TreeDefinition, TreeRow } from "./definition.ts";
import { type FrameElement, moreLabel, type SignedOutElement, type TenantElement } from "./elements.ts";
import { rowPage } from "./presentation.ts";
import { shortReason } from "./short-reason.ts";

const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;

/** The tree item of a row: the item from its view, its id, and the marks that menus depend on. */
export function rowItem<Row extends TreeRow>(
  definition: TreeDefinition<Row>,
  row: Row,
  registry: Pick<TenantRegistry, "get">,
): vscode.TreeItem {
  const item = displayedRow(definition.item(row));
  item.id = `${row.tenantId}/${row.key}`;
  item.contextValue = `${item.contextValue ?? row.type}${marks(row, registry)}`;
  item.command ??= {
    command: "platformWorkbench.clickRow",
    title: vscode.l10n.t("Open"),
    arguments: [{ view: definition.view, tenantId: row.tenantId, key: row.key }],
  };
  return item;
}

/**
 * The item as a view shows it: text from a server must not change how the rest of a row reads, or delay the window. The
 * items of all views go through this function.
 */
export function displayedRow(item: vscode.TreeItem): vscode.TreeItem {
  const { label, description, tooltip, accessibilityInformation } = item;
  if (typeof label === "string") {
    item.label = displayedName(label);
  } else if (label !== undefined && displayedName(label.label) !== label.label) {
    // The positions of the highlights no longer apply.
    item.label = displayedName(label.label);
  }
  if (typeof description === "string") {
    item.description = displayedName(description);
  }
  if (typeof tooltip === "string") {
    item.tooltip = displayedTooltip(tooltip);
  }
  if (accessibilityInformation !== undefined) {
    item.accessibilityInformation = {
      ...accessibilityInformation,
      label: displayedName(accessibilityInformation.label),
    };
  }
  return item;
}

/** Adds the row's card to the item, if it has one. */
export async function addCard<Row extends TreeRow>(
  item: vscode.TreeItem,
  definition: TreeDefinition<Row>,
  row: Row,
  cancellation: vscode.CancellationToken,
): Promise<void> {
  const abort = new AbortController();
  cancellation.onCancellationRequested(() => abort.abort());
  const card = await definition.card?.(row, abort.signal);
  if (card !== undefined) {
    item.tooltip = card;
  }
}

function marks(row: TreeRow, registry: Pick<TenantRegistry, "get">): string {
  if (row.resource === undefined) {
    return "";
  }
  return `;id;details;link${rowPage(row, registry) === undefined ? "" : ";page"}`;
}

/** Tree items of the elements that are not rows, with stable ids. */
export function frameItem(element: FrameElement | TenantElement | SignedOutElement): vscode.TreeItem {
  return displayedRow(itemOfFrame(element));
}

function itemOfFrame(element: FrameElement | TenantElement | SignedOutElement): vscode.TreeItem {
  switch (element.type) {
    case "tenant":
      return tenantItem(element);
    case "signedOut":
      return actionItem({
        id: `${element.tenant.id}/signedOut`,
        label: element.text,
        icon: new vscode.ThemeIcon("sign-in"),
        command: "platformWorkbench.signIn",
        argument: { tenantId: element.tenant.id },
      });
    case "loading":
      return plainItem(idOf(element), vscode.l10n.t("Loading…"), new vscode.ThemeIcon("loading~spin"));
    case "empty":
      return plainItem(idOf(element), element.text);
    case "error":
      return errorItem(element);
    case "remark":
      return remarkItem(element);
    case "more":
      return moreItem(element);
  }
}

function idOf({ tenantId, list, type }: FrameElement): string {
  return `${tenantId}/${list}/${type}`;
}

function tenantItem({ tenant, isSignedIn, isCurrent }: TenantElement): vscode.TreeItem {
  const item = new vscode.TreeItem(tenant.label, isSignedIn ? Expanded : Collapsed);
  const { host } = new URL(tenant.baseUrl);
  const state = isSignedIn ? vscode.l10n.t("signed in") : vscode.l10n.t("signed out");
  // The editor remembers collapsed rows by id. Another id after signing in makes the row expand.
  item.id = isSignedIn ? tenant.id : `${tenant.id}/signedOutTenant`;
  item.description = isSignedIn ? host : `${host} · ${state}`;
  item.iconPath = new vscode.ThemeIcon("organization");
  item.contextValue = isSignedIn ? "tenant.signedIn" : "tenant.signedOut";
  item.accessibilityInformation = { label: `${tenant.label}, ${host}, ${state}` };
  item.tooltip = [tenant.label, tenant.baseUrl, state, isCurrent ? vscode.l10n.t("current tenant") : ""]
    .filter((line) => line !== "")
    .join("\n");
  return item;
}

/** The menu of the row offers Load All. */
function moreItem(element: FrameElement & { readonly type: "more" }): vscode.TreeItem {
  const { shown, total, pageSize, view, tenantId, list } = element;
  const item = actionItem({
    id: idOf(element),
    label: moreLabel(shown, total, pageSize, vscode.l10n.t),
    icon: new vscode.ThemeIcon("ellipsis"),
    command: "platformWorkbench.loadMore",
    argument: { view, tenantId, list },
  });
  item.contextValue = "more";
  return item;
}

function errorItem(element: FrameElement & { readonly type: "error" }): vscode.TreeItem {
  const { error, tenantId, list, view } = element;
  const message = errorText(error);
  const obstacle = accessObstacle(error);
  const canSignIn = obstacle !== undefined && remedyOf(obstacle, { tenantId })?.type === "signIn";
  const item = actionItem({
    id: idOf(element),
    label: vscode.l10n.t("Can't load {0}: {1}", element.things, shortReason(error, vscode.l10n.t) ?? message),
    icon: new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground")),
    command: canSignIn ? "platformWorkbench.signIn" : "platformWorkbench.retry",
    argument: { view, tenantId, list },
  });
  item.description = canSignIn ? vscode.l10n.t("Select to sign in") : vscode.l10n.t("Select to retry");
  item.contextValue = "error";
  item.tooltip = message;
  return item;
}

/** Rows are narrow, so the tooltip repeats the whole sentence. */
function remarkItem(element: FrameElement & { readonly type: "remark" }): vscode.TreeItem {
  const item = plainItem(idOf(element), element.text, new vscode.ThemeIcon("info"));
  item.tooltip = element.text;
  return item;
}

function plainItem(id: string, label: string, icon?: vscode.ThemeIcon): vscode.TreeItem {
  const item = new vscode.TreeItem(label, None);
  item.id = id;
  if (icon !== undefined) {
    item.iconPath = icon;
  }
  return item;
}

function actionItem(parts: {
  readonly id: string;
  readonly label: string;
  readonly icon: vscode.ThemeIcon;
  readonly command: string;
  readonly argument: unknown;
}): vscode.TreeItem {
  const item = plainItem(parts.id, parts.label, parts.icon);
  item.command = { command: parts.command, title: parts.label, arguments: [parts.argument] };
  return item;
}
