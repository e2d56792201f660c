import * as vscode from "vscode";
import type { Design } from "../api/models/designs.ts";
import { listDesigns } from "../api/operations/designs.ts";
import { pageSizeOf } from "../api/paging.ts";
import type { TreeDefinition, TreeRow } from "./tree/definition.ts";
import type { TreeParts } from "./tree/platform-tree.ts";

/** A row of the App Designs view. */
export interface DesignTreeRow extends TreeRow {
  readonly type: "design";
  readonly design: Design;
}

/** The App Designs view: the tenant's app designs, searched by the server. */
export function designsTree(_parts: TreeParts): TreeDefinition<DesignTreeRow> {
  return {
    view: "designs",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its app designs"),
      filterTitle: vscode.l10n.t("Filter App Designs"),
      filterPlaceholder: vscode.l10n.t("Part of a design's name"),
      filtered: (filter) => vscode.l10n.t('App designs with "{0}" in their name', filter),
    },
    top: (tenantId) => ({
      key: "designs",
      pageSize: pageSizeOf(listDesigns),
      words: {
        things: vscode.l10n.t("app designs"),
        empty: vscode.l10n.t("No app designs yet"),
        nothingFits: vscode.l10n.t("No app design has this in its name"),
      },
      read: async ({ client, filter, offset, signal }) => {
        const limit = pageSizeOf(listDesigns);
        const designs = await client.call(listDesigns, { search: filter, limit, offset }, { signal });
        const rows = designs.map((design): DesignTreeRow => {
          const name = design.name ?? vscode.l10n.t("Unnamed app design");
          const resource = { type: "design", tenantId, id: design.id, name } as const;
          return { type: "design", tenantId, key: `design/${design.id}`, design, resource };
        });
        return { rows, hasMore: designs.length >= limit };
      },
    }),
    below: () => undefined,
    item: ({ resource }) => new vscode.TreeItem(resource?.name ?? "", vscode.TreeItemCollapsibleState.None),
  };
}
