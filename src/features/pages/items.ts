import * as vscode from "vscode";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { card, rowPage, treeItem } from "../../ui/tree/presentation.ts";
import {
  type CollectionRow,
  type FilterViewRow,
  isLocked,
  ownersOf,
  type PageListRow,
  type PageRow,
  type PageTreeRow,
} from "./rows.ts";

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** The tree item of a row of the Pages view. */
export function pageItem(row: PageTreeRow): vscode.TreeItem {
  switch (row.type) {
    case "page":
      return ownItem(row);
    case "pageCollections":
      return listItem(row, vscode.l10n.t("Collections"), "library");
    case "pageFilterViews":
      return listItem(row, vscode.l10n.t("Filter Views"), "filter");
    case "collection":
      return leafItem(row, cardCount(row.collection), "library");
    case "filterView": {
      const { scope, isDefault } = row.filterView;
      const description = joined(" · ", scopeWord(scope), isDefault === true ? vscode.l10n.t("default") : "");
      return leafItem(row, description, isDefault === true ? "filter-filled" : "filter");
    }
  }
}

function ownItem({ node, resource, found }: PageRow): vscode.TreeItem {
  const locked = isLocked(node);
  const [first, ...others] = ownersOf(node)?.map(({ name }) => name) ?? [];
  const owners =
    first === undefined || others.length === 0
      ? (first ?? "")
      : vscode.l10n.t("{0} and {1} more", first, others.length);
  const description = joined(" · ", owners, locked ? vscode.l10n.t("locked") : "");
  return treeItem({
    label: labelOf(resource.name, found),
    description,
    icon: locked ? "lock" : "browser",
    state: found !== undefined && found.below.length > 0 ? Expanded : Collapsed,
    contextValue: locked ? "page.locked" : "page.open",
    accessibilityLabel: joined(", ", resource.name, description),
  });
}

function labelOf(name: string, found: PageRow["found"]): vscode.TreeItemLabel {
  const at = found?.fits === true ? name.toLocaleLowerCase().indexOf(found.text.toLocaleLowerCase()) : -1;
  return { label: name, ...(found === undefined || at < 0 ? {} : { highlights: [[at, at + found.text.length]] }) };
}

function listItem({ count }: PageListRow, label: string, icon: string): vscode.TreeItem {
  return treeItem({ label, description: count?.toString(), icon, state: Collapsed });
}

function leafItem({ resource }: CollectionRow | FilterViewRow, description: string, icon: string): vscode.TreeItem {
  return treeItem({
    label: resource.name,
    description,
    icon,
    accessibilityLabel: joined(", ", resource.name, description),
  });
}

function cardCount({ cardIds }: CollectionRow["collection"]): string {
  const count = cardIds?.length;
  return count === undefined ? "" : count === 1 ? vscode.l10n.t("1 card") : vscode.l10n.t("{0} cards", count);
}

function joined(separator: string, ...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(separator);
}

/** The audience of a filter view. */
function scopeWord(scope: string | null | undefined): string {
  switch (scope) {
    case "PAGE":
      return vscode.l10n.t("for everyone");
    case "USER":
      return vscode.l10n.t("for one person");
    default:
      return scope ?? "";
  }
}

/** The card of a row; undefined if the row already shows everything. */
export function pageCard(row: PageTreeRow, registry: Pick<TenantRegistry, "get">): vscode.MarkdownString | undefined {
  switch (row.type) {
    case "page": {
      const { node, resource } = row;
      const owners = ownersOf(node)?.map(({ name }) => name) ?? [];
      return card({
        name: resource.name,
        lines: [
          [vscode.l10n.t("State"), isLocked(node) ? vscode.l10n.t("locked") : vscode.l10n.t("open")],
          [vscode.l10n.t("Owners"), owners.join(", ")],
          [vscode.l10n.t("Subpages"), node.children.length === 0 ? undefined : String(node.children.length)],
          [vscode.l10n.t("ID"), node.id],
        ],
        page: rowPage(row, registry),
      });
    }
    case "collection": {
      const { collection, resource } = row;
      return card({
        name: resource.name,
        description: collection.description ?? undefined,
        lines: [
          [vscode.l10n.t("Page"), row.page.name],
          [vscode.l10n.t("Cards"), cardCount(collection)],
          [vscode.l10n.t("ID"), resource.id],
        ],
      });
    }
    case "filterView": {
      const { filterView, resource } = row;
      return card({
        name: resource.name,
        lines: [
          [vscode.l10n.t("Page"), row.page.name],
          [vscode.l10n.t("Scope"), scopeWord(filterView.scope)],
          [vscode.l10n.t("Default"), filterView.isDefault === true ? vscode.l10n.t("yes") : vscode.l10n.t("no")],
          [vscode.l10n.t("ID"), resource.id],
        ],
      });
    }
    case "pageCollections":
    case "pageFilterViews":
      return undefined;
  }
}
