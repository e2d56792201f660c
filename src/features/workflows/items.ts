import * as vscode from "vscode";
import { beganOf, lengthOf } from "../../api/families/workflow-facts.ts";
import { isoDate, relativeDate, runTime } from "../../ui/format/dates.ts";
import { constantWords, versionLabel } from "../../ui/format/labels.ts";
import { duration } from "../../ui/format/quantities.ts";
import { type ItemParts, treeItem } from "../../ui/tree/presentation.ts";
import type {
  ExecutionRow,
  LockRow,
  TriggerRow,
  WorkflowGroup,
  WorkflowGroupRow,
  WorkflowRow,
  WorkflowTreeRow,
  WorkflowVersionRow,
} from "./rows.ts";
import { executionLook, struckThrough, timerOf } from "./words.ts";

const { Collapsed } = vscode.TreeItemCollapsibleState;

/** Facts about a workflow that are known once the lists below it have been read. */
export interface WorkflowSummary {
  /** Its active or newest version; empty for a workflow without versions. */
  readonly version?: string | undefined;
  /** The start time of its last run, in ISO 8601. */
  readonly lastRun?: string | undefined;
}

/** The tree item of a row of the Workflows view. */
export function workflowItem(row: WorkflowTreeRow, summary: WorkflowSummary): vscode.TreeItem {
  switch (row.type) {
    case "workflow":
      return workflowOwnItem(row, summary);
    case "workflowGroup":
      return groupItem(row);
    case "workflowVersion":
      return versionItem(row);
    case "workflowDefinition":
      return plain(vscode.l10n.t("Definition"), vscode.l10n.t("diagram of the steps"), "type-hierarchy-sub", row.type);
    case "workflowForm":
      return plain(vscode.l10n.t("Start Form"), vscode.l10n.t("fields to fill in"), "checklist", row.type);
    case "execution":
      return executionItem(row);
    case "trigger":
      return triggerItem(row);
    case "lock":
      return lockItem(row);
    case "permission": {
      const { name, type, permissions } = row.permission;
      const icon = type === "GROUP" ? "organization" : "person";
      return plain(name, permissions.map((one) => constantWords(one, vscode.l10n.t)).join(", "), icon, row.type);
    }
    case "usedFunction":
      return plain(row.packageName, row.functionName, "symbol-function", row.type, { state: Collapsed });
    case "usingWorkflow": {
      const { name, version } = row.using;
      return plain(name, version === undefined ? "" : versionLabel(version), "type-hierarchy", row.type);
    }
  }
}

function plain(
  label: string,
  description: string,
  icon: string,
  contextValue: string,
  parts: Partial<ItemParts> = {},
): vscode.TreeItem {
  const accessibilityLabel = description === "" ? label : `${label}, ${description}`;
  return treeItem({ label, description, icon, contextValue, accessibilityLabel, ...parts });
}

function workflowOwnItem({ workflow }: WorkflowRow, { version, lastRun }: WorkflowSummary): vscode.TreeItem {
  const updated = relativeDate(workflow.updatedOn, vscode.env.language);
  const ran = relativeDate(lastRun, vscode.env.language);
  const description = [
    version === undefined ? undefined : version === "" ? vscode.l10n.t("no versions") : versionLabel(version),
    ran === undefined
      ? updated === undefined
        ? undefined
        : vscode.l10n.t("updated {0}", updated)
      : vscode.l10n.t("last run {0}", ran),
  ];
  const text = description.filter((part) => part !== undefined).join(" · ");
  return plain(workflow.name, text, "type-hierarchy", "workflow", { state: Collapsed });
}

function groupItem({ group, versions, locks, runs }: WorkflowGroupRow): vscode.TreeItem {
  const { label, icon } = groupLook(group);
  const counts: Readonly<Partial<Record<WorkflowGroup, number | undefined>>> = {
    versions: versions.length,
    executions: runs,
    locks: locks.length,
  };
  const count = counts[group];
  return plain(label, count?.toString() ?? "", icon, `workflowGroup.${group}`, { state: Collapsed });
}

