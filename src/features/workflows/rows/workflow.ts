import * as vscode from "vscode";
import { getWorkflow, listWorkflows } from "../../../api/catalogue/operations/workflows.ts";
import type { AccountValue } from "../../../api/client/account-scope.ts";
import type { PlatformClient } from "../../../api/client/client.ts";
import { versionsOf } from "../../../api/families/workflow-facts.ts";
import { readWorkflowTriggers, timerHoldersOf } from "../../../api/families/workflow-triggers.ts";
import { readLocks, readPermissions } from "../../../api/families/workflows.ts";
import { codeOf, dateOf, personOf } from "../../../ui/details/values.ts";
import { isoDate, relativeDate } from "../../../ui/format/dates.ts";
import { sentenceWords, versionLabel } from "../../../ui/format/labels.ts";
import { unknownId } from "../../../ui/resources/resource.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import type { Branch } from "../../../ui/tree/definition.ts";
import { WholeLists } from "../../../ui/tree/listing.ts";
import { cardDate } from "../../../ui/tree/presentation.ts";
import type { ResourceKind } from "../../../ui/tree/row-kind.ts";
import { groupsBranch } from "./group.ts";
import { triggerTable } from "./trigger.ts";
import { versionLink, versionTable } from "./version.ts";
import { type WorkflowEntry, type WorkflowRow, type WorkflowsState, workflowRow } from "./workflow-row.ts";

const pageSize = 50;

const workflowsOfAccount: AccountValue<WholeLists<WorkflowEntry>> = { create: () => new WholeLists(pageSize, 5) };

/** The workflows of a tenant. The platform returns all of them, so they are filtered here. */
export function workflowsBranch(tenantId: string): Branch<WorkflowRow> {
  return {
    key: "workflows",
    pageSize,
    words: {
      things: vscode.l10n.t("workflows"),
      empty: vscode.l10n.t("No workflows yet"),
      nothingFits: vscode.l10n.t("No matching workflows"),
    },
    read: async (request) => {
      const text = request.filter.toLocaleLowerCase();
      const read = (): Promise<readonly WorkflowEntry[]> => readWorkflows(request.client, request.signal);
      const fits = ({ name }: WorkflowEntry): boolean => name.toLocaleLowerCase().includes(text);
      const { items, total, hasMore } = await request.client.account
        .get(workflowsOfAccount)
        .page(tenantId, request, read, fits);
      return { rows: items.map((entry) => workflowRow(tenantId, entry)), total, hasMore };
    },
  };
}

/** All workflows of a tenant; the platform returns them in one response. */
async function readWorkflows(client: PlatformClient, signal: AbortSignal): Promise<readonly WorkflowEntry[]> {
  const listed = await client.call(listWorkflows, {}, { signal });
  return listed.map(({ id, name, description, owner, updatedOn, createdOn, lastVersionUpdatedOn }) => ({
    id: id ?? unknownId,
    name: name?.trim() || vscode.l10n.t("Unnamed workflow"),
    description: description ?? "",
    owner: String(owner ?? ""),
    updatedOn: isoDate(lastVersionUpdatedOn ?? updatedOn),
    createdOn: isoDate(createdOn),
  }));
}

export const workflow: ResourceKind<WorkflowRow, WorkflowsState> = {
  type: "workflow",
  item: (row, { summaryOf }) => {
    const { workflow } = row;
    const { version, lastRun } = summaryOf(row);
    const updated = relativeDate(workflow.updatedOn, vscode.env.language);
    const ran = relativeDate(lastRun, vscode.env.language);
    const facts = [
      version === undefined ? undefined : version === "" ? vscode.l10n.t("no versions") : versionLabel(version),
      ran === undefined
        ? updated === undefined
          ? undefined
          : vscode.l10n.t("updated {0}", updated)
        : vscode.l10n.t("last run {0}", ran),
    ];
    return {
      label: workflow.name,
      description: facts.filter((part) => part !== undefined).join(" · "),
      icon: "type-hierarchy",
      state: vscode.TreeItemCollapsibleState.Collapsed,
    };
  },
  card: async (row, { names }, { summaryOf }) => {
    const { name, description, owner, updatedOn, createdOn, id } = row.workflow;
    const { version = "", lastRun } = summaryOf(row);
    return {
      name,
      description,
      lines: [
        [vscode.l10n.t("Version"), version === "" ? undefined : versionLabel(version)],
        [vscode.l10n.t("Last run"), cardDate(lastRun)],
        [vscode.l10n.t("Owner"), personOf(owner, await names(owner))],
        [vscode.l10n.t("Updated"), cardDate(updatedOn)],
        [vscode.l10n.t("Created"), cardDate(createdOn)],
        [vscode.l10n.t("ID"), id],
      ],
    };
  },
  below: groupsBranch,
  details: async ({ client, resource }) => {
    const { id: modelId } = resource;
    const [model, permissions, locks] = await Promise.all([
      client.call(getWorkflow, { modelId }),
      readPermissions(client, modelId),
      readLocks(client, modelId),
    ]);
    const found = await readWorkflowTriggers(client, modelId, timerHoldersOf(model));
    const people = [
      ...[model.owner, model.createdBy, model.updatedBy],
      ...versionsOf(model).map(({ createdBy }) => createdBy),
      ...locks.map(({ lockedBy }) => lockedBy),
    ];
    const names = await userNames(client, people);
    const runs = model.totalTimesRun ?? model.totalExecutions;
    return {
      kind: vscode.l10n.t("Workflow"),
      description: model.description ?? undefined,
      lines: [
        [vscode.l10n.t("ID"), codeOf(modelId)],
        [vscode.l10n.t("Owner"), personOf(model.owner, names)],
        [vscode.l10n.t("Executions"), runs === null || runs === undefined ? undefined : String(runs)],
        [vscode.l10n.t("Created"), dateOf(model.createdOn ?? model.createdAt)],
        [vscode.l10n.t("Created by"), personOf(model.createdBy, names)],
        [vscode.l10n.t("Updated"), dateOf(model.updatedOn ?? model.updatedAt)],
        [vscode.l10n.t("Updated by"), personOf(model.updatedBy, names)],
      ],
      sections: [
        versionTable(versionsOf(model), resource, names),
        triggerTable(found, resource),
        {
          type: "table",
          title: vscode.l10n.t("Locks"),
          columns: [vscode.l10n.t("Version"), vscode.l10n.t("Locked by"), vscode.l10n.t("Since")],
          rows: locks.map(({ version, lockedBy, lockedOn }) => [
            versionLink(resource, version),
            personOf(lockedBy, names),
            dateOf(lockedOn?.getTime()),
          ]),
          empty: vscode.l10n.t("No versions are locked."),
        },
        {
          type: "table",
          title: vscode.l10n.t("Permissions"),
          columns: [vscode.l10n.t("Name"), vscode.l10n.t("Type"), vscode.l10n.t("Permissions")],
          rows: permissions.map(({ name, type, permissions: own }) => [
            name,
            sentenceWords(type, vscode.l10n.t),
            own.map((one) => sentenceWords(one, vscode.l10n.t)).join(", "),
          ]),
          empty: vscode.l10n.t("The platform doesn't provide permissions."),
        },
      ],
      raw: { model, triggers: found.triggers, locks, permissions },
    };
  },
};
