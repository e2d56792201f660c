import * as vscode from "vscode";
import { getTriggerForm } from "../../../api/catalogue/operations/triggers.ts";
import { getVersionDefinition, getWorkflowVersion } from "../../../api/catalogue/operations/workflows.ts";
import { readDesign, type WorkflowDesign } from "../../../api/families/workflow-definition.ts";
import { callText, packageNames, type VersionOfWorkflow } from "../../../api/families/workflow-facts.ts";
import type { WorkflowLock } from "../../../api/families/workflows.ts";
import type { DetailSection, DetailValue } from "../../../ui/details/details.ts";
import { dateOf, type Names, personOf } from "../../../ui/details/values.ts";
import { relativeDate } from "../../../ui/format/dates.ts";
import { versionLabel, versionName, withoutVersion } from "../../../ui/format/labels.ts";
import type { PlatformResource } from "../../../ui/resources/resource.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import { cardDate } from "../../../ui/tree/presentation.ts";
import type { ResourceKind, RowKind } from "../../../ui/tree/row-kind.ts";
import { formSection, startForm } from "../lookup-details.ts";
import type { OfWorkflow, WorkflowGroup, WorkflowGroupRow } from "./workflow-row.ts";

const { Collapsed } = vscode.TreeItemCollapsibleState;

interface WorkflowVersionRow extends OfWorkflow {
  readonly type: "workflowVersion";
  readonly version: VersionOfWorkflow;
  readonly lock: WorkflowLock | undefined;
  readonly resource: PlatformResource;
}

/** The definition of a version, or its start form. */
interface WorkflowPartRow extends OfWorkflow {
  readonly type: "workflowDefinition" | "workflowForm";
  readonly version: string;
}

export const versionsGroup: WorkflowGroup = {
  label: vscode.l10n.t("Versions"),
  icon: "versions",
  things: vscode.l10n.t("versions"),
  empty: vscode.l10n.t("No versions yet"),
  count: ({ versions }) => versions.length,
  // The workflow's response contains the versions. The list is needed only to show that there are none.
  known: versionRows,
  read: async () => [],
};

/** The versions of a workflow, newest first, from the workflow's response. */
function versionRows(group: WorkflowGroupRow): readonly WorkflowVersionRow[] {
  const { tenantId, modelId, modelName, versions, locks } = group;
  return versions.map((version) => ({
    type: "workflowVersion",
    tenantId,
    key: `workflow/${modelId}/version/${version.version}`,
    modelId,
    modelName,
    version,
    lock: locks.find((lock) => lock.version === version.version),
    resource: {
      type: "workflowVersion",
      tenantId,
      id: version.version,
      parentId: modelId,
      name: versionName(modelName, version.version),
    },
  }));
}

export const workflowVersion: ResourceKind<WorkflowVersionRow> = {
  type: "workflowVersion",
  item: ({ version, lock }) => {
    const { label, description, icon } = versionLook(version);
    const runs = version.runs ?? 0;
    const facts = [
      description,
      runs === 0 ? "" : runs === 1 ? vscode.l10n.t("1 run") : vscode.l10n.t("{0} runs", runs),
      lock === undefined ? "" : vscode.l10n.t("locked"),
    ];
    return {
      label,
      description: facts.filter((fact) => fact !== "").join(" · "),
      icon: lock === undefined ? icon : "lock",
      color: lock === undefined && version.state === "active" ? "testing.iconPassed" : undefined,
      state: Collapsed,
      contextValue: `workflowVersion.${version.state}`,
    };
  },
  card: async ({ modelName, version: own, lock }, { names: namesOf }) => {
    const { version, state, description, createdOn, createdBy, deployedOn, runs } = own;
    const names = await namesOf(createdBy, lock?.lockedBy);
    return {
      name: versionName(modelName, version),
      description,
      lines: [
        [vscode.l10n.t("State"), versionWord(state)],
        [vscode.l10n.t("Released"), cardDate(deployedOn?.getTime())],
        [vscode.l10n.t("Created"), cardDate(createdOn?.getTime())],
        [vscode.l10n.t("Created by"), personOf(createdBy, names)],
        [vscode.l10n.t("Runs"), runs === undefined ? undefined : String(runs)],
        [vscode.l10n.t("Locked by"), personOf(lock?.lockedBy, names)],
        [vscode.l10n.t("Locked"), cardDate(lock?.lockedOn?.getTime())],
      ],
    };
  },
  below: (row): readonly WorkflowPartRow[] => {
    const { tenantId, key, modelId, modelName } = row;
    const { version } = row.version;
    return [
      { type: "workflowDefinition", key: `${key}/definition`, tenantId, modelId, modelName, version },
      { type: "workflowForm", key: `${key}/form`, tenantId, modelId, modelName, version },
    ];
  },
  open: showDefinition,
  details: async ({ client, resource }) => {
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
  },
};

