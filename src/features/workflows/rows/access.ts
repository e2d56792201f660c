import * as vscode from "vscode";
import {
  readLocks,
  readPermissions,
  type WorkflowLock,
  type WorkflowPermission,
} from "../../../api/families/workflows.ts";
import { relativeDate } from "../../../ui/format/dates.ts";
import { constantWords, versionLabel } from "../../../ui/format/labels.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import type { PageRequest } from "../../../ui/tree/definition.ts";
import type { RowKind } from "../../../ui/tree/row-kind.ts";
import type { OfWorkflow, WorkflowGroup, WorkflowGroupRow } from "./workflow-row.ts";

interface LockRow extends OfWorkflow {
  readonly type: "lock";
  readonly lock: WorkflowLock;
  /** The name of the user who holds the lock. */
  readonly holder: string;
}

interface PermissionRow extends OfWorkflow {
  readonly type: "permission";
  readonly permission: WorkflowPermission;
}

export const locksGroup: WorkflowGroup = {
  label: vscode.l10n.t("Locks"),
  icon: "lock",
  things: vscode.l10n.t("locks"),
  empty: vscode.l10n.t("No versions are locked"),
  count: ({ locks }) => locks.length,
  read: readLockRows,
};

/** The versions that users have locked for editing. */
async function readLockRows(
  { tenantId, modelId, modelName }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<readonly LockRow[]> {
  const locks = await readLocks(client, modelId, { signal });
  const holders = locks.map(({ lockedBy }) => lockedBy);
  const names = locks.length === 0 ? new Map<string, string>() : await userNames(client, holders, signal);
  return locks.map((lock) => ({
    type: "lock",
    tenantId,
    key: `workflow/${modelId}/lock/${lock.version}`,
    modelId,
    modelName,
    lock,
    holder: names.get(lock.lockedBy) ?? vscode.l10n.t("User {0}", lock.lockedBy),
  }));
}

export const lock: RowKind<LockRow> = {
  type: "lock",
  item: ({ lock, holder }) => {
    const since = relativeDate(lock.lockedOn?.toISOString(), vscode.env.language);
    const facts = [
      versionLabel(lock.version),
      since === undefined ? undefined : vscode.l10n.t("since {0}", since),
      lock.isStale ? vscode.l10n.t("stale") : undefined,
    ];
    return { label: holder, description: facts.filter((part) => part !== undefined).join(" · "), icon: "lock" };
  },
};

export const permissionsGroup: WorkflowGroup = {
  label: vscode.l10n.t("Permissions"),
  icon: "shield",
  things: vscode.l10n.t("permissions"),
  empty: vscode.l10n.t("No permissions available"),
  read: readPermissionRows,
};

/** The permissions on a workflow. */
async function readPermissionRows(
  { tenantId, modelId, modelName }: WorkflowGroupRow,
  { client, signal }: PageRequest,
): Promise<readonly PermissionRow[]> {
  const permissions = await readPermissions(client, modelId, { signal });
  return permissions.map((permission) => ({
    type: "permission",
    key: `workflow/${modelId}/permission/${permission.type}/${permission.id}`,
    tenantId,
    modelId,
    modelName,
    permission,
  }));
}

export const permission: RowKind<PermissionRow> = {
  type: "permission",
  item: ({ permission: { name, type, permissions } }) => ({
    label: name,
    description: permissions.map((one) => constantWords(one, vscode.l10n.t)).join(", "),
    icon: type === "GROUP" ? "organization" : "person",
  }),
};
