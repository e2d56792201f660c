import * as vscode from "vscode";
import type { TreeDefinition, TreeParts, TreeRow } from "../../ui/tree/definition.ts";
import { rowsOfKinds } from "../../ui/tree/row-kind.ts";
import { appAccess, appCard, appPrincipal, appsBranch, appView, appViews, studioApp } from "./rows.ts";

/** Reads apps for their documents. */
export const appStudioReaders = { studioApp: studioApp.details };

/** The App Studio view: the tenant's apps, and below each its views with their cards, and who has access. */
export function appStudioTree(parts: TreeParts): TreeDefinition<TreeRow> {
  return {
    view: "apps",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its App Studio apps"),
      filterTitle: vscode.l10n.t("Filter App Studio Apps"),
      filterPlaceholder: vscode.l10n.t("Search App Studio apps by name"),
      filtered: (filter) => vscode.l10n.t('App Studio apps with "{0}" in their name', filter),
    },
    top: appsBranch,
    ...rowsOfKinds([studioApp, appViews, appAccess, appView, appCard, appPrincipal], undefined, parts),
  };
}
