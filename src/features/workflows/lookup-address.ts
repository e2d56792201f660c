import * as vscode from "vscode";
import { documentUri } from "../../ui/documents/document-address.ts";
import { versionLabel, versionName } from "../../ui/format/labels.ts";
import type { WorkflowLookup } from "./lookup.ts";

/** The document of a lookup. */
export function lookupUri(tenantId: string, lookup: WorkflowLookup): vscode.Uri {
  const title = vscode.l10n.t("{0}.md", lookupName(lookup));
  return documentUri({ kind: "workflow-lookup", tenantId, workspaceId: "", key: JSON.stringify(lookup), title });
}

/** What a lookup is called in a tab. */
export function lookupName(lookup: WorkflowLookup): string {
  const { modelName } = lookup;
  if (lookup.type === "form") {
    return vscode.l10n.t("Start form of {0}", versionName(modelName, lookup.version));
  }
  return lookup.versions.length === 0
    ? vscode.l10n.t("Triggers of {0}", modelName)
    : vscode.l10n.t("Triggers of {0} {1}", modelName, lookup.versions.map(versionLabel).join(", "));
}
