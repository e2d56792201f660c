import * as vscode from "vscode";
import type { PageCollection } from "../../../api/catalogue/models/pages.ts";
import { getPage, listPageCollections } from "../../../api/catalogue/operations/pages.ts";
import type { PlatformClient } from "../../../api/client/client.ts";
import { describedCards } from "../../../api/families/pages/page-cards.ts";
import type { DetailSection } from "../../../ui/details/details.ts";
import { codeOf } from "../../../ui/details/values.ts";
import { nonBlank } from "../../../ui/format/labels.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import type { TreeRow } from "../../../ui/tree/definition.ts";
import type { ResourceKind } from "../../../ui/tree/row-kind.ts";
import { listKind } from "../../../ui/tree/row-list.ts";
import { hasMemberships } from "../memberships.ts";
import { optionalText } from "../owners.ts";

/** `count` is from the hierarchy. */
interface CollectionListRow extends TreeRow {
  readonly type: "pageCollections";
  readonly page: PlatformResource;
  readonly count: number | undefined;
}

interface CollectionRow extends TreeRow {
  readonly type: "collection";
  readonly page: PlatformResource;
  readonly collection: PageCollection;
  readonly resource: PlatformResource;
}

export const collectionsKey = (pageId: string): string => `page/${pageId}/collections`;

export function collectionListRow(page: PlatformResource, count: number | undefined): CollectionListRow {
  const { tenantId, id } = page;
  return { type: "pageCollections", tenantId, key: collectionsKey(id), page, count };
}

export const collectionList = listKind<CollectionListRow>("pageCollections", {
  label: vscode.l10n.t("Collections"),
  icon: "library",
  things: vscode.l10n.t("collections"),
  empty: vscode.l10n.t("No collections yet"),
  count: ({ count }) => count,
  read: async ({ page }, { client, signal }) => {
    const collections = await client.call(listPageCollections, { pageId: page.id }, { signal });
    return collections.map((one, index) => collectionRow(page, one, index));
  },
});

/** The title of a collection; its id if the platform returns a membership without a title. */
export function collectionName({ title, collectionId }: PageCollection): string | undefined {
  return nonBlank(title) ?? nonBlank(collectionId === null ? undefined : collectionId?.toString());
}

function collectionRow(page: PlatformResource, collection: PageCollection, index: number): CollectionRow {
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

export const collection: ResourceKind<CollectionRow> = {
  type: "collection",
  item: ({ collection, resource }) => ({
    label: resource.name,
    description: cardCount(collection),
    icon: "library",
  }),
  card: ({ collection, page, resource }) => ({
    name: resource.name,
    description: collection.description ?? undefined,
    lines: [
      [vscode.l10n.t("Page"), page.name],
      [vscode.l10n.t("Cards"), cardCount(collection)],
      [vscode.l10n.t("ID"), resource.id],
    ],
  }),
  details: async ({ client, resource }) => {
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
};

function cardCount({ cardIds }: PageCollection): string {
  const count = cardIds?.length;
  return count === undefined ? "" : count === 1 ? vscode.l10n.t("1 card") : vscode.l10n.t("{0} cards", count);
}

/** The collections of a page in its details; undefined if they could not be read. */
export function collectionTable(
  page: PlatformResource,
  collections: readonly PageCollection[] | undefined,
): DetailSection {
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
