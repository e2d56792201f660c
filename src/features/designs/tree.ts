import * as vscode from "vscode";
import type { Branch, TreeDefinition, TreeParts } from "../../ui/tree/definition.ts";
import { designFileUri } from "./files.ts";
import { askForDesignFilter, filterMessage } from "./filter-form.ts";
import { designCard, designItem } from "./items.ts";
import { cardsBranch, designsBranch, filesBranch, ownersBranch, versionsBranch } from "./lists.ts";
import { type DesignTreeRow, partLists } from "./rows.ts";

/** The App Designs view: designs, and below each its versions with their files, its owners, and its cards. */
export function designsTree(parts: TreeParts): TreeDefinition<DesignTreeRow> {
  return {
    view: "designs",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its app designs"),
      filterTitle: vscode.l10n.t("Filter App Designs"),
      filterPlaceholder: vscode.l10n.t("Search app designs by name"),
      filtered: filterMessage,
    },
    askForFilter: askForDesignFilter,
    top: designsBranch,
    below,
    item: designItem,
    card: (row, signal) => designCard(parts, row, signal),
    open: (row) =>
      row.type === "designFile"
        ? { command: "vscode.open", title: vscode.l10n.t("Open"), arguments: [designFileUri(row), { preview: true }] }
        : undefined,
  };
}

function below(row: DesignTreeRow): readonly DesignTreeRow[] | Branch<DesignTreeRow> | undefined {
  switch (row.type) {
    case "design":
      return partLists(row);
    case "designVersions":
      return versionsBranch(row.of);
    case "designOwners":
      return ownersBranch(row.of);
    case "designCards":
      return cardsBranch(row.of);
    case "designVersion":
      return filesBranch(row);
    case "designFolder":
      return row.below;
    case "designOwner":
    case "designCard":
    case "designFile":
      return undefined;
  }
}
