import * as vscode from "vscode";
import type { FilterView, PageCollection, WholeFilterView } from "../../api/catalogue/models/pages.ts";
import { getFilterView, listFilterViews } from "../../api/catalogue/operations/filter-views.ts";
import { getCard } from "../../api/catalogue/operations/instance.ts";
import { getPage, listPageCollections } from "../../api/catalogue/operations/pages.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { describedCards } from "../../api/families/page-cards.ts";
import { PageHierarchy } from "../../api/families/page-hierarchy.ts";
import { readPageTree } from "../../api/families/pages.ts";
import type { DetailLine, DetailSection, DetailsReader, DetailValue } from "../../ui/details/details.ts";
import { codeOf, dateOf, personOf } from "../../ui/details/values.ts";
import { nonBlank, sentenceWords } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import { hasMemberships } from "./memberships.ts";
import { collectionName } from "./rows.ts";

/** Reads pages and their contents for their documents. */
export const pageReaders = {
  page: async ({ client, resource }) => {
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
  collection: async ({ client, resource }) => {
    const { tenantId, id, parentId = "" } = resource;
    const collections = await client.call(listPageCollections, { pageId: parentId });
    const collection = collections.find((one) => String(one.id) === id);
    if (collection === undefined) {
      throw new Error(vscode.l10n.t("The page no longer has a collection {0}.", resource.name));
    }
    const page = await client.call(getPage, { id: parentId });
    const name = page.title ?? page.pageName ?? parentId;
    return {
      kind: vscode.l10n.t("Collection of a page"),
      description: collection.description ?? undefined,
      lines: [
        [vscode.l10n.t("Page"), { type: "resource", resource: { type: "page", tenantId, id: parentId, name } }],
        [
          vscode.l10n.t("Collection"),
          optionalText(collection.collectionId) === undefined ? undefined : codeOf(String(collection.collectionId)),
        ],
        [vscode.l10n.t("ID"), codeOf(id)],
      ],
      // A membership has no cards of its own.
      sections: hasMemberships({ client }) ? [] : [await cardTable(client, tenantId, collection)],
      raw: collection,
    };
  },
  filterView: async ({ client, resource }) => {
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
  card: async ({ client, resource }) => {
    const card = await client.call(getCard, { id: resource.id });
    const type = nonBlank(card.type);
    return {
      kind: vscode.l10n.t("Card"),
      description: card.description ?? undefined,
      lines: [
        [vscode.l10n.t("ID"), codeOf(resource.id)],
        [vscode.l10n.t("Type"), type === undefined ? undefined : sentenceWords(type, vscode.l10n.t)],
      ],
      sections: [ownerTable(card.owners ?? []), datasetTable(card.datasources ?? [])],
      raw: card,
    };
  },
} satisfies Record<string, DetailsReader>;

function datasetTable(
  datasets: readonly { readonly dataSourceId?: unknown; readonly displayType?: unknown }[],
): DetailSection {
  return {
    type: "table",
    title: vscode.l10n.t("Datasets"),
    columns: [vscode.l10n.t("ID"), vscode.l10n.t("Type")],
    rows: datasets.map(({ dataSourceId, displayType }) => [
      codeOf(optionalText(dataSourceId) ?? ""),
      optionalText(displayType),
    ]),
    empty: vscode.l10n.t("No datasets."),
  };
}

function ownerTable(
  owners: readonly { readonly id?: unknown; readonly type?: unknown; readonly displayName?: unknown }[],
): DetailSection {
  return {
    type: "table",
    title: vscode.l10n.t("Owners"),
    columns: [vscode.l10n.t("Name"), vscode.l10n.t("Type"), vscode.l10n.t("ID")],
    rows: owners.map(({ id, type, displayName }) => [
      optionalText(displayName) ?? optionalText(id),
      type === "GROUP" ? vscode.l10n.t("group") : vscode.l10n.t("user"),
      codeOf(optionalText(id) ?? ""),
    ]),
    empty: vscode.l10n.t("No owners."),
  };
}

function collectionTable(page: PlatformResource, collections: readonly PageCollection[] | undefined): DetailSection {
  const { tenantId, id: parentId } = page;
  return {
    type: "table",
    title: vscode.l10n.t("Collections"),
    columns: [vscode.l10n.t("Title"), vscode.l10n.t("Description"), vscode.l10n.t("Cards")],
    rows: (collections ?? []).map((collection) => {
      const { id, description, cardIds } = collection;
      const name = collectionName(collection) ?? String(id);
      return [
        { type: "resource", resource: { type: "collection", tenantId, id: String(id), parentId, name } },
        description ?? undefined,
        cardIds?.length === undefined ? undefined : String(cardIds.length),
      ];
    }),
    empty:
      collections === undefined
        ? vscode.l10n.t("The platform didn't return them.")
        : vscode.l10n.t("No collections yet."),
  };
}

function filterViewTable(page: PlatformResource, views: readonly FilterView[] | undefined): DetailSection {
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

async function cardTable(
  client: PlatformClient,
  tenantId: string,
  { cardIds }: PageCollection,
): Promise<DetailSection> {
  const cards = await describedCards(client, cardIds ?? []);
  return {
    type: "table",
    title: vscode.l10n.t("Cards"),
    columns: [vscode.l10n.t("Title"), vscode.l10n.t("ID")],
    rows: cards.map(({ id, title }) => [
      title === undefined ? undefined : { type: "resource", resource: { type: "card", tenantId, id, name: title } },
      codeOf(id),
    ]),
    empty: vscode.l10n.t("No cards."),
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

function optionalText(value: unknown): string | undefined {
  return typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined;
}
