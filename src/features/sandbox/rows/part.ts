import type { TreeRow } from "../../../ui/tree/definition.ts";
import type { RowKind } from "../../../ui/tree/row-kind.ts";
import { listBranch, listItem } from "../../../ui/tree/row-list.ts";
import { accessPart, permissionsPart } from "./access.ts";
import { commitRequestsPart, commitsPart } from "./commit.ts";
import { contentPart } from "./content.ts";
import { deploymentsPart } from "./deployment.ts";
import { promotionsPart } from "./promotion.ts";
import type { RepositoryPart, RepositoryRow } from "./repository-row.ts";

/** The lists below a repository by the names in their keys and context values. */
const parts: Readonly<Record<string, RepositoryPart>> = {
  content: contentPart,
  commits: commitsPart,
  commitRequests: commitRequestsPart,
  promotions: promotionsPart,
  deployments: deploymentsPart,
  access: accessPart,
  permissions: permissionsPart,
};

interface RepositoryPartRow extends TreeRow {
  readonly type: "repositoryPart";
  readonly name: string;
  readonly part: RepositoryPart;
  readonly of: RepositoryRow;
}

/** The lists below a repository. For a repository of another instance, access and permissions are unknown. */
export function partRows(of: RepositoryRow): readonly RepositoryPartRow[] {
  const { tenantId, key, isShared } = of;
  return Object.entries(parts)
    .filter(([, { isOwn = false }]) => !(isShared && isOwn))
    .map(([name, part]) => ({ type: "repositoryPart", tenantId, key: `${key}/${name}`, name, part, of }));
}

export const repositoryPart: RowKind<RepositoryPartRow> = {
  type: "repositoryPart",
  item: ({ name, part, of }) => ({
    ...listItem(part, of),
    contextValue: `repositoryPart.${name}${of.isShared ? ".shared" : ""}`,
  }),
  below: ({ part, of, key }) => listBranch(part, of, key),
};
