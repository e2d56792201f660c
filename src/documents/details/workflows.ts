import * as vscode from "vscode";
import { getExecution, getWorkflow } from "../../api/operations/workflows.ts";
import type { DetailsReader } from "./details.ts";
import { plainDetails } from "./fields.ts";

/** Reads workflows and what belongs to them for their documents. */
export const workflowReaders = {
  workflow: async ({ client, resource }) =>
    plainDetails(vscode.l10n.t("Workflow"), await client.call(getWorkflow, { modelId: resource.id })),
  execution: async ({ client, resource }) =>
    plainDetails(vscode.l10n.t("Execution"), await client.call(getExecution, { executionId: resource.id })),
} satisfies Record<string, DetailsReader>;
