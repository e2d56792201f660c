import * as vscode from "vscode";
import { updateVersionDefinition } from "../../api/catalogue/operations/workflow-changes.ts";
import { getVersionDefinition, getWorkflow } from "../../api/catalogue/operations/workflows.ts";
import { readDesign } from "../../api/families/workflow-definition.ts";
import { versionsOf } from "../../api/families/workflow-facts.ts";
import { documentUri } from "../../ui/documents/document-address.ts";
import type { JsonObject } from "../../ui/documents/json-object.ts";
import { JsonObjectDocuments } from "../../ui/documents/json-object-documents.ts";
import { versionName } from "../../ui/format/labels.ts";
import type { ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import type { ChosenWorkflow } from "./choice.ts";

type ChosenVersion = ChosenWorkflow & { readonly version: string };

/** Opens the definition of a draft version as JSON. Throws if the version is released, because it can't be changed. */
export async function editDefinition(chosen: ChosenVersion): Promise<void> {
  const { client, tenantId, modelId, name, version } = chosen;
  const shown = versionName(name, version);
  const known = versionsOf(await client.call(getWorkflow, { modelId })).find((one) => one.version === version);
  if (known !== undefined && known.state !== "draft") {
    throw new Error(
      vscode.l10n.t(
        "{0} is released, so its definition can't be changed. Create a new version of the workflow.",
        shown,
      ),
    );
  }
  await vscode.window.showTextDocument(definitionUri({ tenantId, modelId, name, version }), { preview: false });
}

export function definitionUri({
  tenantId,
  modelId,
  name,
  version,
}: Pick<ChosenVersion, "tenantId" | "modelId" | "name" | "version">): vscode.Uri {
  const key = [modelId, version].map(encodeURIComponent).join("/");
  const title = vscode.l10n.t("{0} (definition).json", versionName(name, version));
  return documentUri({ kind: "workflow-definition", tenantId, workspaceId: "", key, title });
}

/** Definitions of draft versions as documents that are sent when saved. */
export function definitionDocuments(
  connections: Pick<ResourceChoiceParts["connections"], "platform">,
): JsonObjectDocuments {
  return new JsonObjectDocuments({
    fetch: async ({ tenantId, key }) => (await connections.platform(tenantId)).call(getVersionDefinition, idsOf(key)),
    question: ({ title }, now, mine) => ({
      question: vscode.l10n.t("Replace the definition {0}?", title),
      lines: [vscode.l10n.t("Steps now: {0}", stepsOf(now)), vscode.l10n.t("Steps afterward: {0}", stepsOf(mine))],
    }),
    replace: async ({ tenantId, key }, mine) =>
      (await connections.platform(tenantId)).call(updateVersionDefinition, { ...idsOf(key), body: { ...mine } }),
  });
}

function stepsOf(definition: JsonObject): number {
  const { designElements } = definition;
  return readDesign({ designElements: Array.isArray(designElements) ? designElements : [] }).steps.length;
}

function idsOf(key: string): { readonly modelId: string; readonly version: string } {
  const [modelId = "", version = ""] = key.split("/").map(decodeURIComponent);
  return { modelId, version };
}
