import * as vscode from "vscode";
import * as z from "zod/mini";
import { semanticVersionText } from "../../api/catalogue/models/workflows.ts";
import {
  createFirstWorkflowVersion,
  createWorkflow,
  createWorkflowVersion,
  getWorkflow,
} from "../../api/catalogue/operations/workflows.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { type VersionOfWorkflow, versionsOf } from "../../api/families/workflow-facts.ts";
import { firstVersion } from "../../api/families/workflows.ts";
import { askChoice, askText, type StepResult } from "../../ui/quick-input/step-inputs.ts";
import { type ChosenWorkflow, versionItem } from "./choice.ts";

/** One step of a form: asks, and gives the form with the answer. */
type FormStep<Form> = (
  form: Form,
  place: { title: string; step: number; totalSteps: number },
) => Promise<StepResult<Form>>;

/** Asks step by step, with a way back. */
async function askForm<Form>(title: string, empty: Form, steps: readonly FormStep<Form>[]): Promise<Form> {
  let form = empty;
  for (let index = 0; ; ) {
    const step = steps[index];
    if (step === undefined) {
      return form;
    }
    const answer = await step(form, { title, step: index + 1, totalSteps: steps.length });
    if (answer.type === "next") {
      form = answer.value;
    }
    index += answer.type === "next" ? 1 : -1;
  }
}

/** A step that asks for one member of the form as text. */
function textStep<Form, Name extends keyof Form>(
  name: Name,
  words: { readonly prompt: string; readonly placeholder: string },
  validate: (text: string) => string | undefined,
): FormStep<Form & Record<Name, string>> {
  return async (form, place) => {
    const answer = await askText({ ...place, ...words, value: form[name], validate });
    return answer.type === "back" ? answer : { type: "next", value: { ...form, [name]: answer.value } };
  };
}

/** Asks for a workflow and creates it; gives its id. */
export async function createWorkflowByForm(client: PlatformClient, tenant: string): Promise<string> {
  const form = await askForm(
    vscode.l10n.t("Create Workflow · {0}", tenant),
    { name: "", description: "", version: "1.0.0" },
    [
      textStep(
        "name",
        { prompt: vscode.l10n.t("Name of the workflow"), placeholder: vscode.l10n.t("Invoice approval") },
        (text) => (text.trim() === "" ? vscode.l10n.t("A workflow needs a name.") : undefined),
      ),
      textStep(
        "description",
        { prompt: vscode.l10n.t("What it is for; can stay empty"), placeholder: "" },
        () => undefined,
      ),
      textStep(
        "version",
        { prompt: vscode.l10n.t("Its first version; empty for a workflow without one"), placeholder: "1.0.0" },
        (text) => (text.trim() === "" ? undefined : versionFault(text.trim(), [])),
      ),
    ],
  );
  const versions = form.version === "" ? [] : [{ version: form.version }];
  const { name, description } = form;
  const created = await client.call(createWorkflow, { body: { name, description, versions } });
  if (created.id === null || created.id === undefined) {
    throw new Error(
      vscode.l10n.t("The platform created {0} without telling its id. Refresh the view to see it.", name),
    );
  }
  return created.id;
}

/** Asks for a version and creates it, with the call for a first version where there is none; gives its number. */
export async function createVersionByForm({ client, modelId, name }: ChosenWorkflow): Promise<string> {
  const versions = versionsOf(await client.call(getWorkflow, { modelId }));
  const title = vscode.l10n.t("Create Version of {0}", name);
  const versionStep = textStep<{ version: string }, "version">(
    "version",
    { prompt: vscode.l10n.t("Number of the version"), placeholder: "1.0.0" },
    (text) => versionFault(text.trim(), versions),
  );
  if (versions.length === 0) {
    const { version, definition } = await askForm<FirstVersionForm>(
      title,
      { version: "1.0.0", definition: { type: "empty" } },
      [async (form, place) => merged(form, await versionStep(form, place)), definitionStep],
    );
    const body = firstVersion(version, definition.type === "empty" ? emptyDefinition : definition.content);
    await client.call(createFirstWorkflowVersion, { modelId, body });
    return version;
  }
  const { version, description, from } = await askForm<NextVersionForm>(
    title,
    { version: nextVersion(versions), description: "", from: versions[0]?.version ?? "" },
    [
      fromStep(versions),
      async (form, place) => merged(form, await versionStep(form, place)),
      async (form, place) =>
        merged(
          form,
          await textStep<{ description: string }, "description">(
            "description",
            { prompt: vscode.l10n.t("What is new in it; can stay empty"), placeholder: "" },
            () => undefined,
          )(form, place),
        ),
    ],
  );
  const body = { version, description, ...(from === "" ? {} : { fromModel: [modelId, from] }) };
  await client.call(createWorkflowVersion, { modelId, body });
  return version;
}

