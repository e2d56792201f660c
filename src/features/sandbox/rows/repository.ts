import * as vscode from "vscode";
import type { Repository } from "../../../api/catalogue/models/sandbox.ts";
import { getRepository, searchRepositories } from "../../../api/catalogue/operations/sandbox.ts";
import { pageSizeOf } from "../../../api/catalogue/paging.ts";
import type { PlatformClient } from "../../../api/client/client.ts";
import { isMissingOperation } from "../../../api/client/missing-operation.ts";
import { commitsOf, readRepositoryPage } from "../../../api/families/sandbox.ts";
import { phrase } from "../../../api/phrase.ts";
import type { DetailSection, DetailValue } from "../../../ui/details/details.ts";
import { codeOf, dateOf, personOf } from "../../../ui/details/values.ts";
import { isoDate, relativeDate } from "../../../ui/format/dates.ts";
import { sentenceWords } from "../../../ui/format/labels.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import type { Branch, TreeRow } from "../../../ui/tree/definition.ts";
import { cardDate } from "../../../ui/tree/presentation.ts";
import type { ResourceKind, RowKind } from "../../../ui/tree/row-kind.ts";
import type { PinnedRepositories } from "../source-control/pinned-repositories.ts";
import { commitName, isUnderWay, workLooks, workState, workWord } from "../states.ts";
import { commitTable } from "./commit.ts";
import { contentItems, contentRows } from "./content.ts";
import { partRows } from "./part.ts";
import { type RepositoryRow, repositoryRow } from "./repository-row.ts";

const { Collapsed } = vscode.TreeItemCollapsibleState;

/** The repositories of other instances, below this instance's own. */
interface SharedRepositoriesRow extends TreeRow {
  readonly type: "sharedRepositories";
}

