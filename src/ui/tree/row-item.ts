import * as vscode from "vscode";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { resourcePage } from "../resources/resource-pages.ts";
import type { TreeDefinition, TreeRow } from "./definition.ts";

/** A row as the editor draws it: what its view says of it, its id, and the marks that its menus go by. */
export function rowItem<Row extends TreeRow>(
  definition: TreeDefinition<Row>,
  row: Row,
  registry: Pick<TenantRegistry, "get">,
): vscode.TreeItem {
  const item = definition.item(row);
  item.id = `${row.tenantId}/${row.key}`;
  item.contextValue = `${item.contextValue ?? row.type}${marks(row, registry)}`;
  item.command ??= {
    command: "platformWorkbench.clickRow",
    title: vscode.l10n.t("Open"),
    arguments: [{ view: definition.view, tenantId: row.tenantId, key: row.key }],
  };
  return item;
}

/** Gives the item the row's card, where it has one. */
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
  const tenant = registry.get(row.tenantId);
  const page = tenant === undefined ? undefined : resourcePage(tenant, row.resource);
  return `;id;details;link${page === undefined ? "" : ";page"}`;
}
