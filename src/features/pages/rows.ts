import * as vscode from "vscode";
import type { FilterView, PageCollection } from "../../api/catalogue/models/pages.ts";
import type { FoundPage } from "../../api/families/page-hierarchy.ts";
import type { PageNode } from "../../api/families/page-tree.ts";
import { nonBlank } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import type { TreeRow } from "../../ui/tree/definition.ts";

export interface PageRow extends TreeRow {
  readonly type: "page";
  readonly node: PageNode;
  readonly resource: PlatformResource;
  /** While a filter applies: whether the title matches it, and what matches below. */
  readonly found: { readonly text: string; readonly fits: boolean; readonly below: readonly FoundPage[] } | undefined;
}

/** A list below a page; `count` is from the hierarchy. */
export interface PageListRow extends TreeRow {
  readonly type: "pageCollections" | "pageFilterViews";
  readonly page: PlatformResource;
  readonly count: number | undefined;
}

export interface CollectionRow extends TreeRow {
  readonly type: "collection";
  readonly page: PlatformResource;
  readonly collection: PageCollection;
  readonly resource: PlatformResource;
}

export interface FilterViewRow extends TreeRow {
  readonly type: "filterView";
  readonly page: PlatformResource;
  readonly filterView: FilterView;
  readonly resource: PlatformResource;
}

/** A row of the Pages view. */
export type PageTreeRow = PageRow | PageListRow | CollectionRow | FilterViewRow;

/** The list of the whole hierarchy. */
export const hierarchyKey = "pages";
export const collectionsKey = (pageId: string): string => `page/${pageId}/collections`;
export const filterViewsKey = (pageId: string): string => `page/${pageId}/filterViews`;

export function pageRow(tenantId: string, node: PageNode): PageRow {
  const resource = { type: "page", tenantId, id: node.id, name: node.title } as const;
  return { type: "page", tenantId, key: `page/${node.id}`, node, resource, found: undefined };
}

/**
 * The row of a page while a filter applies. With matches below it, it has another key, so that the editor expands it.
 */
export function foundPageRow(tenantId: string, { node, fits, below }: FoundPage, text: string): PageRow {
  const row = pageRow(tenantId, node);
  return { ...row, key: below.length > 0 ? `${row.key}/found` : row.key, found: { text, fits, below } };
}

/** The rows below a page: its subpages, then its collections and filter views. */
export function rowsBelow(row: PageRow): readonly (PageRow | PageListRow)[] {
  const { tenantId, node, resource, found } = row;
  if (found !== undefined && found.below.length > 0) {
    const pages = found.below.map((one) => foundPageRow(tenantId, one, found.text));
    return found.fits ? [...pages, ...listRows(tenantId, node, resource)] : pages;
  }
  return [...node.children.map((child) => pageRow(tenantId, child)), ...listRows(tenantId, node, resource)];
}

function listRows(tenantId: string, node: PageNode, page: PlatformResource): readonly PageListRow[] {
  const { collections } = node.fields;
  return [
    {
      type: "pageCollections",
      tenantId,
      key: `${collectionsKey(node.id)}/list`,
      page,
      count: Array.isArray(collections) ? collections.length : undefined,
    },
    { type: "pageFilterViews", tenantId, key: `${filterViewsKey(node.id)}/list`, page, count: undefined },
  ];
}

/** The title of a collection; its id if the platform returns a membership without a title. */
export function collectionName({ title, collectionId }: PageCollection): string | undefined {
  return nonBlank(title) ?? nonBlank(collectionId === null ? undefined : collectionId?.toString());
}

export function collectionRow(page: PlatformResource, collection: PageCollection, index: number): CollectionRow {
  const { tenantId, id: pageId } = page;
  const id = String(collection.id ?? index);
  const name = collectionName(collection) ?? vscode.l10n.t("Unnamed collection");
  return {
    type: "collection",
    tenantId,
    key: `${collectionsKey(pageId)}/${id}`,
    page,
    collection,
    resource: { type: "collection", tenantId, id, parentId: pageId, name },
  };
}

export function filterViewRow(page: PlatformResource, filterView: FilterView, index: number): FilterViewRow {
  const { tenantId, id: pageId } = page;
  const id = String(filterView.analyzerId ?? index);
  const name = nonBlank(filterView.name) ?? vscode.l10n.t("Unnamed filter view");
  return {
    type: "filterView",
    tenantId,
    key: `${filterViewsKey(pageId)}/${id}`,
    page,
    filterView,
    resource: { type: "filterView", tenantId, id, parentId: pageId, name },
  };
}

/** An owner of a page in the hierarchy. */
export interface NodeOwner {
  readonly type: "USER" | "GROUP";
  readonly id: string;
  readonly name: string;
}

/** The owners of a page in the hierarchy; undefined if it doesn't contain any. */
export function ownersOf({ fields }: PageNode): readonly NodeOwner[] | undefined {
  const { owners } = fields;
  if (!Array.isArray(owners)) {
    return undefined;
  }
  return owners.filter(isRecord).flatMap(({ id, type, displayName }): readonly NodeOwner[] => {
    if (typeof id !== "number" && typeof id !== "string") {
      return [];
    }
    const name = typeof displayName === "string" && displayName !== "" ? displayName : String(id);
    return [{ type: type === "GROUP" ? "GROUP" : "USER", id: String(id), name }];
  });
}

export function isLocked({ fields }: PageNode): boolean {
  return fields.locked === true;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
