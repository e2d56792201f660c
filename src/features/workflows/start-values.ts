import * as vscode from "vscode";
import * as z from "zod/mini";
import { getTriggerForm } from "../../api/catalogue/operations/triggers.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { isMissingOperation } from "../../api/client/missing-operation.ts";
import { isRecord } from "../../api/records.ts";
import { type ParsedText, text } from "../../ui/quick-input/questions.ts";
import { Steps } from "../../ui/quick-input/wizard.ts";

/** A field of a start form. */
export const formField = z.looseObject({
  id: z.nullish(z.string()),
  alias: z.nullish(z.string()),
  label: z.nullish(z.string()),
  dataType: z.nullish(z.string()),
  isList: z.nullish(z.boolean()),
  optional: z.nullish(z.boolean()),
});

type FormField = z.output<typeof formField>;

/** Values for the start of a workflow, by name. */
export type StartValues = Readonly<Record<string, unknown>>;

interface StartedVersion {
  readonly modelId: string;
  readonly version: string;
  readonly triggerId: string | undefined;
}

/** The fields of a version's start form; undefined if the platform has no form for it. */
export async function startFields(
  client: PlatformClient,
  { modelId, version, triggerId }: StartedVersion,
): Promise<readonly FormField[] | undefined> {
  try {
    const input = { modelId, version, ...(triggerId === undefined ? {} : { triggerId }) };
    const { sections } = await client.call(getTriggerForm, input);
    return (sections ?? []).flatMap(({ fields }) => (fields ?? []).flatMap(fieldOf));
  } catch (error) {
    if (isMissingOperation(getTriggerForm, error)) {
      return undefined;
    }
    throw error;
  }
}

function fieldOf(value: unknown): readonly FormField[] {
  const parsed = z.safeParse(formField, value);
  return parsed.success ? [parsed.data] : [];
}

/**
 * Asks for the values of a start form, field by field, with Back. Without a form, asks for all values as a JSON object.
 * Throws a CancellationError if canceled.
 */
export async function askForStartValues(title: string, fields: readonly FormField[] | undefined): Promise<StartValues> {
  if (fields === undefined) {
    const { values } = await Steps.from({})
      .step(jsonQuestion(), (given) => ({ values: given }))
      .ask(title);
    return values;
  }
  let steps = Steps.from<{ readonly values: StartValues }>({ values: {} });
  for (const field of fields) {
    const name = field.alias ?? field.id ?? "";
    if (name !== "") {
      const question = text<{ readonly values: StartValues }, unknown>(() => ({
        prompt: promptOf(field),
        placeholder: field.isList === true ? '["a", "b"]' : "",
        read: (typed) => readValue(field, typed),
      }));
      steps = steps.step(question, (value, { values }) => ({
        values: value === undefined ? values : { ...values, [name]: value },
      }));
    }
  }
  return (await steps.ask(title)).values;
}

function jsonQuestion() {
  return text<object, StartValues>(() => ({
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

function promptOf({ label, alias, id, optional }: FormField): string {
  const name = label ?? alias ?? id ?? "";
  return optional === true ? vscode.l10n.t("{0} (optional)", name) : name;
}

/** Parses the text for a field by the field's type. Undefined for an optional field without a value. */
export function readValue({ dataType, isList, optional }: FormField, typed: string): ParsedText<unknown> {
  if (typed === "") {
    return optional === true
      ? { valid: true, value: undefined }
      : { valid: false, reason: vscode.l10n.t("A value is required.") };
  }
  const type = (dataType ?? "text").toLowerCase();
  const value = parsedJson(typed);
  if (isList === true) {
    return Array.isArray(value)
      ? { valid: true, value }
      : { valid: false, reason: vscode.l10n.t("Enter a list as JSON, such as {0}.", '["a", "b"]') };
  }
  switch (type) {
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
