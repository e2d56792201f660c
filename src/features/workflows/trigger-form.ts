import * as vscode from "vscode";
import type { VersionOfWorkflow } from "../../api/families/workflow-facts.ts";
import { cronOnWire } from "../../api/families/workflows.ts";
import type { Dialect } from "../../api/http/dialects.ts";
import { sentenceWords } from "../../ui/format/labels.ts";
import { choice, required, text } from "../../ui/quick-input/questions.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";
import { versionItem } from "./choice.ts";
import { type Timer, timerSteps } from "./timer-form.ts";

/** A trigger as entered by the user. */
interface TriggerForm {
  readonly type: string;
  readonly version: string;
  readonly name: string;
  /** Present only for a trigger of type TIMER. */
  readonly timer: Timer | undefined;
}

interface TriggerFormParts {
  /** The workflow's name. */
  readonly workflow: string;
  /** The trigger types of the platform. */
  readonly types: readonly string[];
  readonly versions: readonly VersionOfWorkflow[];
  /** The version, if it was chosen before. */
  readonly version: string | undefined;
  readonly timeZone: string;
  /** The platform's dialect, which determines how a cron expression is sent. */
  readonly dialect: Pick<Dialect, "cronFormat">;
}

/** Asks step by step, with Back. Throws a CancellationError if canceled. */
export async function askForTrigger(parts: TriggerFormParts): Promise<TriggerForm> {
  const { types, versions, version, timeZone, dialect } = parts;
  const { readSchedule } = await import("../../api/families/schedule.ts");
  const timer = timerSteps(timeZone, readSchedule, (typed, schedule) => cronOnWire(typed, schedule, dialect));
  return Steps.from({})
    .step(
      choice(() => ({
        placeholder: vscode.l10n.t("Choose what starts the workflow"),
        items: [...new Set(["TIMER", ...types])].map((value) => ({
          label: sentenceWords(value, vscode.l10n.t),
          description: value === "TIMER" ? vscode.l10n.t("on a schedule") : "",
          iconPath: new vscode.ThemeIcon(value === "TIMER" ? "watch" : "zap"),
          value,
        })),
      })),
      (type) => ({ type }),
    )
    .step(
      choice(() => ({
        placeholder: vscode.l10n.t("Version to start"),
        items: versions.map((one) => ({ ...versionItem(one), value: one.version })),
        initial: version ?? versions.find(({ state }) => state === "active")?.version,
      })),
      (chosen) => ({ version: chosen }),
    )
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Name of the trigger"),
        placeholder: vscode.l10n.t("Daily run"),
        read: required(vscode.l10n.t("A name is required.")),
      })),
      (name) => ({ name }),
    )
    .branch<Pick<TriggerForm, "timer">>(
      ({ type }) => (type === "TIMER" ? timer : Steps.from({ timer: undefined })),
      timer.count,
    )
    .ask(vscode.l10n.t("Create Trigger for {0}", parts.workflow));
}
