import * as vscode from "vscode";
import { getWorkflow } from "../../api/catalogue/operations/workflows.ts";
import { versionsOf } from "../../api/families/workflow-facts.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { offerWebPage } from "../../ui/commands/web-page-offer.ts";
import { namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { type ChosenWorkflow, chooseTrigger, chooseWorkflow } from "./choice.ts";
import type { WorkflowsCommandId } from "./declarations.ts";

/** Workflow commands that the platform's API doesn't support, with a link to the web page. */
export function webOnlyWorkflowCommands(parts: ResourceChoiceParts) {
  return {
    "platformWorkbench.runWorkflow": async (run, argument) => {
      const workflow = await chooseWorkflow(parts, run, argument, vscode.l10n.t("Run Workflow"));
      const named = namedResource(argument);
      const resource = named?.type === "workflowVersion" ? named : await versionToRun(workflow);
      await offerWebPage(
        parts.connections,
        resource,
        vscode.l10n.t("The platform's API can't run workflows by hand. Run {0} on its web page.", workflow.name),
      );
    },
    "platformWorkbench.editTrigger": async (run, argument) => {
      const title = vscode.l10n.t("Edit Workflow Trigger");
      const { tenantId, modelId, name, triggerId, triggerName } = await chooseTrigger(parts, run, argument, title);
      const create = vscode.l10n.t("Create Trigger");
      const remove = vscode.l10n.t("Delete Trigger");
      const chosen = await showInformation(
        vscode.l10n.t("Triggers can't be changed. Create a new one, then delete {0}.", triggerName),
        create,
        remove,
      );
      if (chosen === create) {
        const workflow: PlatformResource = { type: "workflow", tenantId, id: modelId, name };
        await vscode.commands.executeCommand("platformWorkbench.createTrigger", workflow);
      } else if (chosen === remove) {
        const resource = { type: "trigger", tenantId, id: triggerId, parentId: modelId, name: triggerName };
        const row = { tenantId, modelId, modelName: name, resource };
        await vscode.commands.executeCommand("platformWorkbench.deleteTrigger", row);
      }
    },
  } satisfies Partial<CommandHandlers<WorkflowsCommandId>>;
}

/** The active version of a workflow, or its newest one. The web application has no page for the workflow itself. */
async function versionToRun({ client, tenantId, modelId, name }: ChosenWorkflow): Promise<PlatformResource> {
  const versions = versionsOf(await client.call(getWorkflow, { modelId }));
  const found = versions.find(({ state }) => state === "active") ?? versions[0];
  return found === undefined
    ? { type: "workflow", tenantId, id: modelId, name }
    : { type: "workflowVersion", tenantId, id: found.version, parentId: modelId, name };
}
