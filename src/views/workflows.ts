import * as vscode from "vscode";

import type { TreeDefinition, TreeRow } from "./tree/definition.ts";
import type { TreeParts } from "./tree/platform-tree.ts";

/** A row of the Workflows view. */
export interface WorkflowTreeRow extends TreeRow {
  readonly type: "workflow";
}

/** The Workflows view. */
export function workflowsTree(_parts: TreeParts): TreeDefinition<WorkflowTreeRow> {
  return {
    view: "workflows",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its workflows"),
      filterTitle: vscode.l10n.t("Filter Workflows"),
      filterPlaceholder: vscode.l10n.t("Part of a workflow's name"),
      filtered: (filter) => vscode.l10n.t('Workflows with "{0}" in their name', filter),
    },
    top: (tenantId) => ({
      key: "workflows",
      pageSize: 50,
      words: {
        things: vscode.l10n.t("workflows"),
        empty: vscode.l10n.t("No workflows yet"),
        nothingFits: vscode.l10n.t("No workflow has this in its name"),
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
