import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Trigger } from "../../api/catalogue/models/workflows.ts";
import { createTrigger, deleteTrigger, listTriggerTypes } from "../../api/catalogue/operations/triggers.ts";
import { getWorkflow } from "../../api/catalogue/operations/workflows.ts";
import { versionsOf } from "../../api/families/workflow-facts.ts";
import { createTimerTrigger, readTimer } from "../../api/families/workflows.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { withProgressIn } from "../../ui/commands/progress.ts";
import { detailsUri } from "../../ui/details/details-address.ts";
import { runTime } from "../../ui/format/dates.ts";
import { currentTenant, namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import type { TreesOf } from "../../ui/tree/lazy-trees.ts";
import { treeCommands } from "../../ui/tree/tree-commands.ts";
import { workflowAccessCommands } from "./access-changes.ts";
import { chooseExecution, chooseTrigger, chooseVersion, chooseWorkflow } from "./choice.ts";
import { createVersionByForm, createWorkflowByForm } from "./creation.ts";
import type { WorkflowsCommandId } from "./declarations.ts";
import { deleteChosenWorkflow } from "./deletion.ts";
import { findUsing } from "./function-usage.ts";
import { attachedTriggers, startForm } from "./lookup-details.ts";
import { askForForm, askForTriggers } from "./lookup-forms.ts";
import type { LazyPanels } from "./panels/lazy-panels.ts";
import { workflowLists, workflowRows } from "./rows/workflow-row.ts";
import { cancelChosenExecution, runChosenWorkflow } from "./running.ts";
import { timerUser } from "./timer-user.ts";
import { askForTrigger } from "./trigger-form.ts";
import { editTrigger } from "./trigger-replacement.ts";
import { versionChangeCommands } from "./version-changes.ts";
import { timerOf } from "./words.ts";

interface WorkflowCommandParts extends ResourceChoiceParts {
  readonly trees: TreesOf<"workflows">;
  readonly panels: Pick<LazyPanels, "load">;
  /** Stores the zone of the last timer. */
  readonly state: vscode.Memento;
}

const zoneKey = "timerZone";
const triggerRow = z.looseObject({
  type: z.literal("trigger"),
  resource: z.looseObject({ id: z.string(), name: z.string() }),
  trigger: z.looseObject({ modelVersion: z.string() }),
});

/** The workflow commands of rows and the palette. */
export function workflowCommands(services: WorkflowCommandParts): CommandHandlers<WorkflowsCommandId> {
  const { workflows } = services.trees;
  const parts = { ...services, connections: withProgressIn(workflows, services.connections) };
  return {
    ...treeCommands("Workflows", workflows),
    ...versionChangeCommands(parts),
    ...workflowAccessCommands(parts),
    "platformWorkbench.editTrigger": (run, argument) => editTrigger(parts, run, argument),
    "platformWorkbench.runWorkflow": (run, argument) => runChosenWorkflow(parts, run, argument),
    "platformWorkbench.cancelExecution": (run, argument) => cancelChosenExecution(parts, run, argument),
    "platformWorkbench.createWorkflow": async (run) => {
      const tenant = currentTenant(parts.registry);
      run.setErrorContext({ tenantId: tenant.id });
      const client = await parts.connections.platform(tenant.id);
      const modelId = await createWorkflowByForm(client, tenant.label);
      await parts.trees.workflows.refreshLists(tenant.id, "workflows");
      await parts.trees.workflows.reveal(tenant.id, ...workflowRows.workflow(modelId));
    },
    "platformWorkbench.showWorkflowMetrics": async (run, argument) => {
      const { tenantId, modelId, name } = await chooseWorkflow(
        parts,
        run,
        argument,
        vscode.l10n.t("Show Workflow Metrics"),
      );
      (await parts.panels.load()).show({ kind: "workflowMetrics", tenantId, modelId, name });
    },
    "platformWorkbench.showWorkflowDefinition": async (run, argument) => {
      const title = vscode.l10n.t("Show Workflow Definition");
      const { tenantId, modelId, name, version } = await chooseVersion(parts, run, argument, title);
      (await parts.panels.load()).show({ kind: "workflowDefinition", tenantId, modelId, name, version });
    },
    "platformWorkbench.showWorkflowForm": async (run, argument) => {
      const title = vscode.l10n.t("Show Start Form");
      const ofTrigger = z.safeParse(triggerRow, argument);
      const trigger = ofTrigger.success
        ? { id: ofTrigger.data.resource.id, name: ofTrigger.data.resource.name }
        : undefined;
      // A trigger starts one version of its workflow.
      const workflow = ofTrigger.success
        ? { ...(await chooseWorkflow(parts, run, argument, title)), version: ofTrigger.data.trigger.modelVersion }
        : await chooseVersion(parts, run, argument, title);
      const lookup = await askForForm(workflow, title, trigger === undefined ? {} : { trigger });
      await vscode.commands.executeCommand("platformWorkbench.showDetails", startForm(workflow, lookup));
    },
    "platformWorkbench.showTriggersOfVersions": async (run, argument) => {
      const title = vscode.l10n.t("Show Triggers of Version");
      const workflow = await chooseWorkflow(parts, run, argument, title);
      const named = namedResource(argument);
      const versions = named?.type === "workflowVersion" ? [named.id] : await askForTriggers(workflow, title);
      await vscode.commands.executeCommand("platformWorkbench.showDetails", attachedTriggers(workflow, versions));
    },
    "platformWorkbench.showExecutionOutputs": async (run, argument) => {
      const title = vscode.l10n.t("Show Execution Outputs");
      const { tenantId, modelId, id, name } = await chooseExecution(parts, run, argument, title);
      const uri = detailsUri({ type: "execution", tenantId, id, parentId: modelId, name }, "details");
      await vscode.commands.executeCommand("markdown.showPreview", uri.with({ fragment: "outputs" }));
    },
    "platformWorkbench.findUsingWorkflows": (run, argument) => findUsing(parts, run, argument),
    "platformWorkbench.createWorkflowVersion": async (run, argument) => {
      const title = vscode.l10n.t("Create Workflow Version");
      const workflow = await chooseWorkflow(parts, run, argument, title);
      const version = await createVersionByForm(workflow);
      await parts.trees.workflows.refreshLists(workflow.tenantId, workflowLists.groups(workflow.modelId));
      await parts.trees.workflows.reveal(workflow.tenantId, ...workflowRows.version(workflow.modelId, version));
    },
    "platformWorkbench.createTrigger": (run, argument) => createByForm(parts, run, argument),
    "platformWorkbench.deleteTrigger": async (run, argument) => {
      const title = vscode.l10n.t("Delete Workflow Trigger");
      const { triggerId, triggerName, ...workflow } = await chooseTrigger(parts, run, argument, title);
      await confirm({
        question: vscode.l10n.t("Delete the trigger {0} of {1}?", triggerName, workflow.name),
        consequence: vscode.l10n.t(
          "It no longer starts the workflow. It stays in the list, struck through, with the date of its deletion.",
        ),
        action: vscode.l10n.t("Delete"),
      });
      await workflow.client.call(deleteTrigger, { triggerId });
      await parts.trees.workflows.refreshLists(workflow.tenantId, workflowLists.group(workflow.modelId, "triggers"));
    },
    "platformWorkbench.deleteWorkflow": (run, argument) => deleteChosenWorkflow(parts, run, argument),
  };
}

async function createByForm(parts: WorkflowCommandParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Create Workflow Trigger");
  const workflow = await chooseWorkflow(parts, run, argument, title);
  const { client, modelId, name, tenantId } = workflow;
  const [model, types] = await Promise.all([client.call(getWorkflow, { modelId }), client.call(listTriggerTypes, {})]);
  const versions = versionsOf(model);
  if (versions.length === 0) {
    throw new Error(
      vscode.l10n.t("Can't create a trigger for {0}: it has no versions yet. Create a version first.", name),
    );
  }
  const chosen = z.safeParse(
    z.looseObject({ resource: z.looseObject({ type: z.literal("workflowVersion"), id: z.string() }) }),
    argument,
  );
  const userId = await timerUser(client, name);
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const form = await askForTrigger({
    workflow: name,
    types: types.flatMap((type) => (type.name === null || type.name === undefined ? [] : [type.name])),
    versions,
    version: chosen.data?.resource.id,
    timeZone: parts.state.get(zoneKey, own),
    dialect: client.dialect,
  });
  const common = { name: form.name, modelId, modelVersion: form.version };
  let trigger: Trigger;
  if (form.timer !== undefined) {
    await parts.state.update(zoneKey, form.timer.timeZone);
    trigger = await createTimerTrigger(client, { ...common, ...form.timer, userId });
  } else {
    const body = { ...common, type: form.type, entityType: client.dialect.workflowEntityType, entityId: modelId };
    trigger = await client.call(createTrigger, { body: { ...body, metadata: { type: form.type } } });
  }
  await parts.trees.workflows.refreshLists(tenantId, workflowLists.group(modelId, "triggers"));
  await parts.trees.workflows.reveal(tenantId, ...workflowRows.trigger(modelId, trigger.id ?? ""));
  void showInformation(await createdText(trigger, form.name, name));
}

async function createdText(trigger: Trigger, triggerName: string, workflow: string): Promise<string> {
  const timer = timerOf(trigger);
  const reading = timer === undefined ? undefined : await readTimer(timer.cron, timer.timeZone);
  const [next] = reading?.valid === true ? reading.schedule.nextRuns(1) : [];
  return next === undefined || timer === undefined
    ? vscode.l10n.t("Created the trigger {0} for {1}.", triggerName, workflow)
    : vscode.l10n.t(
        "Created the trigger {0}. It next starts {1} at {2}.",
        triggerName,
        workflow,
        runTime(next, timer.timeZone, vscode.env.language),
      );
}
