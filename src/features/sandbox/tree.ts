import * as vscode from "vscode";
import type { TreeDefinition, TreeParts, TreeRow } from "../../ui/tree/definition.ts";
import { rowsOfKinds } from "../../ui/tree/row-kind.ts";
import { instance, permission } from "./rows/access.ts";
import { commit, commitRequest } from "./rows/commit.ts";
import { contentItem, contentKind } from "./rows/content.ts";
import { deployment } from "./rows/deployment.ts";
import { repositoryPart } from "./rows/part.ts";
import { promotion } from "./rows/promotion.ts";
import { repositoriesBranch, repository, sharedRepositories } from "./rows/repository.ts";
import type { PinnedRepositories } from "./source-control/pinned-repositories.ts";

const kinds = [
  ...[repository, sharedRepositories, repositoryPart, contentKind, contentItem, commit, commitRequest],
  ...[promotion, deployment, instance, permission],
];

/** Reads repositories and their history for their documents. */
export const sandboxReaders = {
  repository: repository.details,
  commit: commit.details,
  commitRequest: commitRequest.details,
  promotion: promotion.details,
  deployment: deployment.details,
};

/** The Sandbox view: repositories, and below each its content, history, deployments, and permissions. */
export function sandboxTree(parts: TreeParts, pinned: PinnedRepositories): TreeDefinition<TreeRow> {
  return {
    view: "sandbox",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its repositories"),
      filterTitle: vscode.l10n.t("Filter Repositories"),
      filterPlaceholder: vscode.l10n.t("Search repositories by name"),
      filtered: (filter) => vscode.l10n.t('Repositories with "{0}" in their name', filter),
    },
    top: (tenantId) => repositoriesBranch(tenantId, false),
    ...rowsOfKinds(kinds, pinned, parts),
  };
}
