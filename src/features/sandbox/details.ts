import * as vscode from "vscode";
import type { Commit, CommitRequest, Promotion, Repository } from "../../api/catalogue/models/sandbox.ts";
import { getRepository } from "../../api/catalogue/operations/sandbox.ts";
import type { Page } from "../../api/catalogue/paging.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { allPromotions, commitRequestsOf, commitsOf, readRepositoryPage } from "../../api/families/sandbox.ts";
import type { DetailLine, DetailSection, Details, DetailsReader, DetailValue } from "../../ui/details/details.ts";
import { codeOf, dateOf, type Names, personOf } from "../../ui/details/values.ts";
import { constantWords, nonBlank, sentenceWords } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import { cutRequestsText, cutText } from "./cut-lists.ts";
import { contentItems } from "./lists.ts";
import { contentRows, repositoryRow } from "./rows.ts";

/** The data in a repository's details other than the repository itself. */
interface RepositoryParts {
  readonly commits: Page<Commit>;
  readonly names: Names;
  readonly content: readonly (readonly DetailValue[])[];
}

/** Reads repositories and their history for their documents. */
export const sandboxReaders = {
  repository: async ({ client, resource }) => {
    const repository = await client.call(getRepository, { repositoryId: resource.id });
    const [commits, names, content] = await Promise.all([
      commitsOf(client, resource.id),
      userNames(client, [repository.userId]),
      contentOf(client, resource, repository),
    ]);
    return repositoryDetails(repository, { commits, names, content }, resource);
  },
  commit: async ({ client, resource }) => {
    const page = await commitsOf(client, resource.parentId ?? "");
    return workDetails(vscode.l10n.t("Commit"), found(page, resource, cutText), resource);
  },
  commitRequest: async ({ client, resource }) => {
    const page = await commitRequestsOf(client, resource.parentId ?? "");
    return workDetails(vscode.l10n.t("Commit request"), found(page, resource, cutRequestsText), resource);
  },
  promotion: async ({ client, resource }) => {
    for await (const page of allPromotions(client)) {
      const promotion = page.find(({ id }) => String(id) === resource.id);
      if (promotion !== undefined) {
        const [names, target] = await Promise.all([userNames(client, [promotion.userId]), targetOf(client, promotion)]);
        return promotionDetails(promotion, resource, names, target);
      }
    }
    throw gone(resource);
  },
  deployment: async ({ client, resource }) => {
    const repository = await client.call(getRepository, { repositoryId: resource.parentId ?? "" });
    const deployment = (repository.deployments ?? []).find(({ id }) => id === resource.id);
    if (deployment === undefined) {
      throw gone(resource);
    }
    return {
      kind: vscode.l10n.t("Deployment"),
      lines: [
        [vscode.l10n.t("ID"), codeOf(resource.id)],
        [vscode.l10n.t("Instance"), deployment.domain ?? undefined],
        [vscode.l10n.t("Repository"), repositoryLink(resource.tenantId, repository.id, repository.name)],
      ],
      sections: [],
      raw: deployment,
    };
  },
} satisfies Record<string, DetailsReader>;

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

function repositoryDetails(
  repository: Repository,
  { commits, names, content }: RepositoryParts,
  { tenantId, id, name }: PlatformResource,
): Details {
  const { lastCommit } = repository;
  const lines: readonly DetailLine[] = [
    [vscode.l10n.t("ID"), codeOf(id)],
    [vscode.l10n.t("Instance"), repository.domain ?? undefined],
    [vscode.l10n.t("Owner"), personOf(repository.userId, names)],
    [vscode.l10n.t("Your permission"), repository.permission?.toLowerCase()],
    [vscode.l10n.t("Last commit"), lastCommit?.commitName ?? lastCommit?.name ?? undefined],
    [vscode.l10n.t("Committed"), dateOf(lastCommit?.completed ?? lastCommit?.started)],
    [vscode.l10n.t("Instances with access"), text(repository.accessCount)],
    [vscode.l10n.t("Updated"), dateOf(repository.updated)],
    [vscode.l10n.t("Created"), dateOf(repository.created)],
  ];
  const contentTable: DetailSection = {
    type: "table",
    title: vscode.l10n.t("Content"),
    columns: [vscode.l10n.t("Type"), vscode.l10n.t("Name"), vscode.l10n.t("ID")],
    rows: content,
    empty: vscode.l10n.t("No content yet."),
  };
  const history: DetailSection = {
    type: "table",
    title: vscode.l10n.t("Commits"),
    columns: [vscode.l10n.t("Commit"), vscode.l10n.t("Summary"), vscode.l10n.t("State"), vscode.l10n.t("Created")],
    rows: commits.items.map((commit) => [
      { type: "resource", resource: commitResource(tenantId, id, name, commit) },
      commit.summary ?? "",
      stateWords(commit) ?? "",
      dateOf(commit.created ?? commit.started),
    ]),
    empty: vscode.l10n.t("No commits yet."),
    remark: cutText(commits),
  };
  const deployments: DetailSection = {
    type: "table",
    title: vscode.l10n.t("Deployments"),
    columns: [vscode.l10n.t("Instance"), vscode.l10n.t("ID")],
    rows: (repository.deployments ?? []).map((one) => [one.domain ?? "", codeOf(one.id ?? "")]),
    empty: vscode.l10n.t("No deployments yet."),
  };
  return { kind: vscode.l10n.t("Repository"), lines, sections: [contentTable, history, deployments], raw: repository };
}