function groupLook(group: WorkflowGroup): { readonly label: string; readonly icon: string } {
  switch (group) {
    case "versions":
      return { label: vscode.l10n.t("Versions"), icon: "versions" };
    case "executions":
      return { label: vscode.l10n.t("Executions"), icon: "history" };
    case "triggers":
      return { label: vscode.l10n.t("Triggers"), icon: "zap" };
    case "locks":
      return { label: vscode.l10n.t("Locks"), icon: "lock" };
    case "permissions":
      return { label: vscode.l10n.t("Permissions"), icon: "shield" };
    case "usage":
      return { label: vscode.l10n.t("Usage"), icon: "references" };
  }
}

function runsText(count: number): string {
  return count === 1 ? vscode.l10n.t("1 run") : vscode.l10n.t("{0} runs", count);
}

function versionItem({ version, lock }: WorkflowVersionRow): vscode.TreeItem {
  const state = versionWord(version.state);
  const date = relativeDate((version.deployedOn ?? version.createdOn)?.toISOString(), vscode.env.language);
  const description = [
    state,
    date,
    version.runs === undefined || version.runs === 0 ? undefined : runsText(version.runs),
    lock === undefined ? undefined : vscode.l10n.t("locked"),
  ].filter((part) => part !== undefined);
  const icons = { active: "pass", released: "tag", draft: "edit" } as const;
  return plain(
    versionLabel(version.version),
    description.join(" · "),
    lock === undefined ? icons[version.state] : "lock",
    `workflowVersion.${version.state}`,
    {
      state: Collapsed,
      color: lock === undefined && version.state === "active" ? "testing.iconPassed" : undefined,
    },
  );
}

/** The state of a version in words. */
export function versionWord(state: "draft" | "released" | "active"): string {
  switch (state) {
    case "draft":
      return vscode.l10n.t("draft");
    case "released":
      return vscode.l10n.t("released");
    case "active":
      return vscode.l10n.t("active");
  }
}

function executionItem({ execution }: ExecutionRow): vscode.TreeItem {
  const look = executionLook(execution.status, vscode.l10n.t);
  const length = lengthOf(execution);
  const description = [
    relativeDate(beganOf(execution)?.toISOString(), vscode.env.language),
    length === undefined ? undefined : duration(length, vscode.env.language),
    execution.triggerName ?? undefined,
  ].filter((part) => part !== undefined && part !== "");
  const contextValue = `execution.${(execution.status ?? "").toLowerCase()}`;
  return plain(look.word, description.join(" · "), look.icon, contextValue, { color: look.color });
}

function triggerItem({ trigger, state, nextRuns, resource }: TriggerRow): vscode.TreeItem {
  const type = constantWords(trigger.type ?? "", vscode.l10n.t);
  const deleted = relativeDate(state === "deleted" ? isoDate(trigger.deletedAt) : undefined, vscode.env.language);
  const [next] = nextRuns;
  const timeZone = timerOf(trigger)?.timeZone;
  const { modelVersion } = trigger;
  const description = [
    deleted === undefined ? undefined : vscode.l10n.t("deleted {0}", deleted),
    next === undefined || timeZone === undefined
      ? undefined
      : vscode.l10n.t("next {0}", runTime(next, timeZone, vscode.env.language)),
    state === "inactive" ? vscode.l10n.t("inactive") : undefined,
    type,
    modelVersion === null || modelVersion === undefined ? undefined : versionLabel(modelVersion),
  ].filter((part) => part !== undefined);
  const text = description.join(" · ");
  const icon = state === "deleted" ? "trash" : trigger.type === "TIMER" ? "watch" : "zap";
  const label = state === "deleted" ? struckThrough(resource.name) : resource.name;
  return plain(label, text, icon, `trigger.${state}`, { accessibilityLabel: `${resource.name}, ${text}` });
}

function lockItem({ lock, holder }: LockRow): vscode.TreeItem {
  const since = relativeDate(lock.lockedOn?.toISOString(), vscode.env.language);
  const description = [
    versionLabel(lock.version),
    since === undefined ? undefined : vscode.l10n.t("since {0}", since),
    lock.isStale ? vscode.l10n.t("stale") : undefined,
  ].filter((part) => part !== undefined);
  return plain(holder, description.join(" · "), "lock", "lock");
}
