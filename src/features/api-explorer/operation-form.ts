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
import { type Dialect, pathTemplateOf } from "../../api/http/dialects.ts";
import { relativeDate } from "../../ui/format/dates.ts";
import { choice, type SeveralOptions, several, text } from "../../ui/quick-input/questions.ts";
import { showPick } from "../../ui/quick-input/show-input.ts";
import { type Question, Steps } from "../../ui/quick-input/wizard.ts";
import type { PastRequest } from "./operation-requests.ts";

/** What was picked: an operation to run with new parameters, or one of the last runs to repeat or to change. */
type OperationChoice =
  | { readonly type: "operation"; readonly operation: AnyOperation }
  | { readonly type: "past"; readonly past: PastRequest; readonly isChanged: boolean };

interface ChoiceItem extends vscode.QuickPickItem {
  readonly choice?: OperationChoice;
}

/** One of the operations or of the last runs, searchable by id, method, path and summary. */
export function pickOperation(
  operations: readonly AnyOperation[],
  history: readonly PastRequest[],
  title: string,
  dialect: Dialect,
): Promise<OperationChoice> {
  const pick = vscode.window.createQuickPick<ChoiceItem>();
  pick.title = title;
  pick.placeholder = vscode.l10n.t("Operation, method, path or what it does");
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const change = { iconPath: new vscode.ThemeIcon("edit"), tooltip: vscode.l10n.t("Change the Parameters") };
  pick.items = [...historyItems(operations, history, change), ...operationItems(operations, dialect)];
  return showPick(
    pick,
    (item) => item.choice,
    ({ finish }) => {
      pick.onDidTriggerItemButton(({ item }) => {
        if (item.choice?.type === "past") {
          finish({ ...item.choice, isChanged: true });
        }
      });
    },
  );
}

function historyItems(
  operations: readonly AnyOperation[],
  history: readonly PastRequest[],
  button: vscode.QuickInputButton,
): readonly ChoiceItem[] {
  const items = history.flatMap((past): readonly ChoiceItem[] => {
    const operation = operations.find(({ id }) => id === past.operationId);
    if (operation === undefined) {
      return [];
    }
    const parameters = Object.entries(past.parameters).map(([name, text]) => `${name}=${text}`);
    const age = relativeDate(past.when, vscode.env.language) ?? "";
    return [
      {
        label: past.operationId,
        description: [operation.method, ...parameters].join(" "),
        detail: [operation.summary, String(past.status ?? vscode.l10n.t("no answer")), age].join(" · "),
        iconPath: new vscode.ThemeIcon("history"),
        buttons: [button],
        choice: { type: "past", past, isChanged: false },
      },
    ];
  });
  return items.length === 0 ? [] : [separator(vscode.l10n.t("last runs")), ...items];
}

function operationItems(operations: readonly AnyOperation[], dialect: Dialect): readonly ChoiceItem[] {
  const families = Map.groupBy(operations, ({ id }) => id.split(".")[0] ?? id);
  return [...families].flatMap(([family, members]) => [
    separator(family),
    ...members.map(
      (operation): ChoiceItem => ({
        label: operation.id,
        description: `${operation.method} ${pathTemplateOf(operation, dialect)}`,
        detail: operation.summary,
        iconPath: new vscode.ThemeIcon(iconOf(operation)),
        choice: { type: "operation", operation },
      }),
    ),
  ]);
}

function iconOf({ effect }: AnyOperation): string {
  return effect === "read" ? "eye" : effect === "change" ? "edit" : "trash";
}

function separator(label: string): ChoiceItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** An operation's parameters by name, as texts. */
type Parameters = Readonly<Record<string, string>>;

interface ParameterQuestions {
  readonly operation: AnyOperation;
  /** The tenant's: what it does not send is not asked for. */
  readonly dialect: Dialect;
  /** Not asked for again. */
  readonly given: Parameters;
  /** What a parameter was last, to begin with. */
  readonly last: (name: string) => string | undefined;
  /** What the parameter can name; nothing where nobody knows. */
  readonly listed: (name: string) => Promise<readonly ListedEntry[]>;
}

