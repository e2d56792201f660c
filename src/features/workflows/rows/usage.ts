import * as vscode from "vscode";
import { getVersionDefinition } from "../../../api/catalogue/operations/workflows.ts";
import { readDesign } from "../../../api/families/workflow-definition.ts";
import { packageNames, readUsingWorkflows, type UsingWorkflow } from "../../../api/families/workflow-facts.ts";
import { versionLabel } from "../../../ui/format/labels.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { type PageRequest, singlePageBranch } from "../../../ui/tree/definition.ts";
import type { RowKind } from "../../../ui/tree/row-kind.ts";
import type { OfWorkflow, WorkflowGroup, WorkflowGroupRow } from "./workflow-row.ts";

/** A function that the workflow calls. */
interface UsedFunctionRow extends OfWorkflow {
  readonly type: "usedFunction";
  readonly packageId: string;
  readonly packageName: string;
  readonly functionName: string;
}

/** Another workflow that calls the same function. */
interface UsingWorkflowRow extends OfWorkflow {
  readonly type: "usingWorkflow";
  readonly using: UsingWorkflow;
  /** Undefined for an entry of an unknown format. */
  readonly resource?: PlatformResource;
}

export const usageGroup: WorkflowGroup = {
  label: vscode.l10n.t("Usage"),
  icon: "references",
  things: vscode.l10n.t("functions"),
  empty: vscode.l10n.t("No functions"),
  read: readUsedFunctions,
};

/** The functions that the active version calls, or the newest version if none is active. */
async function readUsedFunctions(
  { tenantId, modelId, modelName, versions }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<readonly UsedFunctionRow[]> {
  const version = (versions.find(({ state }) => state === "active") ?? versions[0])?.version;
  if (version === undefined) {
    return [];
  }
  const { steps } = readDesign(await client.call(getVersionDefinition, { modelId, version }, { signal }));
  const called = new Map(steps.flatMap(({ calls }) => (calls === undefined ? [] : [[calls.packageId, calls]])));
  const names = await packageNames(client, steps, { signal });
  return [...called.values()].map(({ packageId, functionName }) => ({
    type: "usedFunction",
    tenantId,
    key: `workflow/${modelId}/function/${packageId}`,
    modelId,
    modelName,
    packageId,
    functionName,
    packageName: names.get(packageId) ?? packageId,
  }));
}

export const usedFunction: RowKind<UsedFunctionRow> = {
  type: "usedFunction",
  item: ({ packageName, functionName }) => ({
    label: packageName,
    description: functionName,
    icon: "symbol-function",
    state: vscode.TreeItemCollapsibleState.Collapsed,
  }),
  below: (row) =>
    singlePageBranch({
      key: row.key,
      things: vscode.l10n.t("workflows"),
      empty: vscode.l10n.t("No workflows use it"),
      read: (request) => readUsingRows(row, request),
    }),
};

/** The workflows that call a function. */
async function readUsingRows(
  { tenantId, modelId, modelName, packageId, key }: UsedFunctionRow,
  { client, signal }: PageRequest,
): Promise<readonly UsingWorkflowRow[]> {
  const using = await readUsingWorkflows(client, packageId, { signal });
  return using.map((one) => ({
    type: "usingWorkflow",
    tenantId,
    key: `${key}/${one.modelId ?? one.name}`,
    modelId,
    modelName,
    using: one,
    ...(one.modelId === undefined
      ? {}
      : { resource: { type: "workflow", tenantId, id: one.modelId, name: one.name } as const }),
  }));
}

export const usingWorkflow: RowKind<UsingWorkflowRow> = {
  type: "usingWorkflow",
  item: ({ using: { name, version }, resource }) => ({
    label: name,
    description: version === undefined ? "" : versionLabel(version),
    icon: resource === undefined ? "question" : "type-hierarchy",
  }),
};
