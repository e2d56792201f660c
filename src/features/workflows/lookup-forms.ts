import * as vscode from "vscode";
import { getWorkflow } from "../../api/catalogue/operations/workflows.ts";
import { beganOf, versionsOf } from "../../api/families/workflow-facts.ts";
import { readExecutions } from "../../api/families/workflows.ts";
import { sentenceWords, versionLabel } from "../../ui/format/labels.ts";
import { enterText, pickItems, pickRow, unlessCanceled } from "../../ui/quick-input/show-input.ts";
import { type ChosenWorkflow, liveTriggers, versionItem } from "./choice.ts";
import type { FormLookup } from "./lookup.ts";
import { gapText } from "./trigger-gaps.ts";
import { executionName } from "./words.ts";

/** Asks for the optional parameters of a start form in one list, whose first line shows the form. */
export async function askForForm(
  workflow: ChosenWorkflow & { readonly version: string },
  title: string,
  before: Pick<FormLookup, "trigger" | "deploymentId"> = {},
): Promise<FormLookup> {
  const { name, version } = workflow;
  let lookup: FormLookup = { version, ...before };
  const heading = `${title} · ${name} ${versionLabel(version)}`;
  for (;;) {
    const none = vscode.l10n.t("none");
    const chosen = await pickRow(
      [
        { label: vscode.l10n.t("Show Form"), iconPath: new vscode.ThemeIcon("checklist"), option: "show" },
        { label: vscode.l10n.t("Trigger"), description: lookup.trigger?.name ?? none, option: "trigger" },
        { label: vscode.l10n.t("Deployment"), description: lookup.deploymentId ?? none, option: "deployment" },
      ] as const,
      { title: heading, placeHolder: vscode.l10n.t("Show the form, or choose a trigger or deployment first") },
    );
    if (chosen.option === "show") {
      return lookup;
    }
    lookup =
      chosen.option === "trigger"
        ? await withTrigger(lookup, workflow, heading)
        : await withDeployment(lookup, workflow, heading);
  }
}

async function withTrigger(lookup: FormLookup, workflow: ChosenWorkflow, title: string): Promise<FormLookup> {
  const { trigger: _before, ...rest } = lookup;
  const none = { label: vscode.l10n.t("None"), description: "", trigger: undefined };
  const items = liveTriggers(workflow, new AbortController().signal).then(({ triggers, gaps }) => {
    const own = triggers.flatMap(({ id, name, type, modelVersion }) => {
      const shown = name?.trim() || vscode.l10n.t("Unnamed trigger");
      return typeof id !== "string" || modelVersion !== lookup.version
        ? []
        : [{ label: shown, description: sentenceWords(type ?? "", vscode.l10n.t), trigger: { id, name: shown } }];
    });
    const remark = gapText(gaps);
    const kind = vscode.QuickPickItemKind.Separator;
    return [none, ...own, ...(remark === undefined ? [] : [{ label: remark, kind, trigger: undefined }])];
  });
  const placeHolder = vscode.l10n.t("Trigger of version {0}", lookup.version);
  const chosen = await unlessCanceled(pickRow(items, { title, placeHolder }));
  return chosen === undefined
    ? lookup
    : { ...rest, ...(chosen.trigger === undefined ? {} : { trigger: chosen.trigger }) };
}

/** The platform has no list of deployments, so the deployments of executions are offered, and any id can be entered. */
async function withDeployment(
  lookup: FormLookup,
  { client, modelId, name }: ChosenWorkflow,
  title: string,
): Promise<FormLookup> {
  const { deploymentId: before, ...rest } = lookup;
  const listed = readExecutions(client, { modelId }).then((executions) => {
    const own = executions
      .filter((one) => one.modelId === modelId && one.modelVersion === lookup.version)
      .toSorted((left, right) => Number(beganOf(right) ?? 0) - Number(beganOf(left) ?? 0));
    const byId = new Map(own.toReversed().map((one) => [one.deploymentId ?? "", one]));
    return [...byId].toReversed().flatMap(([deploymentId, execution]) =>
      deploymentId === ""
        ? []
        : [
            {
              label: executionName(name, execution, vscode.env.language),
              description: deploymentId,
              deploymentId,
            },
          ],
    );
  });
  const none = { label: vscode.l10n.t("None"), description: "", deploymentId: "" };
  const other = { label: vscode.l10n.t("Enter Another…"), description: "", deploymentId: undefined };
  const items = listed.then((own) => [none, other, ...own]);
  const placeHolder = vscode.l10n.t("Choose a deployment from the executions");
  const chosen = await unlessCanceled(pickRow(items, { title, placeHolder, matchOnDescription: true }));
  if (chosen === undefined) {
    return lookup;
  }
  const id = chosen.deploymentId ?? (await typedId(title, before));
  return id === undefined ? lookup : { ...rest, ...(id === "" ? {} : { deploymentId: id }) };
}

async function typedId(title: string, before: string | undefined): Promise<string | undefined> {
  const response = enterText({
    title,
    prompt: vscode.l10n.t("ID of the deployment"),
    ...(before === undefined ? {} : { value: before }),
    validateInput: (text) => (/\s/.test(text.trim()) ? vscode.l10n.t("An ID can't contain spaces.") : undefined),
  });
  return (await unlessCanceled(response))?.trim();
}

/** Asks for the versions that the triggers are attached to; none for all versions. */
export async function askForTriggers(
  { client, modelId, name }: ChosenWorkflow,
  title: string,
): Promise<readonly string[]> {
  const items = client
    .call(getWorkflow, { modelId })
    .then((model) => versionsOf(model).map((one) => ({ ...versionItem(one), version: one.version })));
  const chosen = await pickItems(items, {
    title: `${title} · ${name}`,
    placeHolder: vscode.l10n.t("Select versions. Select none for the triggers of all versions."),
  });
  return chosen.map(({ version }) => version);
}
