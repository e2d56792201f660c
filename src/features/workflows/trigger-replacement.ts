import * as vscode from "vscode";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import type { ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { chooseTrigger } from "./choice.ts";

/** Offers the two steps that replace a trigger. */
export async function editTrigger(parts: ResourceChoiceParts, run: CommandRun, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Edit Workflow Trigger");
  const { tenantId, modelId, name, triggerId, triggerName } = await chooseTrigger(parts, run, argument, title);
  const create = vscode.l10n.t("Create Trigger");
  const remove = vscode.l10n.t("Delete Trigger");
  const chosen = await showInformation(
    vscode.l10n.t(
      "Platform Workbench replaces triggers instead of changing them. Create a new one, then delete {0}.",
      triggerName,
    ),
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
}
