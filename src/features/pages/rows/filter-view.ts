import * as vscode from "vscode";
import type { FilterView, WholeFilterView } from "../../../api/catalogue/models/pages.ts";
import { getFilterView, listFilterViews } from "../../../api/catalogue/operations/filter-views.ts";
import { getPage } from "../../../api/catalogue/operations/pages.ts";
import type { DetailSection } from "../../../ui/details/details.ts";
import { codeOf, personOf } from "../../../ui/details/values.ts";
import { nonBlank } from "../../../ui/format/labels.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import type { TreeRow } from "../../../ui/tree/definition.ts";
import type { ResourceKind } from "../../../ui/tree/row-kind.ts";
import { listKind } from "../../../ui/tree/row-list.ts";

interface FilterViewListRow extends TreeRow {
  readonly type: "pageFilterViews";
  readonly page: PlatformResource;
}

interface FilterViewRow extends TreeRow {
  readonly type: "filterView";
  readonly page: PlatformResource;
  readonly filterView: FilterView;
  readonly resource: PlatformResource;
}

export const filterViewsKey = (pageId: string): string => `page/${pageId}/filterViews`;

export function filterViewListRow(page: PlatformResource): FilterViewListRow {
  const { tenantId, id } = page;
  return { type: "pageFilterViews", tenantId, key: filterViewsKey(id), page };
}

export const filterViewList = listKind<FilterViewListRow>("pageFilterViews", {
  label: vscode.l10n.t("Filter Views"),
  icon: "filter",
  things: vscode.l10n.t("filter views"),
  empty: vscode.l10n.t("No saved filter views"),
  read: async ({ page }, { client, signal }) => {
    const views = await client.call(listFilterViews, { pageId: page.id }, { signal });
    return views.map((one, index) => filterViewRow(page, one, index));
  },
});

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

export const filterView: ResourceKind<FilterViewRow> = {
  type: "filterView",
  item: ({ filterView: { scope, isDefault }, resource }) => ({
    label: resource.name,
    description: [scopeWord(scope), isDefault === true ? vscode.l10n.t("default") : ""].filter(Boolean).join(" · "),
    icon: isDefault === true ? "filter-filled" : "filter",
  }),
  card: ({ filterView, page, resource }) => ({
    name: resource.name,
    lines: [
      [vscode.l10n.t("Page"), page.name],
      [vscode.l10n.t("Scope"), scopeWord(filterView.scope)],
      [vscode.l10n.t("Default"), filterView.isDefault === true ? vscode.l10n.t("yes") : vscode.l10n.t("no")],
      [vscode.l10n.t("ID"), resource.id],
    ],
  }),
  details: async ({ client, resource }) => {
    const { tenantId, id } = resource;
    const view = await client.call(getFilterView, { filterViewId: id });
    const pageId = String(view.pageUrn ?? resource.parentId ?? "");
    const [page, names] = await Promise.all([
      client.call(getPage, { id: pageId }).catch(() => undefined),
      userNames(client, [view.ownerId]),
    ]);
    const pageName = page?.title ?? page?.pageName ?? pageId;
    return {
      kind: vscode.l10n.t("Filter view of a page"),
      lines: [
        [vscode.l10n.t("Page"), { type: "resource", resource: { type: "page", tenantId, id: pageId, name: pageName } }],
        [vscode.l10n.t("Visible to"), scopeText(view)],
        [vscode.l10n.t("Default"), view.isDefault === true ? vscode.l10n.t("yes") : vscode.l10n.t("no")],
        [vscode.l10n.t("Owner"), personOf(view.ownerId, names)],
        [vscode.l10n.t("ID"), codeOf(id)],
      ],
      sections: [conditionTable(view)],
      raw: view,
    };
  },
};

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

/** The filter views of a page in its details; undefined if they could not be read. */
export function filterViewTable(page: PlatformResource, views: readonly FilterView[] | undefined): DetailSection {
  const { tenantId, id: parentId } = page;
  return {
    type: "table",
    title: vscode.l10n.t("Filter Views"),
    columns: [vscode.l10n.t("Name"), vscode.l10n.t("Visible to"), vscode.l10n.t("Default")],
    rows: (views ?? []).map((view) => {
      const id = String(view.analyzerId);
      return [
        { type: "resource", resource: { type: "filterView", tenantId, id, parentId, name: view.name ?? id } },
        scopeText(view),
        view.isDefault === true ? vscode.l10n.t("yes") : undefined,
      ];
    }),
    empty:
      views === undefined ? vscode.l10n.t("The platform didn't return them.") : vscode.l10n.t("No saved filter views."),
  };
}

function conditionTable({ filters }: WholeFilterView): DetailSection {
  return {
    type: "table",
    title: vscode.l10n.t("Filters"),
    columns: [vscode.l10n.t("Column"), vscode.l10n.t("Condition"), vscode.l10n.t("Values"), vscode.l10n.t("Type")],
    rows: (filters ?? []).map(({ column, operand, values, dataType }) => [
      column ?? undefined,
      operand ?? undefined,
      (values ?? []).map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(", "),
      dataType ?? undefined,
    ]),
    empty: vscode.l10n.t("No filters."),
  };
}

function scopeText({ scope }: FilterView): string | undefined {
  switch (scope) {
    case "PAGE":
      return vscode.l10n.t("everyone");
    case "USER":
      return vscode.l10n.t("one person");
    default:
      return scope ?? undefined;
  }
}