interface FirstVersionForm {
  readonly version: string;
  readonly definition: FirstDefinition;
}

type FirstDefinition = { readonly type: "empty" } | { readonly type: "file"; readonly content: object };

interface NextVersionForm {
  readonly version: string;
  readonly description: string;
  /** The version whose definition it begins with; empty for none. */
  readonly from: string;
}

function merged<Form extends object>(form: Form, answer: StepResult<Partial<Form>>): StepResult<Form> {
  return answer.type === "back" ? answer : { type: "next", value: { ...form, ...answer.value } };
}

function fromStep(versions: readonly VersionOfWorkflow[]): FormStep<NextVersionForm> {
  return async (form, place) => {
    const answer = await askChoice({
      ...place,
      placeholder: vscode.l10n.t("What the version begins with"),
      items: [
        ...versions.map((one) => ({ ...versionItem(one), value: one.version })),
        { label: vscode.l10n.t("Nothing"), description: vscode.l10n.t("an empty version"), value: "" },
      ],
      isActive: (value) => value === form.from,
    });
    return answer.type === "back" ? answer : { type: "next", value: { ...form, from: answer.value } };
  };
}

const definitionStep: FormStep<FirstVersionForm> = async (form, place) => {
  for (;;) {
    const answer = await askChoice({
      ...place,
      placeholder: vscode.l10n.t("What the version begins with"),
      items: [
        {
          label: vscode.l10n.t("A Start and an End"),
          description: vscode.l10n.t("to be filled in the web application"),
          value: "empty" as const,
        },
        {
          label: vscode.l10n.t("A Definition from a File…"),
          description: vscode.l10n.t("the JSON of another version"),
          value: "file" as const,
        },
      ],
      isActive: (value) => value === form.definition.type,
    });
    if (answer.type === "back") {
      return answer;
    }
    if (answer.value === "empty") {
      return { type: "next", value: { ...form, definition: { type: "empty" } } };
    }
    const [uri] =
      (await vscode.window.showOpenDialog({
        title: vscode.l10n.t("Definition of the Version"),
        filters: { JSON: ["json"] },
      })) ?? [];
    try {
      if (uri !== undefined) {
        return { type: "next", value: { ...form, definition: { type: "file", content: await definitionIn(uri) } } };
      }
    } catch (error) {
      // What was typed so far stays, and another file can be chosen.
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  }
};

/** The definition that a file holds; throws with the reason for one that holds none. */
async function definitionIn(uri: vscode.Uri): Promise<object> {
  const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(vscode.l10n.t("{0} holds no JSON: {1}", uri.path, reason));
  }
  const read = z.safeParse(z.looseObject({ designElements: z.array(z.unknown()) }), parsed);
  if (!read.success) {
    throw new Error(vscode.l10n.t("{0} holds no workflow definition: it has no list designElements.", uri.path));
  }
  return read.data;
}

const emptyDefinition = {
  version: 2,
  designElements: [
    startOrEnd("rootNode", "rootNode", "Start", 0),
    startOrEnd("endNode", "endNode", "End", 1),
    { id: "rootNode-endNode", type: "straightEdge", source: "rootNode", target: "endNode" },
  ],
  dataList: [],
  outputs: [],
} as const;

function startOrEnd(id: string, type: string, title: string, index: number): object {
  const dimensions = { width: 200, height: 60 };
  return {
    ...{ id, type, index, position: { x: 80, y: index * 140 }, style: { zIndex: 3 } },
    data: { title, type: title, _designNode: id, description: "", dimensions },
  };
}

/** What is wrong with a version's number. */
function versionFault(text: string, versions: readonly VersionOfWorkflow[]): string | undefined {
  if (!z.safeParse(semanticVersionText, text).success) {
    return vscode.l10n.t("Type a semantic version, as 1.0.0.");
  }
  return versions.some(({ version }) => version === text)
    ? vscode.l10n.t("There is a version {0} already.", text)
    : undefined;
}

/** The newest version with its second number raised. */
function nextVersion([newest]: readonly VersionOfWorkflow[]): string {
  const [major = "1", minor = "0"] = newest?.version.split(".") ?? [];
  return /^\d+$/.test(major) && /^\d+$/.test(minor) ? `${major}.${Number(minor) + 1}.0` : "";
}
