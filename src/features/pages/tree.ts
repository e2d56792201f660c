import * as vscode from "vscode";
import { listFilterViews } from "../../api/catalogue/operations/filter-views.ts";
import { listPageCollections } from "../../api/catalogue/operations/pages.ts";
import { foundPages } from "../../api/families/page-hierarchy.ts";
import { readPageTree } from "../../api/families/pages.ts";
import { resourcePage } from "../../ui/resources/resource-pages.ts";
import { card } from "../../ui/tree/card.ts";
import type { Branch, TreeDefinition } from "../../ui/tree/definition.ts";
import type { TreeParts } from "../../ui/tree/platform-tree.ts";
import {
  type CollectionRow,
  collectionRow,
  collectionsKey,
  type FilterViewRow,
  filterViewRow,
  filterViewsKey,
  foundPageRow,
  hierarchyKey,
  isLocked,
  ownersOf,
  type PageListRow,
  type PageRow,
  type PageTreeRow,
  pageRow,
  rowsBelow,
} from "./rows.ts";

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** The Pages view: the tenant's page hierarchy; below a page its pages, collections and saved filter views. */
export function pagesTree({ registry }: TreeParts): TreeDefinition<PageTreeRow> {
  return {
    view: "pages",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its pages"),
      filterTitle: vscode.l10n.t("Filter Pages"),
      filterPlaceholder: vscode.l10n.t("Part of a page's name"),
      filtered: (filter) => vscode.l10n.t('Pages with "{0}" in their name', filter),
    },
    top: (tenantId) => ({
      key: hierarchyKey,
      pageSize: 100_000,
      words: {
        things: vscode.l10n.t("pages"),
        empty: vscode.l10n.t("No pages yet"),
        nothingFits: vscode.l10n.t("No page has this in its name"),
      },
      // The platform gives the hierarchy as a whole, so that the filter is no question to it.
      read: async ({ client, filter, signal }) => {
        const pages = await readPageTree(client, {}, { signal });
        const rows =
          filter === ""
            ? pages.map((node) => pageRow(tenantId, node))
            : foundPages(pages, filter).map((found) => foundPageRow(tenantId, found, filter));
        return { rows, hasMore: false };
      },
    }),
    below: (row) => {
      switch (row.type) {
        case "page":
          return rowsBelow(row);
        case "pageCollections":
          return collectionsBranch(row);
        case "pageFilterViews":
          return filterViewsBranch(row);
        case "collection":
        case "filterView":
          return undefined;
      }
    },
    item,
    card: (row) => {
      const tenant = registry.get(row.tenantId);
      return rowCard(
        row,
        tenant === undefined || row.resource === undefined ? undefined : resourcePage(tenant, row.resource),
      );
    },
    dragAndDrop: {
      canDrag: (rows) => rows.length > 0 && rows.every(({ type }) => type === "page"),
      drop: async (rows, target) => {
        if (target === undefined || target.type === "page") {
          const pages = rows.flatMap((row) => row.resource ?? []);
          // The editor waits for the drop, not for what a person answers afterwards.
          void vscode.commands.executeCommand("platformWorkbench.dropPages", { pages, target: target?.resource });
        }
      },
    },
  };
}

function collectionsBranch({ page }: PageListRow): Branch<PageTreeRow> {
  return {
    key: collectionsKey(page.id),
    pageSize: 1000,
    words: { things: vscode.l10n.t("collections"), empty: vscode.l10n.t("No collections yet") },
    read: async ({ client, signal }) => {
      const collections = await client.call(listPageCollections, { pageId: page.id }, { signal });
      return { rows: collections.map((one, index) => collectionRow(page, one, index)), hasMore: false };
    },
  };
}

function filterViewsBranch({ page }: PageListRow): Branch<PageTreeRow> {
  return {
    key: filterViewsKey(page.id),
    pageSize: 1000,
    words: { things: vscode.l10n.t("filter views"), empty: vscode.l10n.t("No saved filter views") },
    read: async ({ client, signal }) => {
      const views = await client.call(listFilterViews, { pageId: page.id }, { signal });
      return { rows: views.map((one, index) => filterViewRow(page, one, index)), hasMore: false };
    },
  };
}

