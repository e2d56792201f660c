import * as vscode from "vscode";
import { isRecord } from "../../api/records.ts";
import { type ParsedText, text } from "./questions.ts";
import { Steps } from "./wizard.ts";

/** A value to type: a field of a form, or a parameter of a function. `type` is `text`, `number`, and the like. */
export interface TypedField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly isList: boolean;
  readonly isOptional: boolean;
}

/** Typed values by the names of their fields. */
export type TypedValues = Readonly<Record<string, unknown>>;

/** Longest value in a confirmation, in characters. */
const maxShownValue = 80;

/**
 * Asks for values, field by field, with Back. Without known fields, asks for all values as a JSON object. Throws a
 * CancellationError if canceled.
 */
export async function askForValues(title: string, fields: readonly TypedField[] | undefined): Promise<TypedValues> {
  if (fields === undefined) {
    const { values } = await Steps.from({})
      .step(jsonQuestion(), (given) => ({ values: given }))
      .ask(title);
    return values;
  }
  let steps = Steps.from<{ readonly values: TypedValues }>({ values: {} });
  for (const field of fields) {
    const question = text<{ readonly values: TypedValues }, unknown>(() => ({
      prompt: field.isOptional ? vscode.l10n.t("{0} (optional)", field.label) : field.label,
      placeholder: field.isList ? '["a", "b"]' : "",
      read: (typed) => readValue(field, typed),
    }));
    steps = steps.step(question, (value, { values }) => ({
      values: value === undefined ? values : { ...values, [field.name]: value },
    }));
  }
  return (await steps.ask(title)).values;
}

/** The values as lines of a confirmation. */
export function valueLines(values: TypedValues): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name}: ${shortValue(value)}`);
}

function shortValue(value: unknown): string {
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  return shown.length > maxShownValue ? `${shown.slice(0, maxShownValue)}…` : shown;
}

function jsonQuestion() {
  return text<object, TypedValues>(() => ({
    prompt: vscode.l10n.t("Values for the start as a JSON object"),
    placeholder: '{ "amount": 250 }',
    initial: "{}",
    read: (typed) => {
      const value = parsedJson(typed);
      return isRecord(value)
        ? { valid: true, value }
        : { valid: false, reason: vscode.l10n.t("Enter a JSON object, such as {0}.", '{ "amount": 250 }') };
    },
  }));
}

/** Parses the text for a field by the field's type. Undefined for an optional field without a value. */
export function readValue(
  { type, isList, isOptional }: Pick<TypedField, "type" | "isList" | "isOptional">,
  typed: string,
): ParsedText<unknown> {
  if (typed === "") {
    return isOptional
      ? { valid: true, value: undefined }
      : { valid: false, reason: vscode.l10n.t("A value is required.") };
  }
  const value = parsedJson(typed);
  if (isList) {
    return Array.isArray(value)
      ? { valid: true, value }
      : { valid: false, reason: vscode.l10n.t("Enter a list as JSON, such as {0}.", '["a", "b"]') };
  }
  switch (type.toLowerCase()) {
    case "number":
    case "decimal":
      return typeof value === "number"
        ? { valid: true, value }
        : { valid: false, reason: vscode.l10n.t("Enter a number.") };
    case "boolean":
      return typeof value === "boolean"
        ? { valid: true, value }
        : { valid: false, reason: vscode.l10n.t("Enter true or false.") };
    case "object":
      return isRecord(value)
        ? { valid: true, value }
        : { valid: false, reason: vscode.l10n.t("Enter a JSON object, such as {0}.", '{ "amount": 250 }') };
    default:
      return { valid: true, value: typed };
  }
}

function parsedJson(typed: string): unknown {
  try {
    return JSON.parse(typed);
  } catch {
    return undefined;
  }
}
