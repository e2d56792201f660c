import * as vscode from "vscode";
import type { Repository } from "../../../api/catalogue/models/sandbox.ts";
import { getRepository } from "../../../api/catalogue/operations/sandbox.ts";
import { nonBlank } from "../../../ui/format/labels.ts";
import { type PlatformResource, unknownId } from "../../../ui/resources/resource.ts";
import type { PageRequest, TreeRow } from "../../../ui/tree/definition.ts";
import type { RowList } from "../../../ui/tree/row-list.ts";

export interface RepositoryRow extends TreeRow {
  readonly type: "repository";
  readonly repository: Repository;
  /** True if another instance owns the repository and shares it with this one. */
  readonly isShared: boolean;
  readonly resource: PlatformResource;
}

/** The row of a repository. */
export function repositoryRow(tenantId: string, repository: Repository, isShared: boolean): RepositoryRow {
  const id = repository.id ?? unknownId;
  const name = nonBlank(repository.name) ?? vscode.l10n.t("Unnamed repository");
  const resource = { type: "repository", tenantId, id, name } as const;
  return { type: "repository", tenantId, key: `repository/${id}`, repository, isShared, resource };
}

/** A list below a repository. */
export interface RepositoryPart extends RowList<RepositoryRow> {
  /** True if it is unknown for a repository of another instance. */
  readonly isOwn?: true;
}

/** The repository in a separate read, which includes the content that the search may omit. */
export async function freshRow(of: RepositoryRow, { client, signal }: PageRequest): Promise<RepositoryRow> {
  const repository: Repository = await client.call(getRepository, { repositoryId: of.resource.id }, { signal });
  return repositoryRow(of.tenantId, { ...repository, id: of.resource.id }, of.isShared);
}
