import * as vscode from "vscode";
import { listFilterViews } from "../../../api/catalogue/operations/filter-views.ts";
import { getPage, listPageCollections } from "../../../api/catalogue/operations/pages.ts";
import { type FoundPage, foundPages, PageHierarchy } from "../../../api/families/pages/page-hierarchy.ts";
import type { PageNode } from "../../../api/families/pages/page-tree.ts";
import { readPageTree } from "../../../api/families/pages/pages.ts";
import type { DetailLine, DetailSection, DetailValue } from "../../../ui/details/details.ts";
import { codeOf, dateOf } from "../../../ui/details/values.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { type Branch, singlePageBranch, type TreeRow } from "../../../ui/tree/definition.ts";
import type { ResourceKind } from "../../../ui/tree/row-kind.ts";
import { ownersOf, ownerTable } from "../owners.ts";
import { collectionListRow, collectionTable } from "./collection.ts";
import { filterViewListRow, filterViewTable } from "./filter-view.ts";

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

interface PageRow extends TreeRow {
  readonly type: "page";
  readonly node: PageNode;
  readonly resource: PlatformResource;
  /** While a filter applies: whether the title matches it, and what matches below. */
  readonly found: { readonly text: string; readonly fits: boolean; readonly below: readonly FoundPage[] } | undefined;
}

/** The list of the whole hierarchy. */
export const hierarchyKey = "pages";

/** The page hierarchy of a tenant. The platform returns all of it, so it is filtered here. */
export function hierarchyBranch(tenantId: string): Branch<PageRow> {
  return singlePageBranch<PageRow>({
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

function pageRow(tenantId: string, node: PageNode): PageRow {
  const resource = { type: "page", tenantId, id: node.id, name: node.title } as const;
  return { type: "page", tenantId, key: `page/${node.id}`, node, resource, found: undefined };
}

/**
 * The row of a page while a filter applies. With matches below it, it has another key, so that the editor expands it.
 */
function foundPageRow(tenantId: string, { node, fits, below }: FoundPage, text: string): PageRow {
  const row = pageRow(tenantId, node);
  return { ...row, key: below.length > 0 ? `${row.key}/found` : row.key, found: { text, fits, below } };
}

export const page: ResourceKind<PageRow> = {
  type: "page",
  item: ({ node, resource, found }) => {
    const locked = isLocked(node);
    const [first, ...others] = ownersOf(node)?.map(({ name }) => name) ?? [];
    const owners =
      first === undefined || others.length === 0
        ? (first ?? "")
        : vscode.l10n.t("{0} and {1} more", first, others.length);
    return {
      label: labelOf(resource.name, found),
      description: [owners, locked ? vscode.l10n.t("locked") : ""].filter(Boolean).join(" · "),
      icon: locked ? "lock" : "browser",
      state: found !== undefined && found.below.length > 0 ? Expanded : Collapsed,
      contextValue: locked ? "page.locked" : "page.open",
    };
  },
  card: ({ node, resource }) => ({
    name: resource.name,
    lines: [
      [vscode.l10n.t("State"), isLocked(node) ? vscode.l10n.t("locked") : vscode.l10n.t("open")],
      [
        vscode.l10n.t("Owners"),
        ownersOf(node)
          ?.map(({ name }) => name)
          .join(", "),
      ],
      [vscode.l10n.t("Subpages"), node.children.length === 0 ? undefined : String(node.children.length)],
      [vscode.l10n.t("ID"), node.id],
    ],
  }),
  /** Its subpages, then its collections and filter views. */
  below: ({ tenantId, node, resource, found }) => {
    const { collections } = node.fields;
    const lists = [
      collectionListRow(resource, Array.isArray(collections) ? collections.length : undefined),
      filterViewListRow(resource),
    ];
    if (found === undefined || found.below.length === 0) {
      return [...node.children.map((child) => pageRow(tenantId, child)), ...lists];
    }
    const pages = found.below.map((one) => foundPageRow(tenantId, one, found.text));
    return found.fits ? [...pages, ...lists] : pages;
  },
  details: async ({ client, resource }) => {
    const { tenantId, id } = resource;
    const [page, hierarchy, collections, views] = await Promise.all([
      client.call(getPage, { id }),
      readPageTree(client).then((top) => new PageHierarchy(top)),
      client.call(listPageCollections, { pageId: id }).catch(() => undefined),
      client.call(listFilterViews, { pageId: id }).catch(() => undefined),
    ]);
    const place = hierarchy.place(id);
    const pageLink = (node: { readonly id: string; readonly title: string }): DetailValue => ({
      type: "resource",
      resource: { type: "page", tenantId, id: node.id, name: node.title },
    });
    const above = place?.parent?.node;
    const lines: readonly DetailLine[] = [
      [vscode.l10n.t("ID"), codeOf(id)],
      [vscode.l10n.t("Parent page"), above === undefined ? undefined : pageLink(above)],
      [vscode.l10n.t("State"), page.locked === true ? vscode.l10n.t("locked") : vscode.l10n.t("open")],
      [vscode.l10n.t("Created"), dateOf(page.created)],
      [vscode.l10n.t("Updated"), dateOf(page.updated)],
    ];
    const pages = place?.node.children ?? [];
    return {
      kind: vscode.l10n.t("Page"),
      lines,
      sections: [
        ownerTable(page.owners ?? []),
        ...(pages.length === 0
          ? []
          : [
              {
                type: "table",
                title: vscode.l10n.t("Subpages"),
                columns: [vscode.l10n.t("Title"), vscode.l10n.t("ID")],
                rows: pages.map((node) => [pageLink(node), codeOf(node.id)]),
                empty: "",
              } satisfies DetailSection,
            ]),
        collectionTable(resource, collections),
        filterViewTable(resource, views),
      ],
      raw: page,
    };
  },
};

function labelOf(name: string, found: PageRow["found"]): vscode.TreeItemLabel {
  const at = found?.fits === true ? name.toLocaleLowerCase().indexOf(found.text.toLocaleLowerCase()) : -1;
  return { label: name, ...(found === undefined || at < 0 ? {} : { highlights: [[at, at + found.text.length]] }) };
}

function isLocked({ fields }: PageNode): boolean {
  return fields.locked === true;
}
