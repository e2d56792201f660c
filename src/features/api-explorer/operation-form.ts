import * as vscode from "vscode";
import * as z from "zod/mini";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import {
  type ParameterDescription,
  parametersOf,
  shapeOf,
  valueFromText,
} from "../../api/catalogue/operation-parameters.ts";
import { catalogue } from "../../api/catalogue/operations/catalogue.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { cardsOfPage } from "../../api/families/pages/page-cards.ts";
import type { Dialect } from "../../api/http/dialects.ts";
import { choice, type SeveralOptions, several, text } from "../../ui/quick-input/questions.ts";
import { type Question, Steps } from "../../ui/quick-input/wizard.ts";
import { summaryOf } from "./operation-summary.ts";

/** An operation's parameters by name, as strings. */
type Parameters = Readonly<Record<string, string>>;

/** The given and entered parameters. */
interface Entered {
  readonly values: Parameters;
}

interface ParameterQuestions {
  readonly operation: AnyOperation;
  /** The tenant's dialect. Parameters that it doesn't send are not asked for. */
  readonly dialect: Dialect;
  /** Parameters with a value, which are not asked for. */
  readonly given: Parameters;
  /** The last value of a parameter, which is its initial value. */
  readonly last: (name: string) => string | undefined;
  /** The possible values of a parameter; empty if they can't be listed. */
  readonly listed: (name: string, responses: Parameters) => Promise<readonly ListedEntry[]>;
}

/** Asks for an operation's parameters one by one, with Back. Throws a CancellationError if canceled. */
export async function askParameters(questions: ParameterQuestions): Promise<Parameters> {
  const { operation, given, last } = questions;
  const open = parametersOf(operation, questions.dialect).filter(({ name }) => !(name in given));
  const optional = open.filter((parameter) => !parameter.required);
  const valueQuestions = new Map(open.map((parameter) => [parameter, valueQuestion(parameter, questions)]));
  const stepsFor = (wanted: readonly ParameterDescription[], known: Parameters): Steps<Entered> => {
    let steps = Steps.from<Entered>({ values: known });
    for (const [parameter, question] of valueQuestions) {
      if (wanted.includes(parameter)) {
        steps = steps.step(question, (value, { values }) => ({ values: { ...values, [parameter.name]: value } }));
      }
    }
    return steps;
  };
  const required = stepsFor(
    open.filter((parameter) => parameter.required),
    given,
  );
  const all =
    optional.length === 0
      ? required
      : required
          .step(
            several(() => optionalOptions(optional, last)),
            (chosen) => ({ chosen }),
          )
          .branch(({ chosen, values }) => stepsFor(chosen, values), 0);
  const { values } = await all.ask(`${operation.id} · ${summaryOf(operation)}`);
  return values;
}

function optionalOptions(
  optional: readonly ParameterDescription[],
  last: ParameterQuestions["last"],
): SeveralOptions<ParameterDescription> {
  return {
    placeholder: vscode.l10n.t("Select optional parameters, or press Enter for none"),
    items: optional.map((parameter) => ({
      label: parameter.name,
      description: parameter.form,
      ...(parameter.standard === undefined
        ? {}
        : { detail: vscode.l10n.t("default: {0}", parameter.standard || vscode.l10n.t("empty")) }),
      value: parameter,
    })),
    initial: optional.filter(({ name, standard }) => ![undefined, standard].includes(last(name))),
    canBeNone: true,
  };
}

