import * as vscode from "vscode";
import type { TreeDefinition, TreeParts, TreeRow } from "../../ui/tree/definition.ts";
import { rowsOfKinds } from "../../ui/tree/row-kind.ts";
import { functionPackage, packageFunction, packagesBranch, packageVersion } from "./rows.ts";

/** Reads packages and versions for their documents. */
export const codeEngineReaders = { functionPackage: functionPackage.details, packageVersion: packageVersion.details };

/** The Code Engine view: the tenant's packages, and below each its versions with their functions. */
export function codeEngineTree(parts: TreeParts): TreeDefinition<TreeRow> {
  return {
    view: "functions",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its code engine packages"),
      filterTitle: vscode.l10n.t("Filter Code Engine Packages"),
      filterPlaceholder: vscode.l10n.t("Search code engine packages by name"),
      filtered: (filter) => vscode.l10n.t('Code engine packages with "{0}" in their name', filter),
    },
    top: packagesBranch,
    ...rowsOfKinds([functionPackage, packageVersion, packageFunction], undefined, parts),
  };
}
