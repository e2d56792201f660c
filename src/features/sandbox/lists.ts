import * as vscode from "vscode";
import type { Repository } from "../../api/catalogue/models/sandbox.ts";
import { getRepository, getRepositoryPermissions, searchRepositories } from "../../api/catalogue/operations/sandbox.ts";
import { pageSizeOf } from "../../api/catalogue/paging.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import {
  commitRequestsOf,
  commitsOf,
  domainsWithAccess,
  readPromotionPage,
  readRepositoryPage,
} from "../../api/families/sandbox.ts";
import { groupNames } from "../../ui/resources/group-names.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import type { Branch, BranchPage, PageRequest } from "../../ui/tree/definition.ts";
import {
  commitRequestRow,
  commitRow,
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

/** The repositories of this instance; those of others come below a row of their own. */
export function repositoriesBranch(tenantId: string, isShared: boolean): Branch<SandboxTreeRow> {
  const pageSize = pageSizeOf(searchRepositories);
  return {
    key: isShared ? "repositories/shared" : "repositories",
    pageSize,
    words: {
      things: vscode.l10n.t("repositories"),
      empty: isShared ? vscode.l10n.t("No other instance shares a repository") : vscode.l10n.t("No repositories yet"),
      nothingFits: vscode.l10n.t("No repository has this in its name"),
    },
    read: async ({ client, filter, offset, signal }) => {
      const page = await readRepositoryPage(client, { name: filter, shared: isShared, offset }, { signal });
      const { items, total } = page;
      const hasMore =
        items.length > 0 && (total === undefined ? items.length >= pageSize : offset + items.length < total);
      const rows: SandboxTreeRow[] = items.map((one) => repositoryRow(tenantId, one, isShared, vscode.l10n.t));
      const shared: SandboxTreeRow = { type: "sharedRepositories", tenantId, key: "repositories/shared" };
      const isWhole = !isShared && !hasMore && filter === "";
      // Who has none and is shown none has an empty view, which says what to do.
      const withShared = isWhole && (offset + rows.length > 0 || (await isSharedWith(client, signal)));
      return { rows: withShared ? [...rows, shared] : rows, taken: items.length, total, hasMore };
    },
  };
}

async function isSharedWith(client: PlatformClient, signal: AbortSignal): Promise<boolean> {
  const { items } = await readRepositoryPage(client, { shared: true, offset: 0 }, { signal });
  return items.length > 0;
}

/** A list below a repository. */
export function partBranch(row: RepositoryPartRow): Branch<SandboxTreeRow> {
  const { of, part } = row;
  const words = partWords(part);
  return {
    key: partKey(of, part),
    pageSize: part === "promotions" ? historyPageSize : 1000,
    words,
    read: (request) => readPart(row, request),
  };
}

async function readPart({ of, part }: RepositoryPartRow, request: PageRequest): Promise<BranchPage<SandboxTreeRow>> {
  const { client, signal } = request;
  const { tenantId } = of;
  const repositoryId = of.repository.id;
  switch (part) {
    case "content":
      return whole(contentRows(await fresh(of, request), vscode.l10n.t));
    case "deployments":
      return whole(deploymentRows(await fresh(of, request), vscode.l10n.t));
    case "commits": {
      const { items } = await commitsOf(client, repositoryId, { signal });
      return whole(items.map((commit) => commitRow(of, commit)));
    }
    case "commitRequests": {
      const { items } = await commitRequestsOf(client, repositoryId, { signal });
      const newest = items.toSorted((one, other) =>
        String(other.started ?? "").localeCompare(String(one.started ?? "")),
      );
      return whole(newest.map((one) => commitRequestRow(tenantId, of.key, one)));
    }
    case "promotions":
      return promotionsOf(of, request);
    case "access": {
      const domains = await domainsWithAccess(client, repositoryId, { signal });
      return whole(
        domains.map((domain) => ({ type: "instance", tenantId, key: `${of.key}/instance/${domain}`, domain })),
      );
    }
    case "permissions":
      return whole(await permissionRows(of, request));
  }
}

/** The search knows repositories by name alone; what is of another one of that name is left out. */
async function promotionsOf(
  of: RepositoryRow,
  { client, offset, signal }: PageRequest,
): Promise<BranchPage<SandboxTreeRow>> {
  const filters = { repositoryName: [of.resource.name] };
  const { items, total } = await readPromotionPage(client, { filters, limit: historyPageSize, offset }, { signal });
  const own = items.filter(({ repositoryId }) => (repositoryId ?? of.repository.id) === of.repository.id);
  const isFull = total === undefined ? items.length >= historyPageSize : offset + items.length < total;
  return {
    rows: own.map((one) => promotionRow(of.tenantId, of.key, one)),
    taken: items.length,
    hasMore: items.length > 0 && isFull,
  };
}

async function permissionRows(
  of: RepositoryRow,
  { client, signal }: PageRequest,
): Promise<readonly RepositoryPermissionRow[]> {
  const { tenantId, repository } = of;
  const answer = await client.call(getRepositoryPermissions, { repositoryId: repository.id }, { signal });
  const [people, groups] = await Promise.all([
    userNames(client, tenantId, Object.keys(answer.userPermissions ?? {}), signal),
    groupNames(client, tenantId),
  ]);
  const rows = (
    who: RepositoryPermissionRow["who"],
    permissions: Readonly<Record<string, unknown>> | null | undefined,
    names: ReadonlyMap<string, string>,
  ): readonly RepositoryPermissionRow[] =>
    Object.entries(permissions ?? {}).map(([id, permission]) => ({
      ...{ type: "repositoryPermission", tenantId, key: `${of.key}/permission/${who}/${id}`, who, id, of },
      name: names.get(id) ?? id,
      permission: Array.isArray(permission) ? permission.join(", ") : String(permission),
    }));
  return [...rows("USER", answer.userPermissions, people), ...rows("GROUP", answer.groupPermissions, groups)];
}

/** The repository by itself tells its content even where the search did not. */
async function fresh(of: RepositoryRow, { client, signal }: PageRequest): Promise<RepositoryRow> {
  const repository: Repository = await client.call(getRepository, { repositoryId: of.repository.id }, { signal });
  return repositoryRow(of.tenantId, repository, of.isShared, vscode.l10n.t);
}

function whole(rows: readonly SandboxTreeRow[]): BranchPage<SandboxTreeRow> {
  return { rows, hasMore: false };
}

function partWords(part: RepositoryPartRow["part"]): { readonly things: string; readonly empty: string } {
  switch (part) {
    case "content":
      return { things: vscode.l10n.t("the content"), empty: vscode.l10n.t("Nothing in it yet") };
    case "commits":
      return { things: vscode.l10n.t("commits"), empty: vscode.l10n.t("No commits yet") };
    case "commitRequests":
      return { things: vscode.l10n.t("commit requests"), empty: vscode.l10n.t("No commit requests yet") };
    case "promotions":
      return { things: vscode.l10n.t("promotions"), empty: vscode.l10n.t("No promotions yet") };
    case "deployments":
      return { things: vscode.l10n.t("deployments"), empty: vscode.l10n.t("No deployments yet") };
    case "access":
      return { things: vscode.l10n.t("instances"), empty: vscode.l10n.t("No other instance has access") };
    case "permissions":
      return { things: vscode.l10n.t("permissions"), empty: vscode.l10n.t("Nobody has a permission") };
  }
}
