import * as vscode from "vscode";
import type { VersionOfWorkflow } from "../../api/families/workflow-facts.ts";
import { sentenceWords } from "../../ui/format/labels.ts";
import { askChoice, askText, type StepResult } from "../../ui/quick-input/step-inputs.ts";
import { versionItem } from "./choice.ts";
import { askTimerStep, emptyTimer, type TimerForm, timerSteps } from "./timer-form.ts";

/** A trigger as the person has described it. */
export interface TriggerForm {
  readonly type: string;
  readonly version: string;
  readonly name: string;
  readonly timer: TimerForm;
}

export interface TriggerFormParts {
  /** The workflow's name. */
  readonly workflow: string;
  /** What the platform can start workflows by. */
  readonly types: readonly string[];
  readonly versions: readonly VersionOfWorkflow[];
  /** The version that is meant, where one was chosen before. */
  readonly version: string | undefined;
  readonly timeZone: string;
}

type Step = "type" | "version" | "name" | ReturnType<typeof timerSteps>[number];

/** Asks step by step, with a way back; giving up throws a CancellationError. */
export async function askForTrigger(parts: TriggerFormParts): Promise<TriggerForm> {
  const active = parts.versions.find(({ state }) => state === "active") ?? parts.versions[0];
  let form: TriggerForm = {
    type: "TIMER",
    version: parts.version ?? active?.version ?? "",
    name: "",
    timer: emptyTimer(parts.timeZone),
  };
  for (let index = 0; ; ) {
    const steps = stepsOf(form);
    const step = steps[index];
    if (step === undefined) {
      return form;
    }
    const place = {
      title: vscode.l10n.t("Create Trigger for {0}", parts.workflow),
      step: index + 1,
      totalSteps: steps.length,
    };
    const answer = await askStep(step, form, parts, place);
    if (answer.type === "next") {
      form = answer.value;
    }
    index += answer.type === "next" ? 1 : -1;
  }
}

function stepsOf({ type, timer }: TriggerForm): readonly Step[] {
  return ["type", "version", "name", ...(type === "TIMER" ? timerSteps(timer) : [])];
}

async function askStep(
  step: Step,
  form: TriggerForm,
  { types, versions }: TriggerFormParts,
  place: Parameters<typeof askTimerStep>[2],
): Promise<StepResult<TriggerForm>> {
  switch (step) {
    case "type": {
      const answer = await askChoice({
        ...place,
        placeholder: vscode.l10n.t("What starts the workflow"),
        items: [...new Set(["TIMER", ...types])].map((value) => ({
          label: sentenceWords(value),
          description: value === "TIMER" ? vscode.l10n.t("at certain times") : "",
          iconPath: new vscode.ThemeIcon(value === "TIMER" ? "watch" : "zap"),
          value,
        })),
        isActive: (value) => value === form.type,
      });
      return answer.type === "back" ? answer : { type: "next", value: { ...form, type: answer.value } };
    }
    case "version": {
      const answer = await askChoice({
        ...place,
        placeholder: vscode.l10n.t("Version that is started"),
        items: versions.map((one) => ({ ...versionItem(one), value: one.version })),
        isActive: (value) => value === form.version,
      });
      return answer.type === "back" ? answer : { type: "next", value: { ...form, version: answer.value } };
    }
    case "name": {
      const answer = await askText({
        ...place,
        prompt: vscode.l10n.t("Name of the trigger"),
        placeholder: vscode.l10n.t("Daily run"),
        value: form.name,
        validate: (text) => (text.trim() === "" ? vscode.l10n.t("A trigger needs a name.") : undefined),
      });
      return answer.type === "back" ? answer : { type: "next", value: { ...form, name: answer.value } };
    }
    default: {
      const answer = await askTimerStep(step, form.timer, place);
      return answer.type === "back" ? answer : { type: "next", value: { ...form, timer: answer.value } };
    }
  }
}