function item(row: PageTreeRow): vscode.TreeItem {
  switch (row.type) {
    case "page":
      return pageItem(row);
    case "pageCollections":
      return listItem(vscode.l10n.t("Collections"), "library", row.count);
    case "pageFilterViews":
      return listItem(vscode.l10n.t("Filter Views"), "filter", row.count);
    case "collection":
      return collectionItem(row);
    case "filterView":
      return filterViewItem(row);
  }
}

function pageItem({ node, resource, found }: PageRow): vscode.TreeItem {
  const isUnfolded = found !== undefined && found.below.length > 0;
  const made = new vscode.TreeItem(labelOf(resource.name, found), isUnfolded ? Expanded : Collapsed);
  const locked = isLocked(node);
  const owners = ownersOf(node)?.map(({ name }) => name) ?? [];
  const [first, ...others] = owners;
  made.description = [
    ...(first === undefined
      ? []
      : [others.length === 0 ? first : vscode.l10n.t("{0} and {1} more", first, others.length)]),
    ...(locked ? [vscode.l10n.t("locked")] : []),
  ].join(" · ");
  made.iconPath = new vscode.ThemeIcon(locked ? "lock" : "browser");
  made.contextValue = locked ? "page.locked" : "page.open";
  made.accessibilityInformation = { label: [resource.name, made.description].filter((part) => part !== "").join(", ") };
  return made;
}

function labelOf(name: string, found: PageRow["found"]): vscode.TreeItemLabel {
  const at = found?.fits === true ? name.toLocaleLowerCase().indexOf(found.text.toLocaleLowerCase()) : -1;
  return { label: name, ...(found === undefined || at < 0 ? {} : { highlights: [[at, at + found.text.length]] }) };
}

function listItem(label: string, icon: string, count: number | undefined): vscode.TreeItem {
  const made = new vscode.TreeItem(label, Collapsed);
  made.iconPath = new vscode.ThemeIcon(icon);
  if (count !== undefined) {
    made.description = String(count);
  }
  return made;
}

function collectionItem({ resource, collection }: CollectionRow): vscode.TreeItem {
  const made = new vscode.TreeItem(resource.name, None);
  made.description = cardCount(collection);
  made.iconPath = new vscode.ThemeIcon("library");
  made.accessibilityInformation = { label: [resource.name, made.description].filter((part) => part !== "").join(", ") };
  return made;
}

function cardCount({ cardIds }: CollectionRow["collection"]): string {
  const count = cardIds?.length;
  return count === undefined ? "" : count === 1 ? vscode.l10n.t("1 card") : vscode.l10n.t("{0} cards", count);
}

function filterViewItem({ resource, filterView }: FilterViewRow): vscode.TreeItem {
  const made = new vscode.TreeItem(resource.name, None);
  made.description = [scopeWord(filterView.scope), ...(filterView.isDefault === true ? [vscode.l10n.t("default")] : [])]
    .filter((part) => part !== "")
    .join(" · ");
  made.iconPath = new vscode.ThemeIcon(filterView.isDefault === true ? "filter-filled" : "filter");
  made.accessibilityInformation = { label: [resource.name, made.description].filter((part) => part !== "").join(", ") };
  return made;
}

/** For whom a filter view is. */
function scopeWord(scope: string | null | undefined): string {
  switch (scope) {
    case "PAGE":
      return vscode.l10n.t("for everybody");
    case "USER":
      return vscode.l10n.t("for one person");
    default:
      return scope ?? "";
  }
}

function rowCard(row: PageTreeRow, page: string | undefined): vscode.MarkdownString | undefined {
  switch (row.type) {
    case "page": {
      const { node, resource } = row;
      const owners = ownersOf(node)?.map(({ name }) => name) ?? [];
      return card({
        name: resource.name,
        lines: [
          [vscode.l10n.t("State"), isLocked(node) ? vscode.l10n.t("locked") : vscode.l10n.t("open")],
          [vscode.l10n.t("Owners"), owners.join(", ")],
          [vscode.l10n.t("Pages below"), node.children.length === 0 ? undefined : String(node.children.length)],
          [vscode.l10n.t("Id"), node.id],
        ],
        page,
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
          [vscode.l10n.t("Id"), resource.id],
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
          [vscode.l10n.t("Id"), resource.id],
        ],
      });
    }
    case "pageCollections":
    case "pageFilterViews":
      return undefined;
  }
}
