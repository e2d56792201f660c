import * as vscode from "vscode";
import type { Commit, CommitRequest, Promotion, Repository } from "../../api/catalogue/models/sandbox.ts";
import { getRepository } from "../../api/catalogue/operations/sandbox.ts";
import { allPromotions, commitRequestsOf, commitsOf } from "../../api/families/sandbox.ts";
import type { DetailLine, DetailSection, Details, DetailsReader, DetailValue } from "../../ui/details/details.ts";
import { codeOf, dateOf, type Names, personOf } from "../../ui/details/values.ts";
import { constantWords } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { userNames } from "../../ui/resources/user-names.ts";

/** Reads repositories and their history for their documents. */
export const sandboxReaders = {
  repository: async ({ client, resource }) => {
    const repository = await client.call(getRepository, { repositoryId: resource.id });
    const { items: commits } = await commitsOf(client, resource.id);
    const names = await userNames(client, resource.tenantId, [repository.userId]);
    return repositoryDetails(repository, commits, resource, names);
  },
  commit: async ({ client, resource }) => {
    const { items } = await commitsOf(client, resource.parentId ?? "");
    return workDetails(vscode.l10n.t("Commit"), found(items, resource), resource);
  },
  commitRequest: async ({ client, resource }) => {
    const { items } = await commitRequestsOf(client, resource.parentId ?? "");
    return workDetails(vscode.l10n.t("Commit request"), found(items, resource), resource);
  },
  promotion: async ({ client, resource }) => {
    for await (const page of allPromotions(client)) {
      const promotion = page.find(({ id }) => String(id) === resource.id);
      if (promotion !== undefined) {
        const names = await userNames(client, resource.tenantId, [promotion.userId]);
        return promotionDetails(promotion, resource, names);
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
        [vscode.l10n.t("Id"), codeOf(resource.id)],
        [vscode.l10n.t("Instance"), deployment.domain ?? undefined],
        [vscode.l10n.t("Repository"), repositoryLink(resource.tenantId, repository.id, repository.name)],
      ],
      sections: [],
      raw: deployment,
    };
  },
} satisfies Record<string, DetailsReader>;

function repositoryDetails(
  repository: Repository,
  commits: readonly Commit[],
  { tenantId, id, name }: PlatformResource,
  names: Names,
): Details {
  const { lastCommit, repositoryContent } = repository;
  const lines: readonly DetailLine[] = [
    [vscode.l10n.t("Id"), codeOf(id)],
    [vscode.l10n.t("Instance"), repository.domain ?? undefined],
    [vscode.l10n.t("Owner"), personOf(repository.userId, names)],
    [vscode.l10n.t("Your permission"), repository.permission?.toLowerCase()],
    [vscode.l10n.t("Last commit"), lastCommit?.commitName ?? lastCommit?.name ?? undefined],
    [vscode.l10n.t("Committed"), dateOf(lastCommit?.completed ?? lastCommit?.started)],
    [vscode.l10n.t("Instances with access"), text(repository.accessCount)],
    [vscode.l10n.t("Updated"), dateOf(repository.updated)],
    [vscode.l10n.t("Created"), dateOf(repository.created)],
  ];
  const content: DetailSection = {
    type: "table",
    title: vscode.l10n.t("Content"),
    columns: [vscode.l10n.t("Kind"), vscode.l10n.t("Count"), vscode.l10n.t("Ids")],
    rows: Object.entries(repositoryContent ?? {}).flatMap(([field, ids]): (readonly (DetailValue | undefined)[])[] =>
      Array.isArray(ids) && ids.length > 0
        ? [[field.replace(/Ids$/, ""), String(ids.length), codeOf(ids.map(String).join(", "))]]
        : [],
    ),
    empty: vscode.l10n.t("No content yet."),
  };
  const history: DetailSection = {
    type: "table",
    title: vscode.l10n.t("Commits"),
    columns: [vscode.l10n.t("Commit"), vscode.l10n.t("Summary"), vscode.l10n.t("State"), vscode.l10n.t("Created")],
    rows: commits.map((commit) => [
      { type: "resource", resource: commitResource(tenantId, id, name, commit) },
      commit.summary ?? "",
      stateWords(commit) ?? "",
      dateOf(commit.created ?? commit.started),
    ]),
    empty: vscode.l10n.t("No commits yet."),
  };
  const deployments: DetailSection = {
    type: "table",
    title: vscode.l10n.t("Deployments"),
    columns: [vscode.l10n.t("Instance"), vscode.l10n.t("Id")],
    rows: (repository.deployments ?? []).map((one) => [one.domain ?? "", codeOf(one.id ?? "")]),
    empty: vscode.l10n.t("No deployments yet."),
  };
  return { kind: vscode.l10n.t("Repository"), lines, sections: [content, history, deployments], raw: repository };
}

function stateWords({ status }: { readonly status?: string | null | undefined }): string | undefined {
  return status === null || status === undefined ? undefined : constantWords(status);
}

function workDetails(kind: string, work: Commit | CommitRequest, resource: PlatformResource): Details {
  const { tenantId, parentId } = resource;
  return {
    kind,
    description: work.summary ?? undefined,
    lines: [
      [vscode.l10n.t("Id"), codeOf(resource.id)],
      [vscode.l10n.t("State"), stateWords(work)],
      [vscode.l10n.t("Hidden"), work.hidden === true ? vscode.l10n.t("yes") : undefined],
      [vscode.l10n.t("Created"), dateOf(createdOf(work))],
      [vscode.l10n.t("Started"), dateOf(work.started)],
      [vscode.l10n.t("Completed"), dateOf(work.completed)],
      [
        vscode.l10n.t("Repository"),
        parentId === undefined ? undefined : repositoryLink(tenantId, parentId, resource.name),
      ],
    ],
    sections: [],
    raw: work,
  };
}

function promotionDetails(promotion: Promotion, { tenantId, id }: PlatformResource, names: Names): Details {
  const { repositoryId, repositoryName, promotionRequest, promotionResult } = promotion;
  return {
    kind: vscode.l10n.t("Promotion"),
    lines: [
      [vscode.l10n.t("Id"), codeOf(id)],
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
  items: readonly Item[],
  resource: PlatformResource,
): Item {
  const item = items.find(({ id }) => String(id) === resource.id);
  if (item === undefined) {
    throw gone(resource);
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
