import * as vscode from "vscode";

import type { TreeDefinition, TreeRow } from "./tree/definition.ts";
import type { TreeParts } from "./tree/platform-tree.ts";

/** A row of the Repositories view. */
export interface RepositoryTreeRow extends TreeRow {
  readonly type: "repository";
}

/** The Repositories view. */
export function sandboxTree(_parts: TreeParts): TreeDefinition<RepositoryTreeRow> {
  return {
    view: "sandbox",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its repositories"),
      filterTitle: vscode.l10n.t("Filter Repositories"),
      filterPlaceholder: vscode.l10n.t("Part of a repository's name"),
      filtered: (filter) => vscode.l10n.t('Repositories with "{0}" in their name', filter),
    },
    top: (tenantId) => ({
      key: "sandbox",
      pageSize: 50,
      words: {
        things: vscode.l10n.t("repositories"),
        empty: vscode.l10n.t("No repositories yet"),
        nothingFits: vscode.l10n.t("No repository has this in its name"),
      },
      read: async ({ client, filter, offset, signal }) => {
        void [client, filter, offset, signal, tenantId];
        return { rows: [], hasMore: false };
      },
    }),
    below: () => undefined,
    item: ({ resource }) => new vscode.TreeItem(resource?.name ?? "", vscode.TreeItemCollapsibleState.None),
  };
}
