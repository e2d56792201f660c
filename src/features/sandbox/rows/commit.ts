import * as vscode from "vscode";
import type { Commit, CommitRequest } from "../../../api/catalogue/models/sandbox.ts";
import type { Page } from "../../../api/catalogue/paging.ts";
import { commitRequestsOf, commitsOf } from "../../../api/families/sandbox.ts";
import type { DetailSection, Details } from "../../../ui/details/details.ts";
import { codeOf, dateOf } from "../../../ui/details/values.ts";
import { nonBlank } from "../../../ui/format/labels.ts";
import { type PlatformResource, unknownId } from "../../../ui/resources/resource.ts";
import type { TreeRow } from "../../../ui/tree/definition.ts";
import type { ResourceKind } from "../../../ui/tree/row-kind.ts";
import { cutRequestsText, cutText } from "../cut-lists.ts";
import { gone, repositoryLink } from "../links.ts";
import { commitName, isUnderWay, newestFirst, stateWords, workCard, workItem } from "../states.ts";
import type { RepositoryPart, RepositoryRow } from "./repository-row.ts";

interface CommitRow extends TreeRow {
  readonly type: "commit";
  readonly commit: Commit;
  readonly of: RepositoryRow;
  readonly resource: PlatformResource;
}

interface CommitRequestRow extends TreeRow {
  readonly type: "commitRequest";
  readonly commitRequest: CommitRequest;
  readonly resource: PlatformResource;
}

export const commitsPart: RepositoryPart = {
  label: vscode.l10n.t("Commits"),
  icon: "git-commit",
  things: vscode.l10n.t("commits"),
  empty: vscode.l10n.t("No commits yet"),
  read: async (of, { client, signal }) => {
    const page = await commitsOf(client, of.resource.id, { signal });
    return { rows: page.items.map((commit) => commitRow(of, commit)), hasMore: false, remark: cutText(page) };
  },
};

function commitRow(of: RepositoryRow, commit: Commit): CommitRow {
  const { tenantId } = of;
  const name = nonBlank(commit.name) ?? nonBlank(commit.commitName) ?? String(commit.id ?? "");
  const id = String(commit.id ?? name);
  const resource = {
    type: "commit",
    tenantId,
    id,
    parentId: of.resource.id,
    name: `${of.resource.name} ${name}`,
  } as const;
  return { type: "commit", tenantId, key: `${of.key}/commit/${id}`, commit, of, resource };
}

export const commit: ResourceKind<CommitRow> = {
  type: "commit",
  item: ({ type, commit, resource }) =>
    workItem(type, commit, commitName(commit) ?? resource.id, commit.summary, "git-commit"),
  card: ({ commit, resource }) => workCard({ ...commit, started: commit.started ?? commit.created }, resource),
  details: async ({ client, resource }) => {
    const page = await commitsOf(client, resource.parentId ?? "");
    return workDetails(vscode.l10n.t("Commit"), found(page, resource, cutText), resource);
  },
};

/** The commits of a repository in its details. */
export function commitTable(commits: Page<Commit>, { tenantId, id, name }: PlatformResource): DetailSection {
  return {
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
}

function commitResource(tenantId: string, parentId: string, repositoryName: string, commit: Commit): PlatformResource {
  const label = commit.name ?? commit.commitName ?? String(commit.id ?? "");
  return { type: "commit", tenantId, id: String(commit.id ?? label), parentId, name: `${repositoryName} ${label}` };
}

export const commitRequestsPart: RepositoryPart = {
  label: vscode.l10n.t("Commit Requests"),
  icon: "git-pull-request",
  things: vscode.l10n.t("commit requests"),
  empty: vscode.l10n.t("No commit requests yet"),
  read: async ({ tenantId, key, resource }, { client, signal }) => {
    const page = await commitRequestsOf(client, resource.id, { signal });
    const rows = newestFirst(page.items).map((one) => commitRequestRow(tenantId, key, one));
    return { rows, hasMore: false, remark: cutRequestsText(page) };
  },
};

/** `within` is the key of the parent row, because the same request can be in several lists. */
function commitRequestRow(tenantId: string, within: string, commitRequest: CommitRequest): CommitRequestRow {
  const id = String(commitRequest.id ?? commitRequest.pusherEventId ?? unknownId);
  const name = [commitRequest.repositoryName, commitRequest.commitName].filter(Boolean).join(" ") || id;
  const parentId = commitRequest.repositoryId ?? undefined;
  const resource: PlatformResource = {
    type: "commitRequest",
    tenantId,
    id,
    name,
    ...(parentId === undefined ? {} : { parentId }),
  };
  return { type: "commitRequest", tenantId, key: `${within}/request/${id}`, commitRequest, resource };
}

export const commitRequest: ResourceKind<CommitRequestRow> = {
  type: "commitRequest",
  item: ({ type, commitRequest, resource }) =>
    workItem(type, commitRequest, commitRequest.commitName ?? resource.name, commitRequest.summary),
  card: ({ commitRequest, resource }) => workCard(commitRequest, resource),
  isChanging: ({ commitRequest }) => isUnderWay(commitRequest),
  details: async ({ client, resource }) => {
    const page = await commitRequestsOf(client, resource.parentId ?? "");
    return workDetails(vscode.l10n.t("Commit request"), found(page, resource, cutRequestsText), resource);
  },
};

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

function createdOf(work: Commit | CommitRequest): string | number | undefined {
  const { created } = work;
  return typeof created === "string" || typeof created === "number" ? created : undefined;
}
