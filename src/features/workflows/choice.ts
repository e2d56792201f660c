import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Trigger, WorkflowExecution } from "../../api/catalogue/models/workflows.ts";
import { getWorkflow } from "../../api/catalogue/operations/workflows.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { beganOf, type VersionOfWorkflow, versionsOf } from "../../api/families/workflow-facts.ts";
import { readWorkflowTriggers, timerHoldersOf, type WorkflowTriggers } from "../../api/families/workflow-triggers.ts";
import { isDeleted, readExecutions } from "../../api/families/workflows.ts";
import type { CommandRun } from "../../ui/commands/command-runner.ts";
import { sentenceWords, versionLabel } from "../../ui/format/labels.ts";
import { chooseResource, namedResource, type ResourceChoiceParts } from "../../ui/quick-input/choose-resource.ts";
import { pickBySearch, type SearchItem } from "../../ui/quick-input/search-pick.ts";
import { executionFacts } from "./rows/execution.ts";
import { versionLook } from "./rows/version.ts";
import { gapText } from "./trigger-gaps.ts";
import { executionName } from "./words.ts";

/** The workflow that a command applies to. */
export interface ChosenWorkflow {
  readonly tenantId: string;
  readonly modelId: string;
  readonly name: string;
  readonly client: PlatformClient;
}

const belowWorkflow = z.looseObject({ tenantId: z.string(), modelId: z.string(), modelName: z.string() });
const ofVersion = z.looseObject({ version: z.string() });

