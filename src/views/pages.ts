import * as vscode from "vscode";
import { readPageTree } from "../api/pages.ts";
import type { TreeDefinition, TreeRow } from "./tree/definition.ts";
import type { TreeParts } from "./tree/platform-tree.ts";

/** A row of the Pages view. */
export interface PageTreeRow extends TreeRow {
  readonly type: "page";
}

/** The Pages view. */
export function pagesTree(_parts: TreeParts): TreeDefinition<PageTreeRow> {
  return {
    view: "pages",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its pages"),
      filterTitle: vscode.l10n.t("Filter Pages"),
      filterPlaceholder: vscode.l10n.t("Part of a page's name"),
      filtered: (filter) => vscode.l10n.t('Pages with "{0}" in their name', filter),
    },
    top: (tenantId) => ({
      key: "pages",
      pageSize: 50,
      words: {
        things: vscode.l10n.t("pages"),
        empty: vscode.l10n.t("No pages yet"),
        nothingFits: vscode.l10n.t("No page has this in its name"),
      },
      read: async ({ client, filter, offset, signal }) => {
        void filter;
        void offset;
        const pages = await readPageTree(client, {}, { signal });
        const rows = pages.map(({ id, title }) => {
          const resource = { type: "page", tenantId, id, name: title } as const;
          return { type: "page", tenantId, key: `page/${id}`, resource } as const;
        });
        return { rows, hasMore: false };
      },
    }),
    below: () => undefined,
    item: ({ resource }) => new vscode.TreeItem(resource?.name ?? "", vscode.TreeItemCollapsibleState.None),
  };
}
