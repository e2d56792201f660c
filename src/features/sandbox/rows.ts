import * as vscode from "vscode";
import type { Commit, CommitRequest, Promotion, Repository } from "../../api/catalogue/models/sandbox.ts";
import { contentTypeOf } from "../../api/families/repository-content.ts";
import { nonBlank, sentenceWords } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import type { TreeRow } from "../../ui/tree/definition.ts";

export interface RepositoryRow extends TreeRow {
  readonly type: "repository";
  readonly repository: Repository;
  /** True if another instance owns the repository and shares it with this one. */
  readonly isShared: boolean;
  readonly resource: PlatformResource;
}

/** The repositories of other instances, below this instance's own. */
interface SharedRepositoriesRow extends TreeRow {
  readonly type: "sharedRepositories";
}

const repositoryParts = [
  "content",
  "commits",
  "commitRequests",
  "promotions",
  "deployments",
  "access",
  "permissions",
] as const;
export type RepositoryPart = (typeof repositoryParts)[number];

/** One of the lists below a repository. */
export interface RepositoryPartRow extends TreeRow {
  readonly type: "repositoryPart";
  readonly part: RepositoryPart;
  readonly of: RepositoryRow;
}

/** The content of one kind in a repository. */
export interface ContentKindRow extends TreeRow {
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

export interface CommitRow extends TreeRow {
  readonly type: "commit";
  readonly commit: Commit;
  readonly of: RepositoryRow;
  readonly resource: PlatformResource;
}

export interface CommitRequestRow extends TreeRow {
  readonly type: "commitRequest";
  readonly commitRequest: CommitRequest;
  readonly resource: PlatformResource;
}

export interface PromotionRow extends TreeRow {
  readonly type: "promotion";
  readonly promotion: Promotion;
  /** The domain of the target instance, if the repository still has that deployment. */
  readonly target: string | undefined;
  readonly resource: PlatformResource;
}

interface DeploymentRow extends TreeRow {
  readonly type: "deployment";
  readonly domain: string;
  readonly of: RepositoryRow;
  readonly resource: PlatformResource;
}

/** An instance that has access. */
interface InstanceRow extends TreeRow {
  readonly type: "instance";
  readonly domain: string;
}

/** A permission of a user or group. */
export interface RepositoryPermissionRow extends TreeRow {
  readonly type: "repositoryPermission";
  readonly who: "USER" | "GROUP";
  readonly id: string;
  readonly name: string;
  readonly permission: string;
  readonly of: RepositoryRow;
}

/** A row of the Sandbox view. */
export type SandboxTreeRow =
  | RepositoryRow
  | SharedRepositoriesRow
  | RepositoryPartRow
  | ContentKindRow
  | ContentItemRow
  | CommitRow
  | CommitRequestRow
  | PromotionRow
  | DeploymentRow
  | InstanceRow
  | RepositoryPermissionRow;

/** The row of a repository. */
export function repositoryRow(tenantId: string, repository: Repository, isShared: boolean): RepositoryRow {
  const { id } = repository;
  const name = nonBlank(repository.name) ?? vscode.l10n.t("Unnamed repository");
  const resource = { type: "repository", tenantId, id, name } as const;
  return { type: "repository", tenantId, key: `repository/${id}`, repository, isShared, resource };
}

/** The lists below a repository. For a repository of another instance, access and permissions are unknown. */
export function partRows(of: RepositoryRow): readonly RepositoryPartRow[] {
  const parts = of.isShared
    ? repositoryParts.filter((part) => part !== "access" && part !== "permissions")
    : repositoryParts;
  return parts.map((part) => ({
    type: "repositoryPart",
    tenantId: of.tenantId,
    key: partKey(of, part),
    part,
    of,
  }));
}

export function partKey({ key }: Pick<RepositoryRow, "key">, part: RepositoryPart): string {
  return `${key}/${part}`;
}

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

/** The content items of one kind by name; items without a name by kind and id. */
export function contentItemRows(
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

export function commitRow(of: RepositoryRow, commit: Commit): CommitRow {
  const { tenantId } = of;
  const name = nonBlank(commit.name) ?? nonBlank(commit.commitName) ?? String(commit.id ?? "");
  const id = String(commit.id ?? name);
  const resource = {
    type: "commit",
    tenantId,
    id,
    parentId: of.repository.id,
    name: `${of.resource.name} ${name}`,
  } as const;
  return { type: "commit", tenantId, key: `${of.key}/commit/${id}`, commit, of, resource };
}

/** `within` is the key of the parent row, because the same request can be in several lists. */
export function commitRequestRow(tenantId: string, within: string, commitRequest: CommitRequest): CommitRequestRow {
  const id = String(commitRequest.id ?? commitRequest.pusherEventId ?? "?");
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

export function promotionRow({ tenantId, key, repository }: RepositoryRow, promotion: Promotion): PromotionRow {
  const id = String(promotion.id ?? promotion.pusherEventId ?? "?");
  const name = [promotion.repositoryName, promotion.commitName].filter(Boolean).join(" ") || id;
  const resource = { type: "promotion", tenantId, id, name } as const;
  const target = repository.deployments?.find((one) => one.id === promotion.deploymentId)?.domain ?? undefined;
  return { type: "promotion", tenantId, key: `${key}/promotion/${id}`, promotion, target, resource };
}

export function deploymentRows(of: RepositoryRow): readonly DeploymentRow[] {
  const { tenantId } = of;
  return (of.repository.deployments ?? []).map(({ id, domain }): DeploymentRow => {
    const instance = nonBlank(domain) ?? vscode.l10n.t("unknown instance");
    const deploymentId = id ?? "?";
    const name = vscode.l10n.t("{0} on {1}", of.resource.name, instance);
    const resource = { type: "deployment", tenantId, id: deploymentId, parentId: of.repository.id, name } as const;
    return {
      type: "deployment",
      tenantId,
      key: `${of.key}/deployment/${deploymentId}`,
      domain: instance,
      of,
      resource,
    };
  });
}
