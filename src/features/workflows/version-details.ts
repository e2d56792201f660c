import * as vscode from "vscode";
import * as z from "zod/mini";
import { getTriggerForm } from "../../api/catalogue/operations/triggers.ts";
import { getVersionDefinition, getWorkflowVersion } from "../../api/catalogue/operations/workflows.ts";
import { readDesign, type WorkflowDesign } from "../../api/families/workflow-definition.ts";
import { callText, packageNames } from "../../api/families/workflow-facts.ts";
import type { DetailSection, DetailsReader } from "../../ui/details/details.ts";
import { dateOf, personOf } from "../../ui/details/values.ts";
import { sentenceWords, withoutVersion } from "../../ui/format/labels.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { userNames } from "../../ui/resources/user-names.ts";

const formField = z.looseObject({
  id: z.nullish(z.string()),
  alias: z.nullish(z.string()),
  label: z.nullish(z.string()),
  dataType: z.nullish(z.string()),
  isList: z.nullish(z.boolean()),
  optional: z.nullish(z.boolean()),
});

/** Reads a version of a workflow with its definition and its start form. */
export const versionReader: DetailsReader = async ({ client, resource }) => {
  const { tenantId, id: version, parentId: modelId = "", name } = resource;
  const input = { modelId, version };
  const [facts, definition, form] = await Promise.all([
    client.call(getWorkflowVersion, input),
    client.call(getVersionDefinition, input),
    client.call(getTriggerForm, input),
  ]);
  const names = await userNames(client, [facts.owner, facts.createdBy, facts.updatedBy]);
  const design = readDesign(definition);
  const packages = await packageNames(client, design.steps);
  const workflow: PlatformResource = {
    type: "workflow",
    tenantId,
    id: modelId,
    name: withoutVersion(name, version) ?? modelId,
  };
  const { totalExecutions: runs, active, releasedAt, description } = facts;
  const isDraft = releasedAt === null || releasedAt === undefined;
  return {
    kind: vscode.l10n.t("Workflow version"),
    description: description ?? undefined,
    lines: [
      [vscode.l10n.t("Workflow"), { type: "resource", resource: workflow }],
      [vscode.l10n.t("Version"), version],
      [
        vscode.l10n.t("State"),
        active === true ? vscode.l10n.t("active") : isDraft ? vscode.l10n.t("draft") : vscode.l10n.t("released"),
      ],
      [vscode.l10n.t("Executions"), runs === null || runs === undefined ? undefined : String(runs)],
      [vscode.l10n.t("Owner"), personOf(facts.owner, names)],
      [vscode.l10n.t("Released"), dateOf(releasedAt)],
      [vscode.l10n.t("Created"), dateOf(facts.createdAt)],
      [vscode.l10n.t("Created by"), personOf(facts.createdBy, names)],
      [vscode.l10n.t("Updated"), dateOf(facts.updatedAt)],
      [vscode.l10n.t("Updated by"), personOf(facts.updatedBy, names)],
    ],
    sections: [...designSections(design, packages), formSection(form.sections ?? [])],
    raw: { version: facts, definition, form },
  };
};

function designSections(
  { steps, connections, parameters }: WorkflowDesign,
  packages: ReadonlyMap<string, string>,
): readonly DetailSection[] {
  const titleOf = (id: string): string => steps.find((step) => step.id === id)?.title ?? id;
  return [
    {
      type: "table",
      title: vscode.l10n.t("Steps"),
      columns: [vscode.l10n.t("Step"), vscode.l10n.t("Type"), vscode.l10n.t("Calls"), vscode.l10n.t("Leads to")],
      rows: steps.map(({ id, title, kind, calls }) => [
        title,
        kind,
        callText({ calls }, packages),
        connections
          .filter(({ from }) => from === id)
          .map((connection) => titleOf(connection.to) + (connection.label === "" ? "" : ` (${connection.label})`))
          .join(", "),
      ]),
      empty: vscode.l10n.t("The definition has no steps yet."),
    },
    {
      type: "table",
      title: vscode.l10n.t("Data"),
      columns: [vscode.l10n.t("Name"), vscode.l10n.t("Type")],
      rows: parameters.map(({ name, type, isList }) => [name, isList ? vscode.l10n.t("list of {0}", type) : type]),
      empty: vscode.l10n.t("The definition has no data."),
    },
  ];
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