/** Asks for a value: one of the possible values if they are known, otherwise any text. */
function valueQuestion(
  { name, form: takes, choices, standard }: ParameterDescription,
  { operation, last, listed }: ParameterQuestions,
): Question<Entered, string> {
  const initial = last(name) ?? standard ?? "";
  const shape = shapeOf(operation, name);
  const typed = text(() => ({
    prompt: `${name}: ${takes}`,
    placeholder: nameInWords(name),
    initial,
    read: (value) =>
      shape !== undefined && z.safeParse(shape, valueFromText(shape, value)).success
        ? { valid: true, value }
        : { valid: false, reason: vscode.l10n.t("{0} must be: {1}.", name, takes) },
  }));
  const other = {
    label: vscode.l10n.t("Enter Another…"),
    iconPath: new vscode.ThemeIcon("edit"),
    // Also shown for text that matches no entry, such as the id of an unlisted item.
    alwaysShow: true,
    value: undefined,
  };
  const picked = choice<{ readonly entries: readonly ListedEntry[] }, string | undefined>(({ entries }) => ({
    placeholder: nameInWords(name),
    items: [
      ...entries.map(({ id, label }) => ({ label, ...(label === id ? {} : { description: id }), value: id })),
      ...(choices === undefined ? [other] : []),
    ],
    initial,
  }));
  return async (form, place) => {
    const entries = choices?.map((id) => ({ id, label: id })) ?? (await listed(name, form.values));
    if (entries.length > 0) {
      const response = await picked({ entries }, place);
      if (response.type === "back") {
        return response;
      }
      if (response.value !== undefined) {
        return { type: "next", value: response.value };
      }
    }
    return typed(form, place);
  };
}

/** `Design ID` for `designId`. */
function nameInWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[\s_]+/)
    .map((word) => (/^ids?$/i.test(word) ? word.toUpperCase().replace(/S$/, "s") : word.toLowerCase()))
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A possible value of a parameter. */
interface ListedEntry {
  readonly id: string;
  readonly label: string;
}

/** The operation that lists a parameter's possible values: by `family.name` or by name. */
const listedBy: Readonly<Record<string, string>> = {
  workspaceId: "workspaces.search",
  notebookId: "workspaces.notebooks.search",
  designId: "designs.list",
  repositoryId: "sandbox.repositories.search",
  modelId: "workflows.list",
  executionId: "workflows.executions.list",
  pageId: "pages.summaries.search",
  "pages.id": "pages.summaries.search",
};

const idNames = ["id", "pageId"];
const labelNames = ["name", "title", "pageTitle", "displayName", "path", "modelName", "summary"];

/** The possible values of a parameter, from the first page of the list; empty if no operation lists them. */
export async function listedFor(
  operation: AnyOperation,
  parameter: string,
  client: PlatformClient,
  responses: Parameters,
): Promise<readonly ListedEntry[]> {
  const { pageId } = responses;
  if (parameter === "cardId" && pageId !== undefined) {
    return (await cardsOfPage(client, pageId)).map(({ id, title }) => ({ id, label: title ?? id }));
  }
  const family = operation.id.split(".")[0];
  const listId = listedBy[`${family}.${parameter}`] ?? listedBy[parameter];
  const list: AnyOperation | undefined = catalogue.find(({ id }) => id === listId);
  if (list === undefined || list.credential !== "platform") {
    return [];
  }
  const input = z.safeParse(list.body, undefined).success ? {} : { body: {} };
  const response: unknown = await client.call(list as AnyOperation & { credential: "platform" }, input as never);
  return entriesOf(response);
}

function entriesOf(response: unknown): readonly ListedEntry[] {
  const list = Array.isArray(response)
    ? response
    : typeof response === "object" && response !== null
      ? Object.values(response).find(Array.isArray)
      : undefined;
  return (list ?? []).flatMap((item: unknown) => {
    const id = memberOf(item, idNames);
    return id === undefined ? [] : [{ id, label: memberOf(item, labelNames) ?? id }];
  });
}

function memberOf(item: unknown, names: readonly string[]): string | undefined {
  if (typeof item !== "object" || item === null) {
    return undefined;
  }
  const found = names
    .map((name): unknown => Reflect.get(item, name))
    .find((value) => value !== undefined && value !== "");
  return typeof found === "string" || typeof found === "number" ? String(found) : undefined;
}