function stateWords({ status }: { readonly status?: string | null | undefined }): string | undefined {
  return status === null || status === undefined ? undefined : constantWords(status, vscode.l10n.t);
}

function workDetails(kind: string, work: Commit | CommitRequest, resource: PlatformResource): Details {
  const { tenantId, parentId } = resource;
  return {
    kind,
    description: work.summary ?? undefined,
    lines: [
      [vscode.l10n.t("ID"), codeOf(resource.id)],
      [vscode.l10n.t("State"), stateWords(work)],
      [vscode.l10n.t("Hidden"), work.hidden === true ? vscode.l10n.t("yes") : undefined],
      [vscode.l10n.t("Created"), dateOf(createdOf(work))],
      [vscode.l10n.t("Started"), dateOf(work.started)],
      [vscode.l10n.t("Completed"), dateOf(work.completed)],
      [
        vscode.l10n.t("Repository"),
        parentId === undefined ? undefined : repositoryLink(tenantId, parentId, repositoryNameOf(work, resource)),
      ],
    ],
    sections: [],
    raw: work,
  };
}

/** The domain of a promotion's target instance; undefined if the repository no longer has that deployment. */
async function targetOf(
  client: PlatformClient,
  { repositoryId, deploymentId }: Promotion,
): Promise<string | undefined> {
  if (typeof repositoryId !== "string" || typeof deploymentId !== "string") {
    return undefined;
  }
  const repository = await client.call(getRepository, { repositoryId }).catch(() => undefined);
  return repository?.deployments?.find(({ id }) => id === deploymentId)?.domain ?? undefined;
}

/** The repository's name. A commit's own name consists of the names of its repository and the commit. */
function repositoryNameOf(work: Commit | CommitRequest, { name }: PlatformResource): string {
  const own = typeof work.name === "string" ? work.name : undefined;
  const commit = nonBlank(own) ?? nonBlank(work.commitName) ?? String(work.id ?? "");
  const { repositoryName } = work;
  return typeof repositoryName === "string" && repositoryName !== ""
    ? repositoryName
    : name.endsWith(` ${commit}`)
      ? name.slice(0, -commit.length - 1)
      : name;
}

function promotionDetails(
  promotion: Promotion,
  { tenantId, id }: PlatformResource,
  names: Names,
  target: string | undefined,
): Details {
  const { repositoryId, repositoryName, promotionRequest, promotionResult } = promotion;
  return {
    kind: vscode.l10n.t("Promotion"),
    lines: [
      [vscode.l10n.t("ID"), codeOf(id)],
      [vscode.l10n.t("State"), stateWords(promotion)],
      [vscode.l10n.t("Commit"), promotion.commitName ?? undefined],
      [
        vscode.l10n.t("Repository"),
        repositoryId === null || repositoryId === undefined
          ? undefined
          : repositoryLink(tenantId, repositoryId, repositoryName),
      ],
      [vscode.l10n.t("Started by"), personOf(promotion.userId, names)],
      [vscode.l10n.t("Started"), dateOf(promotion.started)],
      [vscode.l10n.t("Completed"), dateOf(promotion.completed)],
      [vscode.l10n.t("Target"), target],
      [
        vscode.l10n.t("Deployment"),
        promotion.deploymentId === null || promotion.deploymentId === undefined
          ? undefined
          : codeOf(promotion.deploymentId),
      ],
    ],
    sections: [
      ...jsonSection(vscode.l10n.t("Request"), promotionRequest),
      ...jsonSection(vscode.l10n.t("Result"), promotionResult),
    ],
    raw: promotion,
  };
}

function jsonSection(title: string, value: unknown): readonly DetailSection[] {
  return value === null || value === undefined
    ? []
    : [{ type: "code", title, language: "json", text: JSON.stringify(value, undefined, 2) }];
}

function found<Item extends { readonly id?: string | number | null | undefined }>(
  page: Page<Item>,
  resource: PlatformResource,
  cut: (page: Page<Item>) => string | undefined,
): Item {
  const item = page.items.find(({ id }) => String(id) === resource.id);
  const remark = cut(page);
  if (item === undefined) {
    throw remark === undefined
      ? gone(resource)
      : new Error(vscode.l10n.t("The platform's list doesn't contain {0}. {1}", resource.name, remark));
  }
  return item;
}

function gone({ name }: PlatformResource): Error {
  return new Error(vscode.l10n.t("The platform no longer lists {0}.", name));
}

function commitResource(tenantId: string, parentId: string, repositoryName: string, commit: Commit): PlatformResource {
  const label = commit.name ?? commit.commitName ?? String(commit.id ?? "");
  return { type: "commit", tenantId, id: String(commit.id ?? label), parentId, name: `${repositoryName} ${label}` };
}

function repositoryLink(tenantId: string, id: string, name: string | null | undefined): DetailValue {
  return { type: "resource", resource: { type: "repository", tenantId, id, name: name ?? id } };
}

function createdOf(work: Commit | CommitRequest): string | number | undefined {
  const { created } = work;
  return typeof created === "string" || typeof created === "number" ? created : undefined;
}

function text(value: string | number | null | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