/** Asks for an operation's parameters one by one, with Back. Giving up throws a CancellationError. */
export async function askParameters(questions: ParameterQuestions): Promise<Parameters> {
  const { operation, given, last } = questions;
  const open = parametersOf(operation, questions.dialect).filter(({ name }) => !(name in given));
  const optional = open.filter((parameter) => !parameter.required);
  const valueQuestions = new Map(open.map((parameter) => [parameter, valueQuestion(parameter, questions)]));
  const stepsFor = (wanted: readonly ParameterDescription[]): Steps<Parameters> => {
    let steps = Steps.from<Parameters>({});
    for (const [parameter, question] of valueQuestions) {
      if (wanted.includes(parameter)) {
        steps = steps.step(question, (value) => ({ [parameter.name]: value }));
      }
    }
    return steps;
  };
  const required = stepsFor(open.filter((parameter) => parameter.required));
  const all =
    optional.length === 0
      ? required
      : required
          .map((values) => ({ values }))
          .step(
            several(() => optionalOptions(optional, last)),
            (chosen) => ({ chosen }),
          )
          .branch(({ chosen }) => stepsFor(chosen).map((more) => ({ more })), 0)
          .map(({ values, more }) => ({ ...values, ...more }));
  return { ...given, ...(await all.ask(`${operation.id} · ${operation.summary}`)) };
}

function optionalOptions(
  optional: readonly ParameterDescription[],
  last: ParameterQuestions["last"],
): SeveralOptions<ParameterDescription> {
  return {
    placeholder: vscode.l10n.t("Optional parameters to give; Enter for none"),
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

/** Asks for a value: one of what the parameter can name, where that is known, or a text. */
function valueQuestion(
  { name, form: takes, choices, standard }: ParameterDescription,
  { operation, last, listed }: ParameterQuestions,
): Question<object, string> {
  const initial = last(name) ?? standard ?? "";
  const shape = shapeOf(operation, name);
  const typed = text(() => ({
    prompt: `${name}: ${takes}`,
    placeholder: name,
    initial,
    read: (value) =>
      shape !== undefined && z.safeParse(shape, valueFromText(shape, value)).success
        ? { valid: true, value }
        : { valid: false, reason: vscode.l10n.t("{0} takes: {1}.", name, takes) },
  }));
  const other = { label: vscode.l10n.t("Enter Another…"), iconPath: new vscode.ThemeIcon("edit"), value: undefined };
  const picked = choice<{ readonly entries: readonly ListedEntry[] }, string | undefined>(({ entries }) => ({
    placeholder: name,
    items: [
      ...entries.map(({ id, label }) => ({ label, ...(label === id ? {} : { description: id }), value: id })),
      ...(choices === undefined ? [other] : []),
    ],
    initial,
  }));
  return async (form, place) => {
    const entries = choices?.map((id) => ({ id, label: id })) ?? (await listed(name));
    if (entries.length > 0) {
      const answer = await picked({ entries }, place);
      if (answer.type === "back") {
        return answer;
      }
      if (answer.value !== undefined) {
        return { type: "next", value: answer.value };
      }
    }
    return typed(form, place);
  };
}

/** Something that a parameter can name. */
interface ListedEntry {
  readonly id: string;
  readonly label: string;
}

/** Which operation lists what a parameter names: by `family.name` or by name. */
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

/** What a parameter of an operation can name, the platform's first page of it; nothing where no operation lists it. */
export async function listedFor(
  operation: AnyOperation,
  parameter: string,
  client: PlatformClient,
): Promise<readonly ListedEntry[]> {
  const family = operation.id.split(".")[0];
  const listId = listedBy[`${family}.${parameter}`] ?? listedBy[parameter];
  const list: AnyOperation | undefined = catalogue.find(({ id }) => id === listId);
  if (list === undefined || list.credential !== "platform") {
    return [];
  }
  const input = z.safeParse(list.body, undefined).success ? {} : { body: {} };
  const answer: unknown = await client.call(list as AnyOperation & { credential: "platform" }, input as never);
  return entriesOf(answer);
}

function entriesOf(answer: unknown): readonly ListedEntry[] {
  const list = Array.isArray(answer)
    ? answer
    : typeof answer === "object" && answer !== null
      ? Object.values(answer).find(Array.isArray)
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
