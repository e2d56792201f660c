import * as vscode from "vscode";
import { PlatformError } from "../api/errors.ts";
import type { Workspace } from "../api/models/workspaces.ts";
import { AccessError } from "../tenants/access-error.ts";
import { workspacePage } from "../tenants/browser-addresses.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { pageSize } from "./workspace-listing.ts";
import { moreLabel, workspaceCard, workspaceRow } from "./workspace-rows.ts";

/** A workspace's row; what it shows is looked up when it is drawn. */
export interface WorkspaceNode {
  readonly type: "workspace";
  readonly tenantId: string;
  readonly workspaceId: string;
}

/** A workspace as last read; `isWaitedFor` while this window waits for it to run. */
export interface ShownWorkspace {
  readonly workspace: Workspace;
  readonly isWaitedFor: boolean;
}

/** A row of the Workspaces view. Commands take the rows that name a tenant or a workspace as their argument. */
export type WorkspaceTreeNode =
  | { readonly type: "tenant"; readonly tenant: Tenant; readonly isSignedIn: boolean; readonly isCurrent: boolean }
  | { readonly type: "signedOut"; readonly tenant: Tenant }
  | WorkspaceNode
  | { readonly type: "loading"; readonly tenantId: string }
  | { readonly type: "empty"; readonly tenantId: string }
  | { readonly type: "error"; readonly tenantId: string; readonly error: unknown }
  | { readonly type: "more"; readonly tenantId: string; readonly shown: number; readonly total: number | undefined };

export interface TreeItemContext {
  readonly isFiltered: boolean;
}

const { None, Expanded, Collapsed } = {
  None: vscode.TreeItemCollapsibleState.None,
  Expanded: vscode.TreeItemCollapsibleState.Expanded,
  Collapsed: vscode.TreeItemCollapsibleState.Collapsed,
};

/** A row as the editor draws it. Ids are stable, so that expansion and selection survive a refresh. */
export function treeItemOf(node: Exclude<WorkspaceTreeNode, WorkspaceNode>, context: TreeItemContext): vscode.TreeItem {
  switch (node.type) {
    case "tenant":
      return tenantItem(node);
    case "signedOut":
      return actionItem({
        id: `${node.tenant.id}/signedOut`,
        label: vscode.l10n.t("Sign in to see its workspaces"),
        icon: new vscode.ThemeIcon("sign-in"),
        command: "platformWorkbench.signIn",
        argument: { tenantId: node.tenant.id },
      });
    case "loading":
      return plainItem(`${node.tenantId}/loading`, vscode.l10n.t("Loading…"), new vscode.ThemeIcon("loading~spin"));
    case "empty":
      return plainItem(
        `${node.tenantId}/empty`,
        context.isFiltered ? vscode.l10n.t("No workspace has this in its name") : vscode.l10n.t("No workspaces yet"),
      );
    case "error":
      return errorItem(node);
    case "more":
      return actionItem({
        id: `${node.tenantId}/more`,
        label: moreLabel(node.shown, node.total, pageSize, vscode.l10n.t),
        icon: new vscode.ThemeIcon("ellipsis"),
        command: "platformWorkbench.loadMoreWorkspaces",
        argument: { tenantId: node.tenantId },
      });
  }
}

function tenantItem({
  tenant,
  isSignedIn,
  isCurrent,
}: WorkspaceTreeNode & { readonly type: "tenant" }): vscode.TreeItem {
  const item = new vscode.TreeItem(tenant.label, isSignedIn ? Expanded : Collapsed);
  const { host } = new URL(tenant.baseUrl);
  const state = isSignedIn ? vscode.l10n.t("signed in") : vscode.l10n.t("signed out");
  // The editor remembers a row as collapsed by its id: signed in, it shows its workspaces.
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

/** A workspace's row as the editor draws it. */
export function workspaceItem(node: WorkspaceNode, { workspace, isWaitedFor }: ShownWorkspace): vscode.TreeItem {
  const row = workspaceRow(workspace, isWaitedFor, vscode.l10n.t);
  const item = new vscode.TreeItem(row.label, None);
  item.id = `${node.tenantId}/${node.workspaceId}`;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(
    row.icon,
    row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
  );
  item.contextValue = `workspace.${row.state}`;
  item.accessibilityInformation = { label: row.accessibilityLabel };
  item.command = {
    command: "platformWorkbench.clickWorkspace",
    title: vscode.l10n.t("Open as Folder"),
    arguments: [{ tenantId: node.tenantId, workspaceId: node.workspaceId }],
  };
  return item;
}

/** The card of a workspace. What the platform tells is put in as text: it could hold Markdown of its own. */
export function workspaceTooltip(
  { workspace, isWaitedFor }: ShownWorkspace,
  tenant: Tenant | undefined,
): vscode.MarkdownString {
  const row = workspaceRow(workspace, isWaitedFor, vscode.l10n.t);
  const card = new vscode.MarkdownString("**").appendText(row.label).appendMarkdown("**\n\n");
  const description = workspace.description?.trim() ?? "";
  if (description !== "") {
    card.appendText(description).appendMarkdown("\n\n");
  }
  card.appendMarkdown("| | |\n|:--|:--|\n");
  for (const [name, value] of workspaceCard(workspace, row.stateText, vscode.env.language, vscode.l10n.t)) {
    card.appendMarkdown("| ").appendText(name).appendMarkdown(" | ").appendText(cell(value)).appendMarkdown(" |\n");
  }
  if (tenant !== undefined) {
    const page = vscode.Uri.parse(workspacePage(tenant, workspace.id), true).toString();
    card.appendMarkdown(`\n[${vscode.l10n.t("Open in Browser")}](${page})`);
  }
  return card;
}

function cell(value: string): string {
  return value.replace(/[|\r\n]+/g, " ");
}

function errorItem({ tenantId, error }: WorkspaceTreeNode & { readonly type: "error" }): vscode.TreeItem {
  const message = error instanceof Error ? error.message : String(error);
  const isSignedOut = error instanceof AccessError || (error instanceof PlatformError && error.status === 401);
  const label = vscode.l10n.t("Cannot load workspaces: {0}", shortReason(error) ?? message);
  const item = actionItem({
    id: `${tenantId}/error`,
    label,
    icon: new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground")),
    command: isSignedOut ? "platformWorkbench.signIn" : "platformWorkbench.retryWorkspaces",
    argument: { tenantId },
  });
  item.description = isSignedOut ? vscode.l10n.t("Select to sign in") : vscode.l10n.t("Select to retry");
  item.contextValue = "error";
  item.tooltip = message;
  return item;
}

/** A row is narrow: what the platform said about a failure of its own stands in the tooltip. */
function shortReason(error: unknown): string | undefined {
  if (!(error instanceof PlatformError)) {
    return undefined;
  }
  const { failureCause: cause, reason } = error;
  return cause.type === "status" && cause.status >= 500 ? vscode.l10n.t("{0} from the platform", cause.status) : reason;
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
  readonly argument: { readonly tenantId: string };
}): vscode.TreeItem {
  const item = plainItem(parts.id, parts.label, parts.icon);
  item.command = { command: parts.command, title: parts.label, arguments: [parts.argument] };
  return item;
}
