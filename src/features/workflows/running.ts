import * as vscode from "vscode";
import { cancelExecution, runTrigger, startWorkflow } from "../../api/catalogue/operations/workflow-runs.ts";
import { getWorkflow, getWorkflowVersion } from "../../api/catalogue/operations/workflows.ts";
import { versionsOf } from "../../api/families/workflow-facts.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { orOnWebPage } from "../../ui/commands/web-page-offer.ts";
import { versionName } from "../../ui/format/labels.ts";
import { namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { askForValues, type TypedValues, valueLines } from "../../ui/quick-input/typed-values.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import type { TreesOf } from "../../ui/tree/lazy-trees.ts";
import { type ChosenWorkflow, chooseExecution, chooseWorkflow } from "./choice.ts";
import { workflowLists, workflowRows } from "./rows/workflow-row.ts";
import { startFields } from "./start-values.ts";
import { executionName } from "./words.ts";

type RunParts = ResourceChoiceParts & { readonly trees: TreesOf<"workflows"> };

/**
 * Runs a version of a workflow by its manual trigger, or by its start message if it has none. Asks for the values of
 * its start form, and confirms with the version and the values.
 */
export async function runChosenWorkflow(parts: RunParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Run Workflow");
  const workflow = await chooseWorkflow(parts, run, argument, title);
  const { client, tenantId, modelId, name } = workflow;
  const named = namedResource(argument);
  const version = named?.type === "workflowVersion" ? named.id : await versionToRun(workflow);
  const triggerId = (await client.call(getWorkflowVersion, { modelId, version })).manualTriggerId ?? undefined;
  const shown = versionName(name, version);
  const values = await askForValues(`${title} · ${shown}`, await startFields(client, { modelId, version, triggerId }));
  await confirm({
    question: vscode.l10n.t("Run {0}?", shown),
    touched: valueLines(values),
    consequence: vscode.l10n.t(
      "Its steps can change data, send messages, and ask people. What they do can't be undone.",
    ),
    action: vscode.l10n.t("Run"),
  });
  const page: PlatformResource = { type: "workflowVersion", tenantId, id: version, parentId: modelId, name: shown };
  const started = await orOnWebPage(parts.connections, client, page, {
    operations: [runTrigger, startWorkflow],
    work: () => start(workflow, version, triggerId, values),
  });
  if (started.isOnWebPage) {
    return;
  }
  const id = started.value;
  await parts.trees.workflows.refreshLists(tenantId, workflowLists.group(modelId, "executions"));
  await parts.trees.workflows.reveal(tenantId, ...workflowRows.execution(modelId, id));
  const show = vscode.l10n.t("Show Execution");
  void showInformation(vscode.l10n.t("Started {0}.", shown), show).then(async (chosen) => {
    if (chosen === show) {
      const execution: PlatformResource = {
        type: "execution",
        tenantId,
        id,
        parentId: modelId,
        name: executionName(name, { startedAt: new Date().toISOString() }, vscode.env.language),
      };
      await vscode.commands.executeCommand("platformWorkbench.showDetails", execution);
    }
  });
}

/** Starts the version. Resolves with the id of the execution. */
async function start(
  { client, modelId, name }: ChosenWorkflow,
  version: string,
  triggerId: string | undefined,
  values: TypedValues,
): Promise<string> {
  const { id } =
    triggerId === undefined
      ? await client.call(startWorkflow, {
          body: { messageName: `Start ${name}`, modelId, version, data: { ...values } },
        })
      : await client.call(runTrigger, { triggerId, body: { ...values } });
  return id ?? "";
}

/** The active version of a workflow, or its newest released one. Throws an error if there is none. */
async function versionToRun({ client, modelId, name }: ChosenWorkflow): Promise<string> {
  const versions = versionsOf(await client.call(getWorkflow, { modelId }));
  const found = versions.find(({ state }) => state === "active") ?? versions.find(({ state }) => state === "released");
  if (found === undefined) {
    throw new Error(
      versions.length === 0
        ? vscode.l10n.t("Can't run {0}: it has no versions yet. Create a version first.", name)
        : vscode.l10n.t("Can't run {0}: none of its versions is released. Release a version first.", name),
    );
  }
  return found.version;
}

/** Cancels an execution after a confirmation. */
export async function cancelChosenExecution(parts: RunParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Cancel Execution");
  const { tenantId, modelId, id, name } = await chooseExecution(parts, run, argument, title);
  const client = await parts.connections.platform(tenantId);
  await confirm({
    question: vscode.l10n.t("Cancel the execution {0}?", name),
    consequence: vscode.l10n.t("Its next steps don't run. What its steps have done so far is not undone."),
    action: vscode.l10n.t("Cancel Execution"),
  });
  const page: PlatformResource = { type: "execution", tenantId, id, parentId: modelId, name };
  const canceled = await orOnWebPage(parts.connections, client, page, {
    operations: [cancelExecution],
    work: () => client.call(cancelExecution, { executionId: id }),
  });
  if (!canceled.isOnWebPage) {
    await parts.trees.workflows.refreshLists(tenantId, workflowLists.group(modelId, "executions"));
  }
}
