import * as vscode from "vscode";
import type { TreeDefinition, TreeParts } from "../../ui/tree/definition.ts";
import { pageCard, pageItem } from "./items.ts";
import { collectionsBranch, filterViewsBranch, hierarchyBranch } from "./lists.ts";
import { type PageTreeRow, rowsBelow } from "./rows.ts";

/** The Pages view: the page hierarchy, and below a page its pages, collections, and saved filter views. */
export function pagesTree({ registry }: TreeParts): TreeDefinition<PageTreeRow> {
  return {
    view: "pages",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its pages"),
      filterTitle: vscode.l10n.t("Filter Pages"),
      filterPlaceholder: vscode.l10n.t("Search pages by name"),
      filtered: (filter) => vscode.l10n.t('Pages with "{0}" in their name', filter),
    },
    top: hierarchyBranch,
    below: (row) => {
      switch (row.type) {
        case "page":
          return rowsBelow(row);
        case "pageCollections":
          return collectionsBranch(row);
        case "pageFilterViews":
          return filterViewsBranch(row);
        case "collection":
        case "filterView":
          return undefined;
      }
    },
    item: pageItem,
    card: (row) => pageCard(row, registry),
    dragAndDrop: {
      canDrag: (rows) => rows.length > 0 && rows.every(({ type }) => type === "page"),
      drop: async (rows, target) => {
        if (target === undefined || target.type === "page") {
          const pages = rows.flatMap((row) => row.resource ?? []);
          // The editor waits for the drop, so the drop must not wait for a confirmation.
          void vscode.commands.executeCommand("platformWorkbench.dropPages", { pages, target: target?.resource });
        }
      },
    },
  };
}