export const workflowDefinition: RowKind<WorkflowPartRow> = {
  type: "workflowDefinition",
  item: () => ({
    label: vscode.l10n.t("Definition"),
    description: vscode.l10n.t("diagram of the steps"),
    icon: "type-hierarchy-sub",
  }),
  open: showDefinition,
};

export const workflowForm: RowKind<WorkflowPartRow> = {
  type: "workflowForm",
  item: () => ({
    label: vscode.l10n.t("Start Form"),
    description: vscode.l10n.t("fields to fill in"),
    icon: "checklist",
  }),
  open: ({ tenantId, modelId, modelName, version }) => ({
    command: "platformWorkbench.showDetails",
    title: vscode.l10n.t("Show Start Form"),
    arguments: [startForm({ tenantId, modelId, name: modelName }, { version })],
  }),
};

function showDefinition(row: OfWorkflow): vscode.Command {
  return {
    command: "platformWorkbench.showWorkflowDefinition",
    title: vscode.l10n.t("Show Workflow Definition"),
    arguments: [row],
  };
}

/** The appearance of a version in the tree and in quick picks. */
export function versionLook({ version, state, deployedOn, createdOn }: VersionOfWorkflow): {
  readonly label: string;
  readonly description: string;
  readonly icon: string;
} {
  const date = relativeDate((deployedOn ?? createdOn)?.toISOString(), vscode.env.language);
  return {
    label: versionLabel(version),
    description: [versionWord(state), date].filter((part) => part !== undefined).join(" · "),
    icon: { active: "pass", released: "tag", draft: "edit" }[state],
  };
}

/** The state of a version in words. */
function versionWord(state: "draft" | "released" | "active"): string {
  switch (state) {
    case "draft":
      return vscode.l10n.t("draft");
    case "released":
      return vscode.l10n.t("released");
    case "active":
      return vscode.l10n.t("active");
  }
}

/** A link to a version of a workflow; only the version if the workflow is unknown. */
export function versionLink(
  { tenantId, id: parentId, name }: Pick<PlatformResource, "tenantId" | "id" | "name">,
  version: string,
): DetailValue {
  return version === "" || parentId === ""
    ? version
    : {
        type: "resource",
        resource: { type: "workflowVersion", tenantId, id: version, parentId, name: versionName(name, version) },
      };
}

/** The versions of a workflow in its details. */
export function versionTable(
  versions: readonly VersionOfWorkflow[],
  workflow: PlatformResource,
  names: Names,
): DetailSection {
  return {
    type: "table",
    title: vscode.l10n.t("Versions"),
    columns: [
      ...[vscode.l10n.t("Version"), vscode.l10n.t("State"), vscode.l10n.t("Runs"), vscode.l10n.t("Created")],
      ...[vscode.l10n.t("Created by"), vscode.l10n.t("Description")],
    ],
    rows: versions.map(({ version, state, runs, createdOn, createdBy, description }) => [
      versionLink(workflow, version),
      versionWord(state),
      runs === undefined ? undefined : String(runs),
      dateOf(createdOn?.getTime()),
      personOf(createdBy, names),
      description,
    ]),
    empty: vscode.l10n.t("No versions yet."),
  };
}

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