/** The workflow that a row or a caller refers to, or the one that the user picks. */
export async function chooseWorkflow(
  parts: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<ChosenWorkflow> {
  const below = z.safeParse(belowWorkflow, argument);
  if (below.success) {
    const { tenantId, modelId, modelName } = below.data;
    run.setErrorContext({ tenantId, entities: [{ id: modelId, name: modelName }] });
    return { tenantId, modelId, name: modelName, client: await parts.connections.platform(tenantId) };
  }
  const { tenantId, id, name } = await chooseResource(parts, run, argument, { type: "workflow", title });
  return { tenantId, modelId: id, name, client: await parts.connections.platform(tenantId) };
}

/** The version that a row or a caller refers to, or the one that the user picks from the workflow's versions. */
export async function chooseVersion(
  parts: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<ChosenWorkflow & { readonly version: string }> {
  const named = namedResource(argument);
  const part = z.safeParse(ofVersion, argument);
  if (
    named?.type === "workflowVersion" &&
    named.parentId !== undefined &&
    !z.safeParse(belowWorkflow, argument).success
  ) {
    const { tenantId, parentId, id } = named;
    const name = named.name.replace(/ v[^ ]+$/, "");
    run.setErrorContext({ tenantId, entities: [{ id: parentId, name }] });
    return { tenantId, modelId: parentId, name, client: await parts.connections.platform(tenantId), version: id };
  }
  const workflow = await chooseWorkflow(parts, run, argument, title);
  if (named?.type === "workflowVersion") {
    return { ...workflow, version: named.id };
  }
  if (part.success) {
    return { ...workflow, version: part.data.version };
  }
  const version = await pickVersion(workflow, title);
  return { ...workflow, version };
}

async function pickVersion({ client, modelId, name }: ChosenWorkflow, title: string): Promise<string> {
  return pickBySearch({
    title: `${title} · ${name}`,
    placeholder: vscode.l10n.t("Version of {0}", name),
    nothingFits: vscode.l10n.t("{0} has no versions yet", name),
    async *search(text, signal) {
      const versions = versionsOf(await client.call(getWorkflow, { modelId }, { signal }));
      yield versions
        .filter(({ version }) => version.includes(text))
        .map((one) => ({ ...versionItem(one), value: one.version }));
    },
  });
}

/** A version as an item of a quick pick. */
export function versionItem(version: VersionOfWorkflow): vscode.QuickPickItem {
  const { icon, ...look } = versionLook(version);
  const { description: detail } = version;
  return { ...look, ...(detail === "" ? {} : { detail }), iconPath: new vscode.ThemeIcon(icon) };
}

/** The trigger that a row or a caller refers to, or the one that the user picks. Deleted triggers are not offered. */
export async function chooseTrigger(
  parts: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<ChosenWorkflow & { readonly triggerId: string; readonly triggerName: string }> {
  const workflow = await chooseWorkflow(parts, run, workflowOfNamed(argument, "trigger"), title);
  const named = namedResource(argument);
  if (named?.type === "trigger") {
    return { ...workflow, triggerId: named.id, triggerName: named.name };
  }
  let remark: string | undefined;
  const chosen = await pickBySearch<Trigger>({
    title: `${title} · ${workflow.name}`,
    placeholder: vscode.l10n.t("Trigger of {0}", workflow.name),
    nothingFits: vscode.l10n.t("{0} has no triggers", workflow.name),
    remark: () => remark,
    async *search(text, signal) {
      const { triggers, gaps } = await liveTriggers(workflow, signal);
      remark = gapText(gaps);
      yield triggers
        .filter(({ name }) => (name ?? "").toLocaleLowerCase().includes(text.toLocaleLowerCase()))
        .map((trigger) => ({
          label: trigger.name ?? vscode.l10n.t("Unnamed trigger"),
          description: [
            sentenceWords(trigger.type ?? "", vscode.l10n.t),
            ...(typeof trigger.modelVersion === "string" ? [versionLabel(trigger.modelVersion)] : []),
          ].join(" · "),
          iconPath: new vscode.ThemeIcon(trigger.type === "TIMER" ? "watch" : "zap"),
          value: trigger,
        }));
    },
  });
  const [triggerId, triggerName] = [chosen.id ?? "", chosen.name ?? vscode.l10n.t("Unnamed trigger")];
  run.setErrorContext({ tenantId: workflow.tenantId, entities: [{ id: triggerId, name: triggerName }] });
  return { ...workflow, triggerId, triggerName };
}

/** The triggers of a workflow that were not deleted, and why others may be missing. */
export async function liveTriggers(
  { client, modelId }: Pick<ChosenWorkflow, "client" | "modelId">,
  signal: AbortSignal,
  model?: Parameters<typeof timerHoldersOf>[0],
): Promise<WorkflowTriggers> {
  const holders = timerHoldersOf(model ?? (await client.call(getWorkflow, { modelId }, { signal })));
  const { triggers, gaps } = await readWorkflowTriggers(client, modelId, holders, { signal });
  return { triggers: triggers.filter((trigger) => !isDeleted(trigger)), gaps };
}

/**
 * The execution that a row or a caller refers to, or the one that the user picks from the workflow's executions, newest
 * first.
 */
export async function chooseExecution(
  parts: ResourceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<{ readonly tenantId: string; readonly modelId: string; readonly id: string; readonly name: string }> {
  const workflow = await chooseWorkflow(parts, run, workflowOfNamed(argument, "execution"), title);
  const { tenantId, modelId, client } = workflow;
  const named = namedResource(argument);
  if (named?.type === "execution") {
    return { tenantId, modelId, id: named.id, name: named.name };
  }
  const chosen = await pickBySearch<WorkflowExecution>({
    title: `${title} · ${workflow.name}`,
    placeholder: vscode.l10n.t("Execution of {0}", workflow.name),
    nothingFits: vscode.l10n.t("No matching executions"),
    async *search(text, signal) {
      const executions = await readExecutions(client, { modelId }, { signal });
      yield executions
        .filter((execution) => execution.modelId === modelId)
        .toSorted((left, right) => Number(beganOf(right) ?? 0) - Number(beganOf(left) ?? 0))
        .map(executionItem)
        .filter(({ label, description }) =>
          `${label} ${description}`.toLocaleLowerCase().includes(text.toLocaleLowerCase()),
        );
    },
  });
  return { tenantId, modelId, id: chosen.id ?? "", name: executionName(workflow.name, chosen, vscode.env.language) };
}

function executionItem(value: WorkflowExecution): SearchItem<WorkflowExecution> & { readonly description: string } {
  const { label, description, icon, color } = executionFacts(value);
  const themeColor = color === undefined ? undefined : new vscode.ThemeColor(color);
  return { label, description, iconPath: new vscode.ThemeIcon(icon.replace("~spin", ""), themeColor), value };
}

/** Adds the workflow to a trigger or an execution that has only the parent's id. */
function workflowOfNamed(argument: unknown, type: "trigger" | "execution"): unknown {
  const named = namedResource(argument);
  return named?.type === type && named.parentId !== undefined && !z.safeParse(belowWorkflow, argument).success
    ? { tenantId: named.tenantId, modelId: named.parentId, modelName: named.name }
    : argument;
}
