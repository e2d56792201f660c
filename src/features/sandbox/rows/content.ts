import * as vscode from "vscode";
import type { PlatformClient } from "../../../api/client/client.ts";
import { contentKey, contentNames } from "../../../api/families/content-names.ts";
import { PageHierarchy } from "../../../api/families/pages/page-hierarchy.ts";
import { readPageTree } from "../../../api/families/pages/pages.ts";
import { contentTypeOf } from "../../../api/families/repository-content.ts";
import { sentenceWords } from "../../../ui/format/labels.ts";
import { resourceIcons } from "../../../ui/resources/resource-icons.ts";
import { type Branch, singlePageBranch, type TreeRow } from "../../../ui/tree/definition.ts";
import type { RowKind } from "../../../ui/tree/row-kind.ts";
import { freshRow, type RepositoryPart, type RepositoryRow } from "./repository-row.ts";

const { Collapsed } = vscode.TreeItemCollapsibleState;

/** The content of one kind in a repository. */
interface ContentKindRow extends TreeRow {
  readonly type: "contentKind";
  readonly name: string;
  /** The platform's constant, such as `PAGE`. */
  readonly contentType: string;
  readonly ids: readonly string[];
  /** The type of resource that the ids belong to, if there is one. */
  readonly resourceType: "page" | "card" | undefined;
  /** True if the ids belong to another instance. */
  readonly isShared: boolean;
}

export interface ContentItemRow extends TreeRow {
  readonly type: "contentItem";
  /** The platform's constant, such as `PAGE`. */
  readonly contentType: string;
  readonly id: string;
  readonly name: string;
}

export const contentPart: RepositoryPart = {
  label: vscode.l10n.t("Content"),
  icon: "package",
  count: ({ repository: { repositoryContent } }) =>
    Object.values(repositoryContent ?? {}).reduce<number>((sum, ids) => sum + (Array.isArray(ids) ? ids.length : 0), 0),
  things: vscode.l10n.t("the content"),
  empty: vscode.l10n.t("No content yet"),
  read: async (of, request) => contentRows(await freshRow(of, request)),
};

/** The content of a repository by kind, without empty kinds. */
export function contentRows(of: RepositoryRow): readonly ContentKindRow[] {
  const content = of.repository.repositoryContent ?? {};
  const known: Readonly<Record<string, readonly [string, ContentKindRow["resourceType"]]>> = {
    pageIds: [vscode.l10n.t("Pages"), "page"],
    cardIds: [vscode.l10n.t("Cards"), "card"],
    dataflowIds: [vscode.l10n.t("Dataflows"), undefined],
    viewIds: [vscode.l10n.t("Views"), undefined],
    dataAppIds: [vscode.l10n.t("Data apps"), undefined],
    streamIds: [vscode.l10n.t("Streams"), undefined],
  };
  return Object.entries(content).flatMap(([field, value]): readonly ContentKindRow[] => {
    const ids = Array.isArray(value) ? value.map(String) : [];
    const [name, resourceType] = known[field] ?? [field, undefined];
    const { tenantId, isShared } = of;
    const key = `${of.key}/content/${field}`;
    const contentType = contentTypeOf(field);
    return ids.length === 0
      ? []
      : [{ type: "contentKind", tenantId, key, name, contentType, ids, resourceType, isShared }];
  });
}

export const contentKind: RowKind<ContentKindRow> = {
  type: "contentKind",
  item: ({ name, ids, contentType }) => ({
    label: name,
    description: String(ids.length),
    icon: contentIcon(contentType),
    state: Collapsed,
  }),
  below: contentBranch,
};

/** The content items of one kind. Their names are read once, but not for another instance's items. */
export function contentBranch(row: ContentKindRow): Branch<ContentItemRow> {
  return singlePageBranch({
    key: row.key,
    things: vscode.l10n.t("the content"),
    empty: vscode.l10n.t("No content yet"),
    read: ({ client, signal }) => contentItems(row, client, signal),
  });
}

/** The rows of the content items of one kind, with the names that can be read. */
export async function contentItems(
  row: ContentKindRow,
  client: PlatformClient,
  signal?: AbortSignal,
): Promise<readonly ContentItemRow[]> {
  return contentItemRows(row, row.isShared ? new Map() : await namesOf(row, client, signal));
}

async function namesOf(
  { contentType, ids }: ContentKindRow,
  client: PlatformClient,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const options = signal === undefined ? {} : { signal };
  if (contentType === "PAGE") {
    const hierarchy = await readPageTree(client, {}, options).catch(() => []);
    return new Map(new PageHierarchy(hierarchy).places.map(({ node }) => [node.id, node.title]));
  }
  const items = ids.map((id) => ({ contentType, repositoryObjectId: id }));
  const names = await contentNames(client, items, options);
  return new Map(
    items.flatMap((item) => {
      const name = names.get(contentKey(item));
      return name === undefined ? [] : [[item.repositoryObjectId, name] as const];
    }),
  );
}

/** The content items of one kind by name; items without a name by kind and id. */
function contentItemRows(
  { tenantId, key, contentType, ids, resourceType, isShared }: ContentKindRow,
  names: ReadonlyMap<string, string>,
): readonly ContentItemRow[] {
  return ids.map((id) => {
    const name = names.get(id) ?? `${sentenceWords(contentType, vscode.l10n.t)} ${id}`;
    const hasResource = resourceType !== undefined && !isShared;
    const resource = hasResource ? { resource: { type: resourceType, tenantId, id, name } } : {};
    return { type: "contentItem", tenantId, key: `${key}/${id}`, contentType, id, name, ...resource };
  });
}

export const contentItem: RowKind<ContentItemRow> = {
  type: "contentItem",
  item: ({ name, contentType }) => ({ label: name, icon: contentIcon(contentType) }),
  card: ({ name, id }) => ({ name, lines: [[vscode.l10n.t("ID"), id]] }),
};

/** The icon of a kind of content, such as `PAGE`. */
export function contentIcon(contentType: string): string {
  return contentKindIcons[contentType] ?? "package";
}

/** The codicons of the kinds of content, by the platform's constants. */
const contentKindIcons: Readonly<Record<string, string>> = {
  PAGE: resourceIcons.page,
  CARD: resourceIcons.card,
  DATAFLOW: "git-merge",
  VIEW: "table",
  DATA_APP: "window",
  STREAM: "pulse",
};
