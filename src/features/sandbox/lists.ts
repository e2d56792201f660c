import * as vscode from "vscode";
import type { CommitRequest, Promotion, Repository } from "../../api/catalogue/models/sandbox.ts";
import { getRepository, getRepositoryPermissions, searchRepositories } from "../../api/catalogue/operations/sandbox.ts";
import { pageSizeOf } from "../../api/catalogue/paging.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { isMissingOperation } from "../../api/client/missing-operation.ts";
import { contentKey, contentNames } from "../../api/families/content-names.ts";
import { PageHierarchy } from "../../api/families/page-hierarchy.ts";
import { readPageTree } from "../../api/families/pages.ts";
import {
  commitRequestsOf,
  commitsOf,
  domainsWithAccess,
  readPromotionPage,
  readRepositoryPage,
} from "../../api/families/sandbox.ts";
import { phrase } from "../../api/phrase.ts";
import { isoDate } from "../../ui/format/dates.ts";
import { groupNames } from "../../ui/resources/group-names.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import { type Branch, type BranchPage, type PageRequest, singlePageBranch } from "../../ui/tree/definition.ts";
import { remarkedBranch } from "../../ui/tree/remarked-branch.ts";
import { cutRequestsText, cutText } from "./cut-lists.ts";
import {
  type ContentItemRow,
  type ContentKindRow,
  commitRequestRow,
  commitRow,
  contentItemRows,
  contentRows,
  deploymentRows,
  partKey,
  promotionRow,
  type RepositoryPartRow,
  type RepositoryPermissionRow,
  type RepositoryRow,
  repositoryRow,
  type SandboxTreeRow,
} from "./rows.ts";

const historyPageSize = 50;

/** The repositories of this instance, or those that other instances share, which are below their own row. */
export function repositoriesBranch(tenantId: string, isShared: boolean): Branch<SandboxTreeRow> {
  const pageSize = pageSizeOf(searchRepositories);
  return {
    key: isShared ? "repositories/shared" : "repositories",
    pageSize,
    words: {
      things: vscode.l10n.t("repositories"),
      empty: isShared ? vscode.l10n.t("No other instances share repositories") : vscode.l10n.t("No repositories yet"),
      nothingFits: vscode.l10n.t("No matching repositories"),
    },
    read: async ({ client, filter, offset, signal }) => {
      const query = { name: filter, shared: isShared, offset };
      const page = await readRepositoryPage(client, query, { signal }).catch((error: unknown) => {
        throw explained(error);
      });
      const { items, total } = page;
      const hasMore =
        items.length > 0 && (total === undefined ? items.length >= pageSize : offset + items.length < total);
      const rows: SandboxTreeRow[] = items.map((one) => repositoryRow(tenantId, one, isShared));
      const shared: SandboxTreeRow = { type: "sharedRepositories", tenantId, key: "repositories/shared" };
      const isWhole = !isShared && !hasMore && filter === "";
      // Without any repository, the view stays empty and shows its welcome content.
      const withShared = isWhole && (offset + rows.length > 0 || (await isSharedWith(client, signal)));
      return { rows: withShared ? [...rows, shared] : rows, itemCount: items.length, total, hasMore };
    },
  };
}

/** The API description has no list of repositories (4.5), so the row explains what works without one. */
function explained(error: unknown): unknown {
  return isMissingOperation(searchRepositories, error)
    ? error.with({
        reason: phrase`this platform doesn't list repositories`,
        remedy: phrase`Run a command such as Create Commit from the Command Palette, and enter the ID of a repository.`,
      })
    : error;
}

async function isSharedWith(client: PlatformClient, signal: AbortSignal): Promise<boolean> {
  const { items } = await readRepositoryPage(client, { shared: true, offset: 0 }, { signal });
  return items.length > 0;
}

