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
import { errorMessage } from "../../api/error-message.ts";
import { type VersionOfWorkflow, versionsOf } from "../../api/families/workflow-facts.ts";
import { firstVersion } from "../../api/families/workflows.ts";
import { errorText } from "../../tenants/error-text.ts";
import { showError } from "../../tenants/messages.ts";
import { anyText, choice, type ParsedText, required, text } from "../../ui/quick-input/questions.ts";
import { type Question, Steps } from "../../ui/quick-input/wizard.ts";
import { type ChosenWorkflow, versionItem } from "./choice.ts";

/** Asks for a workflow and creates it. Returns its id. */
export async function createWorkflowByForm(client: PlatformClient, tenant: string): Promise<string> {
  const { name, description, version } = await Steps.from({})
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Name of the workflow"),
        placeholder: vscode.l10n.t("Invoice approval"),
        read: required(vscode.l10n.t("A name is required.")),
      })),
      (typed) => ({ name: typed }),
    )
    .step(
      text(() => ({
        prompt: vscode.l10n.t("Description (optional)"),
        placeholder: "",
        read: anyText,
      })),
      (typed) => ({ description: typed }),
    )
    .step(
      text(() => ({
        prompt: vscode.l10n.t("First version. Leave empty to create the workflow without a version."),
        placeholder: "1.0.0",
        initial: "1.0.0",
        read: (typed) => (typed === "" ? { valid: true, value: typed } : readVersion(typed, [])),
      })),
      (typed) => ({ version: typed }),
    )
    .ask(vscode.l10n.t("Create Workflow · {0}", tenant));
  const versions = version === "" ? [] : [{ version }];
  const created = await client.call(createWorkflow, { body: { name, description, versions } });
  if (created.id === null || created.id === undefined) {
    throw new Error(
      vscode.l10n.t("The platform created {0} but didn't return its ID. Refresh the view to see it.", name),
    );
  }
  return created.id;
}

/**
 * Asks for a version and creates it, with the separate call for a first version if there is none. Returns its number.
 */
export async function createVersionByForm({ client, modelId, name }: ChosenWorkflow): Promise<string> {
  const versions = versionsOf(await client.call(getWorkflow, { modelId }));
  const title = vscode.l10n.t("Create Version of {0}", name);
  const versionQuestion = text(() => ({
    prompt: vscode.l10n.t("Version number"),
    placeholder: "1.0.0",
    initial: versions.length === 0 ? "1.0.0" : nextVersion(versions),
    read: (typed) => readVersion(typed, versions),
  }));
  if (versions.length === 0) {
    const { version, definition } = await Steps.from({})
      .step(versionQuestion, (typed) => ({ version: typed }))
      .step(definitionQuestion(), (chosen) => ({ definition: chosen }))
      .ask(title);
    await client.call(createFirstWorkflowVersion, { modelId, body: firstVersion(version, definition) });
    return version;
  }
  const { from, version, description } = await Steps.from({})
    .step(
      choice(() => ({
        placeholder: vscode.l10n.t("Choose what the version starts with"),
        items: [
          ...versions.map((one) => ({ ...versionItem(one), value: one.version })),
          { label: vscode.l10n.t("Nothing"), description: vscode.l10n.t("an empty version"), value: "" },
        ],
      })),
      (chosen) => ({ from: chosen }),
    )
    .step(versionQuestion, (typed) => ({ version: typed }))
    .step(
      text(() => ({
        prompt: vscode.l10n.t("What's new in this version (optional)"),
        placeholder: "",
        read: anyText,
      })),
      (typed) => ({ description: typed }),
    )
    .ask(title);
  const body = { version, description, ...(from === "" ? {} : { fromModel: [modelId, from] }) };
  await client.call(createWorkflowVersion, { modelId, body });
  return version;
}

/** The definition of a first version: a start and an end, or the contents of a file. */
function definitionQuestion(): Question<object, object> {
  const origin = choice(() => ({
    placeholder: vscode.l10n.t("Choose what the version starts with"),
    items: [
      {
        label: vscode.l10n.t("A Start and an End"),
        description: vscode.l10n.t("add steps in the web application"),
        value: "empty",
      },
      {
        label: vscode.l10n.t("A Definition from a File…"),
        description: vscode.l10n.t("the JSON of another version"),
        value: "file",
      },
    ],
  }));
  return async (form, place) => {
    for (;;) {
      const response = await origin(form, place);
      if (response.type === "back") {
        return response;
      }
      if (response.value === "empty") {
        return { type: "next", value: emptyDefinition };
      }
      const [uri] =
        (await vscode.window.showOpenDialog({
          title: vscode.l10n.t("Definition of the Version"),
          filters: { JSON: ["json"] },
        })) ?? [];
      try {
        if (uri !== undefined) {
          return { type: "next", value: await definitionIn(uri) };
        }
      } catch (error) {
        // The previous answers are kept, and another file can be chosen.
        void showError(errorText(error));
      }
    }
  };
}

/** The definition in a file. Throws with the reason if the file doesn't contain one. */
async function definitionIn(uri: vscode.Uri): Promise<object> {
  const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("utf8");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(vscode.l10n.t("{0} isn't valid JSON: {1}", uri.path, reason));
  }
  const read = z.safeParse(z.looseObject({ designElements: z.array(z.unknown()) }), parsed);
  if (!read.success) {
    throw new Error(vscode.l10n.t("{0} isn't a workflow definition: it has no designElements list.", uri.path));
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
    id,
    type,
    index,
    position: { x: 80, y: index * 140 },
    style: { zIndex: 3 },
    data: { title, type: title, _designNode: id, description: "", dimensions },
  };
}

/** Parses a version number that is not in use yet. */
function readVersion(typed: string, versions: readonly VersionOfWorkflow[]): ParsedText<string> {
  if (!z.safeParse(semanticVersionText, typed).success) {
    return { valid: false, reason: vscode.l10n.t("Enter a semantic version, such as 1.0.0.") };
  }
  return versions.some(({ version }) => version === typed)
    ? { valid: false, reason: vscode.l10n.t("Version {0} already exists.", typed) }
    : { valid: true, value: typed };
}

/** The newest version with its minor number incremented. */
function nextVersion([newest]: readonly VersionOfWorkflow[]): string {
  const [major = "1", minor = "0"] = newest?.version.split(".") ?? [];
  return /^\d+$/.test(major) && /^\d+$/.test(minor) ? `${major}.${Number(minor) + 1}.0` : "";
}
