import * as vscode from "vscode";
import type { TreeDefinition, TreeParts, TreeRow } from "../../ui/tree/definition.ts";
import { rowsOfKinds } from "../../ui/tree/row-kind.ts";
import { cardReader } from "./card-details.ts";
import { collection, collectionList } from "./rows/collection.ts";
import { filterView, filterViewList } from "./rows/filter-view.ts";
import { hierarchyBranch, page } from "./rows/page.ts";

const kinds = [page, collectionList, collection, filterViewList, filterView];

/** Reads pages and their contents for their documents. */
export const pageReaders = {
  page: page.details,
  collection: collection.details,
  filterView: filterView.details,
  card: cardReader,
};

/** The Pages view: the page hierarchy, and below a page its pages, collections, and saved filter views. */
export function pagesTree(parts: TreeParts): TreeDefinition<TreeRow> {
  return {
    view: "pages",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its pages"),
      filterTitle: vscode.l10n.t("Filter Pages"),
      filterPlaceholder: vscode.l10n.t("Search pages by name"),
      filtered: (filter) => vscode.l10n.t('Pages with "{0}" in their name', filter),
    },
    top: hierarchyBranch,
    ...rowsOfKinds(kinds, undefined, parts),
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