/** A list below a repository. */
export function partBranch({ of, part }: RepositoryPartRow): Branch<SandboxTreeRow> {
  const { tenantId, key: within } = of;
  const repositoryId = of.repository.id;
  const key = partKey(of, part);
  switch (part) {
    case "content":
      return singlePageBranch({
        key,
        things: vscode.l10n.t("the content"),
        empty: vscode.l10n.t("No content yet"),
        read: async (request) => contentRows(await fresh(of, request)),
      });
    case "commits":
      return remarkedBranch<SandboxTreeRow>({
        key,
        things: vscode.l10n.t("commits"),
        empty: vscode.l10n.t("No commits yet"),
        read: async ({ client, signal }) => {
          const page = await commitsOf(client, repositoryId, { signal });
          return { rows: page.items.map((commit) => commitRow(of, commit)), remark: cutText(page) };
        },
      });
    case "commitRequests":
      return remarkedBranch<SandboxTreeRow>({
        key,
        things: vscode.l10n.t("commit requests"),
        empty: vscode.l10n.t("No commit requests yet"),
        read: async ({ client, signal }) => {
          const page = await commitRequestsOf(client, repositoryId, { signal });
          const rows = newestFirst(page.items).map((one) => commitRequestRow(tenantId, within, one));
          return { rows, remark: cutRequestsText(page) };
        },
      });
    case "promotions":
      return {
        key,
        pageSize: historyPageSize,
        words: { things: vscode.l10n.t("promotions"), empty: vscode.l10n.t("No promotions yet") },
        read: (request) => readPromotions(of, request),
      };
    case "deployments":
      return singlePageBranch({
        key,
        things: vscode.l10n.t("deployments"),
        empty: vscode.l10n.t("No deployments yet"),
        read: async (request) => deploymentRows(await fresh(of, request)),
      });
    case "access":
      return singlePageBranch({
        key,
        things: vscode.l10n.t("instances"),
        empty: vscode.l10n.t("No other instances have access"),
        read: async ({ client, signal }) => {
          const domains = await domainsWithAccess(client, repositoryId, { signal });
          return domains.map((domain) => ({ type: "instance", tenantId, key: `${within}/instance/${domain}`, domain }));
        },
      });
    case "permissions":
      return singlePageBranch({
        key,
        things: vscode.l10n.t("permissions"),
        empty: vscode.l10n.t("No permissions yet"),
        read: (request) => readPermissions(of, request),
      });
  }
}

/** The content items of one kind. Their names are read once, but not for another instance's items. */
export function contentBranch(row: ContentKindRow): Branch<SandboxTreeRow> {
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

/**
 * The search filters only by the repository's name, so promotions of other repositories with the same name are removed.
 */
async function readPromotions(
  of: RepositoryRow,
  { client, offset, signal }: PageRequest,
): Promise<BranchPage<SandboxTreeRow>> {
  const filters = { repositoryName: [of.resource.name] };
  const query = { filters, sort: "started", limit: historyPageSize, offset };
  const { items, total } = await readPromotionPage(client, query, { signal });
  const own = items.filter(({ repositoryId }) => (repositoryId ?? of.repository.id) === of.repository.id);
  const isFull = total === undefined ? items.length >= historyPageSize : offset + items.length < total;
  return {
    rows: newestFirst(own).map((one) => promotionRow(of, one)),
    itemCount: items.length,
    hasMore: items.length > 0 && isFull,
  };
}

/** Sorts even if the platform ignores the requested order. */
function newestFirst<Item extends CommitRequest | Promotion>(items: readonly Item[]): readonly Item[] {
  const startOf = ({ started }: Item): string => isoDate(started) ?? "";
  return items.toSorted((one, other) => startOf(other).localeCompare(startOf(one)));
}

async function readPermissions(
  of: RepositoryRow,
  { client, signal }: PageRequest,
): Promise<readonly RepositoryPermissionRow[]> {
  const { tenantId, repository } = of;
  const response = await client.call(getRepositoryPermissions, { repositoryId: repository.id }, { signal });
  const [people, groups] = await Promise.all([
    userNames(client, Object.keys(response.userPermissions ?? {}), signal),
    groupNames(client),
  ]);
  const rows = (
    who: RepositoryPermissionRow["who"],
    permissions: Readonly<Record<string, unknown>> | null | undefined,
    names: ReadonlyMap<string, string>,
  ): readonly RepositoryPermissionRow[] =>
    Object.entries(permissions ?? {}).map(([id, permission]) => ({
      type: "repositoryPermission",
      tenantId,
      key: `${of.key}/permission/${who}/${id}`,
      who,
      id,
      of,
      name: names.get(id) ?? (who === "GROUP" ? vscode.l10n.t("Group {0}", id) : vscode.l10n.t("User {0}", id)),
      permission: Array.isArray(permission) ? permission.join(", ") : String(permission),
    }));
  return [...rows("USER", response.userPermissions, people), ...rows("GROUP", response.groupPermissions, groups)];
}

/** The repository in a separate read, which includes the content that the search may omit. */
async function fresh(of: RepositoryRow, { client, signal }: PageRequest): Promise<RepositoryRow> {
  const repository: Repository = await client.call(getRepository, { repositoryId: of.repository.id }, { signal });
  return repositoryRow(of.tenantId, repository, of.isShared);
}
