import * as vscode from "vscode";
import type { Trigger } from "../../api/catalogue/models/workflows.ts";
import { deleteWorkflow, getWorkflow } from "../../api/catalogue/operations/workflows.ts";
import { type VersionOfWorkflow, versionsOf } from "../../api/families/workflow-facts.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm, maxNamed } from "../../ui/commands/confirmation.ts";
import type { ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import type { TreesOf } from "../../ui/tree/lazy-trees.ts";
import { chooseWorkflow, liveTriggers } from "./choice.ts";
import { gapText } from "./trigger-gaps.ts";

type DeletionParts = ResourceChoiceParts & { readonly trees: TreesOf<"workflows"> };

/** Deletes a workflow after a confirmation that names its versions and triggers. */
export async function deleteChosenWorkflow(parts: DeletionParts, run: CommandRun, argument: unknown): Promise<void> {
  const workflow = await chooseWorkflow(parts, run, argument, vscode.l10n.t("Delete Workflow"));
  const { client, modelId, name, tenantId } = workflow;
  const model = await client.call(getWorkflow, { modelId });
  const versions = versionsOf(model);
  const { triggers, gaps } = await liveTriggers(workflow, new AbortController().signal, model);
  const hasActive = versions.some(({ state }) => state === "active");
  const consequence = hasActive
    ? vscode.l10n.t("This can't be undone. The platform might refuse to delete it while a version is active.")
    : vscode.l10n.t("This can't be undone.");
  await confirm({
    question: vscode.l10n.t("Delete the workflow {0}?", name),
    touched: [...versionLines(versions, triggers.length), ...triggers.map(triggerLine)],
    consequence: [gapText(gaps), consequence].filter((part) => part !== undefined).join("\n\n"),
    action: vscode.l10n.t("Delete"),
  });
  await client.call(deleteWorkflow, { modelId });
  await parts.trees.workflows.refreshLists(tenantId, "workflows");
}

/** A line for each version. If there is no space for the triggers below them, inactive versions are only counted. */
function versionLines(versions: readonly VersionOfWorkflow[], triggers: number): readonly string[] {
  const active = versions.filter(({ state }) => state === "active");
  const others = versions.length - active.length;
  if (triggers === 0 || versions.length + triggers <= maxNamed || others < 2) {
    return versions.map(versionLine);
  }
  return [...active.map(versionLine), vscode.l10n.t("Versions that aren't active: {0}", others)];
}

function versionLine({ version, state }: VersionOfWorkflow): string {
  return state === "active" ? vscode.l10n.t("Version {0} (active)", version) : vscode.l10n.t("Version {0}", version);
}

function triggerLine({ name }: Trigger): string {
  return vscode.l10n.t("Trigger {0}", name?.trim() || vscode.l10n.t("Unnamed trigger"));
}
