import * as vscode from "vscode";
import { listFilterViews } from "../../api/catalogue/operations/filter-views.ts";
import { listPageCollections } from "../../api/catalogue/operations/pages.ts";
import { foundPages } from "../../api/families/page-hierarchy.ts";
import { readPageTree } from "../../api/families/pages.ts";
import { type Branch, singlePageBranch } from "../../ui/tree/definition.ts";
import {
  collectionRow,
  collectionsKey,
  filterViewRow,
  filterViewsKey,
  foundPageRow,
  hierarchyKey,
  type PageListRow,
  type PageTreeRow,
  pageRow,
} from "./rows.ts";

/** The page hierarchy of a tenant. The platform returns all of it, so it is filtered here. */
export function hierarchyBranch(tenantId: string): Branch<PageTreeRow> {
  return singlePageBranch<PageTreeRow>({
    key: hierarchyKey,
    things: vscode.l10n.t("pages"),
    empty: vscode.l10n.t("No pages yet"),
    nothingFits: vscode.l10n.t("No matching pages"),
    read: async ({ client, filter, signal }) => {
      const pages = await readPageTree(client, {}, { signal });
      return filter === ""
        ? pages.map((node) => pageRow(tenantId, node))
        : foundPages(pages, filter).map((found) => foundPageRow(tenantId, found, filter));
    },
  });
}

export function collectionsBranch({ page }: PageListRow): Branch<PageTreeRow> {
  return singlePageBranch({
    key: collectionsKey(page.id),
    things: vscode.l10n.t("collections"),
    empty: vscode.l10n.t("No collections yet"),
    read: async ({ client, signal }) => {
      const collections = await client.call(listPageCollections, { pageId: page.id }, { signal });
      return collections.map((one, index) => collectionRow(page, one, index));
    },
  });
}

export function filterViewsBranch({ page }: PageListRow): Branch<PageTreeRow> {
  return singlePageBranch({
    key: filterViewsKey(page.id),
    things: vscode.l10n.t("filter views"),
    empty: vscode.l10n.t("No saved filter views"),
    read: async ({ client, signal }) => {
      const views = await client.call(listFilterViews, { pageId: page.id }, { signal });
      return views.map((one, index) => filterViewRow(page, one, index));
    },
  });
}
