import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Trigger } from "../../api/catalogue/models/workflows.ts";
import { getTriggerForm } from "../../api/catalogue/operations/triggers.ts";
import { readTriggersOfVersions } from "../../api/families/workflow-facts.ts";
import type { DetailSection, DetailsReader, DetailValue } from "../../ui/details/details.ts";
import { codeOf, dateOf } from "../../ui/details/values.ts";
import { sentenceWords } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { type FormLookup, formId, formInput, formOfId, versionsId, versionsOfId } from "./lookup.ts";
import { formField } from "./start-values.ts";
import { triggerState, triggerStateWord } from "./words.ts";

interface OfWorkflow {
  readonly tenantId: string;
  readonly modelId: string;
  readonly name: string;
}

/** The start form of a version for a trigger or deployment. */
export function startForm({ tenantId, modelId, name }: OfWorkflow, lookup: FormLookup): PlatformResource {
  const title = vscode.l10n.t("Start form of {0} v{1}", name, lookup.version);
  return { type: "startForm", tenantId, id: formId(lookup), parentId: modelId, name: title };
}

/** The triggers that are attached to these versions of a workflow. An empty list means all versions. */
export function attachedTriggers(
  { tenantId, modelId, name }: OfWorkflow,
  versions: readonly string[],
): PlatformResource {
  const title =
    versions.length === 0
      ? vscode.l10n.t("Triggers of {0}", name)
      : vscode.l10n.t("Triggers of {0} v{1}", name, versions.join(", v"));
  return { type: "attachedTriggers", tenantId, id: versionsId(versions), parentId: modelId, name: title };
}

/** Reads a start form for its document. */
export const startFormReader: DetailsReader = async ({ client, resource }) => {
  const { tenantId, id, parentId: modelId = "" } = resource;
  const lookup = formOfId(id);
  const { version, trigger, deploymentId } = lookup;
  const form = await client.call(getTriggerForm, formInput(modelId, lookup));
  return {
    kind: vscode.l10n.t("Start form"),
    description: form.description ?? undefined,
    lines: [
      [vscode.l10n.t("Version"), version],
      [
        vscode.l10n.t("Trigger"),
        trigger === undefined
          ? undefined
          : { type: "resource", resource: { type: "trigger", tenantId, parentId: modelId, ...trigger } },
      ],
      [vscode.l10n.t("Deployment"), deploymentId === undefined ? undefined : codeOf(deploymentId)],
    ],
    sections: [formSection(form.sections ?? [])],
    raw: form,
  };
};

/** Reads the triggers that are attached to versions of a workflow. */
export const attachedTriggersReader: DetailsReader = async ({ client, resource }) => {
  const { tenantId, id, parentId: modelId = "" } = resource;
  const triggers = await readTriggersOfVersions(client, modelId, versionsOfId(id));
  return {
    kind: vscode.l10n.t("Triggers attached to the workflow"),
    lines: [],
    sections: [
      {
        type: "table",
        title: vscode.l10n.t("Triggers"),
        columns: [
          vscode.l10n.t("Trigger"),
          vscode.l10n.t("Type"),
          vscode.l10n.t("Attached to version"),
          vscode.l10n.t("Starts version"),
          vscode.l10n.t("State"),
          vscode.l10n.t("Created"),
        ],
        rows: triggers.map((trigger) => [
          triggerLink(trigger, tenantId, modelId),
          sentenceWords(trigger.type ?? "", vscode.l10n.t),
          trigger.entityVersion ?? "",
          trigger.modelVersion ?? "",
          triggerStateWord(triggerState(trigger), vscode.l10n.t),
          dateOf(trigger.createdAt),
        ]),
        empty: vscode.l10n.t("No triggers."),
      },
    ],
    raw: triggers,
  };
};

function triggerLink({ id, name }: Trigger, tenantId: string, parentId: string): DetailValue {
  const shown = name?.trim() || vscode.l10n.t("Unnamed trigger");
  return typeof id === "string" && id !== ""
    ? { type: "resource", resource: { type: "trigger", tenantId, id, parentId, name: shown } }
    : shown;
}

/** A start form's fields as a table. */
export function formSection(
  sections: readonly {
    readonly title?: string | null | undefined;
    readonly fields?: readonly unknown[] | null | undefined;
  }[],
): DetailSection {
  const rows = sections.flatMap(({ title, fields }) =>
    (fields ?? []).map((field) => {
      const { alias, label: own, dataType, isList, optional } = z.safeParse(formField, field).data ?? {};
      const type = sentenceWords(dataType ?? "", vscode.l10n.t);
      return [
        own ?? alias ?? "",
        title ?? "",
        isList === true ? vscode.l10n.t("list of {0}", type) : type,
        optional === true ? vscode.l10n.t("no") : vscode.l10n.t("yes"),
      ];
    }),
  );
  return {
    type: "table",
    title: vscode.l10n.t("Start form"),
    columns: [vscode.l10n.t("Field"), vscode.l10n.t("Section"), vscode.l10n.t("Type"), vscode.l10n.t("Required")],
    rows,
    empty: vscode.l10n.t("The form has no fields."),
  };
}
