import * as vscode from "vscode";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import { releaseVersion, updateVersion } from "../../api/catalogue/operations/workflow-changes.ts";
import { getWorkflow, getWorkflowVersion } from "../../api/catalogue/operations/workflows.ts";
import { versionsOf } from "../../api/families/workflow-facts.ts";
import type { CommandHandlers, CommandRun } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { orOnWebPage } from "../../ui/commands/web-page-offer.ts";
import { versionLabel, versionName } from "../../ui/format/labels.ts";
import type { ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import type { TreesOf } from "../../ui/tree/lazy-trees.ts";
import { type ChosenWorkflow, chooseVersion } from "./choice.ts";
import type { WorkflowsCommandId } from "./declarations.ts";
import { editDefinition } from "./definition-document.ts";
import { workflowLists } from "./rows/workflow-row.ts";

type ChangeParts = ResourceChoiceParts & { readonly trees: TreesOf<"workflows"> };
type ChosenVersion = ChosenWorkflow & { readonly version: string };

/** Commands that change, release, activate, and deactivate versions of workflows. */
export function versionChangeCommands(parts: ChangeParts) {
  return {
    "platformWorkbench.releaseWorkflowVersion": async (run, argument) => {
      const chosen = await chooseVersion(parts, run, argument, vscode.l10n.t("Release Workflow Version"));
      const { client, modelId, name, version } = chosen;
      const shown = versionName(name, version);
      const active = await activeVersions(chosen);
      await confirm({
        question: vscode.l10n.t("Release {0}?", shown),
        touched: active.map((one) => vscode.l10n.t("Active now: {0}", versionLabel(one))),
        consequence: vscode.l10n.t("It becomes active, and its definition can't be changed anymore."),
        action: vscode.l10n.t("Release"),
      });
      await change(parts, chosen, releaseVersion, () => client.call(releaseVersion, { modelId, version }));
    },
    "platformWorkbench.editWorkflowDefinition": async (run, argument) => {
      await editDefinition(await chooseVersion(parts, run, argument, vscode.l10n.t("Edit Workflow Definition")));
    },
    "platformWorkbench.activateWorkflowVersion": async (run, argument) => {
      await setActive(parts, run, argument, true);
    },
    "platformWorkbench.deactivateWorkflowVersion": async (run, argument) => {
      await setActive(parts, run, argument, false);
    },
  } satisfies Partial<CommandHandlers<WorkflowsCommandId>>;
}

async function setActive(parts: ChangeParts, run: CommandRun, argument: unknown, active: boolean): Promise<void> {
  const title = active ? vscode.l10n.t("Activate Workflow Version") : vscode.l10n.t("Deactivate Workflow Version");
  const chosen = await chooseVersion(parts, run, argument, title);
  const { client, modelId, name, version } = chosen;
  const shown = versionName(name, version);
  const { description } = await client.call(getWorkflowVersion, { modelId, version });
  await confirm({
    question: active ? vscode.l10n.t("Activate {0}?", shown) : vscode.l10n.t("Deactivate {0}?", shown),
    consequence: active
      ? vscode.l10n.t("Its triggers start it from now on.")
      : vscode.l10n.t("Its triggers no longer start it, and nobody can run it. Executions that have started go on."),
    action: active ? vscode.l10n.t("Activate") : vscode.l10n.t("Deactivate"),
  });
  // The platform replaces the description, too.
  const body = { active, ...(typeof description === "string" ? { description } : {}) };
  await change(parts, chosen, updateVersion, () => client.call(updateVersion, { modelId, version, body }));
}

async function activeVersions({ client, modelId, version }: ChosenVersion): Promise<readonly string[]> {
  return versionsOf(await client.call(getWorkflow, { modelId })).flatMap((one) =>
    one.state === "active" && one.version !== version ? [one.version] : [],
  );
}

async function change(
  parts: ChangeParts,
  { client, tenantId, modelId, name, version }: ChosenVersion,
  operation: AnyOperation,
  work: () => Promise<unknown>,
): Promise<void> {
  const page = {
    type: "workflowVersion",
    tenantId,
    id: version,
    parentId: modelId,
    name: versionName(name, version),
  } as const;
  const changed = await orOnWebPage(parts.connections, client, page, { operations: [operation], work });
  if (!changed.isOnWebPage) {
    await parts.trees.workflows.refreshLists(tenantId, workflowLists.groups(modelId));
  }
}
