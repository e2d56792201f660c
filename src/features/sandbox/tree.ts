import * as vscode from "vscode";
import type { Branch, TreeDefinition, TreeParts } from "../../ui/tree/definition.ts";
import { sandboxCard, sandboxItem } from "./items.ts";
import { contentBranch, partBranch, repositoriesBranch } from "./lists.ts";
import { partRows, type SandboxTreeRow } from "./rows.ts";
import type { PinnedRepositories } from "./source-control/pinned-repositories.ts";
import { isUnderWay } from "./states.ts";

/** The Sandbox view: repositories, and below each its content, history, deployments, and permissions. */
export function sandboxTree(parts: TreeParts, pinned: PinnedRepositories): TreeDefinition<SandboxTreeRow> {
  return {
    view: "sandbox",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its repositories"),
      filterTitle: vscode.l10n.t("Filter Repositories"),
      filterPlaceholder: vscode.l10n.t("Search repositories by name"),
      filtered: (filter) => vscode.l10n.t('Repositories with "{0}" in their name', filter),
    },
    top: (tenantId) => repositoriesBranch(tenantId, false),
    below,
    item: (row) => sandboxItem(row, (repository) => pinned.has(repository)),
    card: (row, signal) => sandboxCard(parts, row, signal),
    isChanging: (row) => {
      switch (row.type) {
        case "repository": {
          const last = row.repository.lastCommit ?? undefined;
          return last !== undefined && isUnderWay(last);
        }
        case "commitRequest":
          return isUnderWay(row.commitRequest);
        case "promotion":
          return isUnderWay(row.promotion);
        default:
          return false;
      }
    },
  };
}

function below(row: SandboxTreeRow): readonly SandboxTreeRow[] | Branch<SandboxTreeRow> | undefined {
  switch (row.type) {
    case "repository":
      return partRows(row);
    case "sharedRepositories":
      return repositoriesBranch(row.tenantId, true);
    case "repositoryPart":
      return partBranch(row);
    case "contentKind":
      return contentBranch(row);
    default:
      return undefined;
  }
}
