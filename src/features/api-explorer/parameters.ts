import * as vscode from "vscode";
import * as z from "zod/mini";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import {
  type ParameterDescription,
  parametersOf,
  shapeOf,
  valueFromText,
} from "../../api/catalogue/operation-parameters.ts";
import { askChoice, askText, type StepPlace, type StepResult } from "../../ui/quick-input/step-inputs.ts";
import type { ListedEntry } from "./lists.ts";

export interface ParameterQuestions {
  readonly operation: AnyOperation;
  /** Not asked for again. */
  readonly given: Readonly<Record<string, string>>;
  /** What a parameter was last, to begin with. */
  readonly last: (name: string) => string | undefined;
  /** What the parameter can name; nothing where nobody knows. */
  readonly listed: (name: string) => Promise<readonly ListedEntry[]>;
}

/** Asks for an operation's parameters one by one, with Back. Giving up throws a CancellationError. */
export async function askParameters(questions: ParameterQuestions): Promise<Readonly<Record<string, string>>> {
  const open = parametersOf(questions.operation).filter(({ name }) => !(name in questions.given));
  const required = open.filter((parameter) => parameter.required);
  const optional = open.filter((parameter) => !parameter.required);
  const answers = new Map(Object.entries(questions.given));
  let chosen: readonly ParameterDescription[] = [];
  const choosingStep = optional.length === 0 ? 0 : 1;
  for (let index = 0; ; ) {
    const parameters = [...required, ...chosen];
    const place = {
      title: `${questions.operation.id} · ${questions.operation.summary}`,
      step: index + 1,
      totalSteps: required.length + choosingStep + chosen.length,
    };
    if (index >= place.totalSteps) {
      return Object.fromEntries(answers);
    }
    const isChoosing = choosingStep === 1 && index === required.length;
    const parameter = parameters[index > required.length ? index - choosingStep : index];
    const result = isChoosing
      ? await askWhich(optional, questions, place)
      : await askFor(parameter, questions, answers, place);
    if (result.type === "back") {
      index -= 1;
      continue;
    }
    if (isChoosing) {
      chosen = result.value;
      for (const { name } of optional.filter((one) => !chosen.includes(one))) {
        answers.delete(name);
      }
    }
    index += 1;
  }
}

async function askWhich(
  optional: readonly ParameterDescription[],
  { last }: ParameterQuestions,
  place: StepPlace,
): Promise<StepResult<readonly ParameterDescription[]>> {
  const items = optional.map((parameter) => ({
    label: parameter.name,
    description: parameter.form,
    ...(parameter.standard === undefined
      ? {}
      : { detail: vscode.l10n.t("default: {0}", parameter.standard || vscode.l10n.t("empty")) }),
    picked: last(parameter.name) !== undefined && last(parameter.name) !== parameter.standard,
    parameter,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: `${place.title} (${place.step}/${place.totalSteps})`,
    placeHolder: vscode.l10n.t("Optional parameters to give; Enter for none"),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (picked === undefined) {
    throw new vscode.CancellationError();
  }
  return { type: "next", value: picked.map(({ parameter }) => parameter) };
}

async function askFor(
  parameter: ParameterDescription | undefined,
  questions: ParameterQuestions,
  answers: Map<string, string>,
  place: StepPlace,
): Promise<StepResult<readonly ParameterDescription[]>> {
  if (parameter === undefined) {
    return { type: "next", value: [] };
  }
  const { name } = parameter;
  const before = answers.get(name) ?? questions.last(name) ?? parameter.standard ?? "";
  const result = await askValue(parameter, questions, before, place);
  if (result.type === "back") {
    return result;
  }
  answers.set(name, result.value);
  return { type: "next", value: [] };
}

async function askValue(
  parameter: ParameterDescription,
  { operation, listed }: ParameterQuestions,
  before: string,
  place: StepPlace,
): Promise<StepResult<string>> {
  const { name, form, choices } = parameter;
  const entries = choices?.map((id) => ({ id, label: id })) ?? (await listed(name));
  if (entries.length > 0) {
    const other = vscode.l10n.t("Enter Another…");
    const items = [
      ...entries.map(({ id, label }) => ({ label, ...(label === id ? {} : { description: id }), value: id })),
      ...(choices === undefined ? [{ label: other, iconPath: new vscode.ThemeIcon("edit"), value: undefined }] : []),
    ];
    const result = await askChoice<string | undefined>({
      ...place,
      placeholder: name,
      items,
      isActive: (value) => value === before,
    });
    if (result.type === "back") {
      return result;
    }
    if (result.value !== undefined) {
      return { type: "next", value: result.value };
    }
  }
  const shape = shapeOf(operation, name);
  return askText({
    ...place,
    prompt: `${name}: ${form}`,
    placeholder: name,
    value: before,
    validate: (text) =>
      shape !== undefined && z.safeParse(shape, valueFromText(shape, text.trim())).success
        ? undefined
        : vscode.l10n.t("{0} takes: {1}.", name, form),
  });
}