/** The repositories of this instance, or those that other instances share, which are below their own row. */
export function repositoriesBranch(tenantId: string, isShared: boolean): Branch<TreeRow> {
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
      const rows: TreeRow[] = items.map((one) => repositoryRow(tenantId, one, isShared));
      const shared: SharedRepositoriesRow = { type: "sharedRepositories", tenantId, key: "repositories/shared" };
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

export const sharedRepositories: RowKind<SharedRepositoriesRow> = {
  type: "sharedRepositories",
  item: () => ({ label: vscode.l10n.t("Shared by Other Instances"), icon: "repo-clone", state: Collapsed }),
  below: ({ tenantId }) => repositoriesBranch(tenantId, true),
};

export const repository: ResourceKind<RepositoryRow, Pick<PinnedRepositories, "has">> = {
  type: "repository",
  item: ({ repository: { lastCommit }, resource, isShared }, pinned) => {
    const last = lastCommit ?? undefined;
    const state = last === undefined ? undefined : workState(last);
    const age = relativeDate(isoDate(last?.completed ?? last?.started ?? last?.created), vscode.env.language);
    const description = [commitName(last), age].filter(Boolean).join(" · ") || vscode.l10n.t("no commits");
    const look = state === undefined || state === "done" ? undefined : workLooks[state];
    const stateText = state === undefined ? "" : workWord(state);
    return {
      label: resource.name,
      description,
      icon: look?.icon ?? (isShared ? "repo-clone" : "repo"),
      color: look?.color,
      state: Collapsed,
      contextValue: isShared ? "repository.shared" : `repository.own.${pinned.has(resource) ? "pinned" : "unpinned"}`,
      accessibilityLabel: [resource.name, description, stateText].filter(Boolean).join(", "),
    };
  },
  card: async ({ repository, resource, isShared }, { names }) => {
    const last = repository.lastCommit;
    return {
      name: resource.name,
      description: last?.summary ?? undefined,
      lines: [
        [vscode.l10n.t("Instance"), repository.domain ?? undefined],
        [vscode.l10n.t("Shared"), isShared ? vscode.l10n.t("by another instance") : undefined],
        [vscode.l10n.t("Owner"), personOf(repository.userId, await names(repository.userId))],
        [vscode.l10n.t("Your permission"), repository.permission?.toLowerCase()],
        [vscode.l10n.t("Last commit"), commitName(last)],
        [vscode.l10n.t("Committed"), cardDate(last?.completed ?? last?.started ?? last?.created)],
        [vscode.l10n.t("State"), last === null || last === undefined ? undefined : workWord(workState(last))],
        [vscode.l10n.t("Instances with access"), text(repository.accessCount)],
        [vscode.l10n.t("Updated"), cardDate(repository.updated)],
        [vscode.l10n.t("Created"), cardDate(repository.created)],
        [vscode.l10n.t("ID"), resource.id],
      ],
    };
  },
  below: partRows,
  isChanging: ({ repository: { lastCommit } }) =>
    lastCommit !== null && lastCommit !== undefined && isUnderWay(lastCommit),
  details: async ({ client, resource }) => {
    const repository = await client.call(getRepository, { repositoryId: resource.id });
    const [commits, names, content] = await Promise.all([
      commitsOf(client, resource.id),
      userNames(client, [repository.userId]),
      contentOf(client, resource, repository),
    ]);
    const { lastCommit } = repository;
    const contentTable: DetailSection = {
      type: "table",
      title: vscode.l10n.t("Content"),
      columns: [vscode.l10n.t("Type"), vscode.l10n.t("Name"), vscode.l10n.t("ID")],
      rows: content,
      empty: vscode.l10n.t("No content yet."),
    };
    const deployments: DetailSection = {
      type: "table",
      title: vscode.l10n.t("Deployments"),
      columns: [vscode.l10n.t("Instance"), vscode.l10n.t("ID")],
      rows: (repository.deployments ?? []).map((one) => [one.domain ?? "", codeOf(one.id ?? "")]),
      empty: vscode.l10n.t("No deployments yet."),
    };
    return {
      kind: vscode.l10n.t("Repository"),
      lines: [
        [vscode.l10n.t("ID"), codeOf(resource.id)],
        [vscode.l10n.t("Instance"), repository.domain ?? undefined],
        [vscode.l10n.t("Owner"), personOf(repository.userId, names)],
        [vscode.l10n.t("Your permission"), repository.permission?.toLowerCase()],
        [vscode.l10n.t("Last commit"), lastCommit?.commitName ?? lastCommit?.name ?? undefined],
        [vscode.l10n.t("Committed"), dateOf(lastCommit?.completed ?? lastCommit?.started)],
        [vscode.l10n.t("Instances with access"), text(repository.accessCount)],
        [vscode.l10n.t("Updated"), dateOf(repository.updated)],
        [vscode.l10n.t("Created"), dateOf(repository.created)],
      ],
      sections: [contentTable, commitTable(commits, resource), deployments],
      raw: repository,
    };
  },
};

/** The rows of the table of content: kind, name, and id. */
async function contentOf(
  client: PlatformClient,
  { tenantId }: PlatformResource,
  repository: Repository,
): Promise<readonly (readonly DetailValue[])[]> {
  const isShared = await isOfOtherInstance(client, repository);
  const kinds = contentRows(repositoryRow(tenantId, repository, isShared));
  const items = await Promise.all(kinds.map((kind) => contentItems(kind, client)));
  return kinds.flatMap(({ contentType }, index) =>
    (items[index] ?? []).map(({ id, name, resource }) => [
      sentenceWords(contentType, vscode.l10n.t),
      resource === undefined ? name : { type: "resource", resource },
      codeOf(id),
    ]),
  );
}

/** Also true if the platform doesn't report it, because another instance's ids refer to other items on this one. */
async function isOfOtherInstance(client: PlatformClient, { id, name }: Repository): Promise<boolean> {
  try {
    const { items } = await readRepositoryPage(client, { name: name ?? "", shared: false, offset: 0 });
    return !items.some((one) => one.id === id);
  } catch {
    return true;
  }
}

function text(value: string | number | null | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
