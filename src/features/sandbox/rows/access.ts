import * as vscode from "vscode";
import { getRepositoryPermissions } from "../../../api/catalogue/operations/sandbox.ts";
import { domainsWithAccess } from "../../../api/families/sandbox.ts";
import { constantWords } from "../../../ui/format/labels.ts";
import { groupNames } from "../../../ui/resources/group-names.ts";
import { userNames } from "../../../ui/resources/user-names.ts";
import type { PageRequest, TreeRow } from "../../../ui/tree/definition.ts";
import type { RowKind } from "../../../ui/tree/row-kind.ts";
import type { RepositoryPart, RepositoryRow } from "./repository-row.ts";

/** An instance that has access. */
interface InstanceRow extends TreeRow {
  readonly type: "instance";
  readonly domain: string;
}

/** A permission of a user or group. */
export interface RepositoryPermissionRow extends TreeRow {
  readonly type: "repositoryPermission";
  readonly who: "USER" | "GROUP";
  readonly id: string;
  readonly name: string;
  readonly permission: string;
  readonly of: RepositoryRow;
}

export const accessPart: RepositoryPart = {
  label: vscode.l10n.t("Instances with Access"),
  icon: "server-environment",
  isOwn: true,
  things: vscode.l10n.t("instances"),
  empty: vscode.l10n.t("No other instances have access"),
  count: ({ repository }) => repository.accessCount,
  read: async ({ tenantId, key, resource }, { client, signal }) => {
    const domains = await domainsWithAccess(client, resource.id, { signal });
    return domains.map(
      (domain): InstanceRow => ({ type: "instance", tenantId, key: `${key}/instance/${domain}`, domain }),
    );
  },
};

export const instance: RowKind<InstanceRow> = {
  type: "instance",
  item: ({ domain }) => ({ label: domain, icon: "server-environment" }),
};

export const permissionsPart: RepositoryPart = {
  label: vscode.l10n.t("People and Groups"),
  icon: "lock",
  isOwn: true,
  things: vscode.l10n.t("permissions"),
  empty: vscode.l10n.t("No permissions yet"),
  read: readPermissions,
};

async function readPermissions(
  of: RepositoryRow,
  { client, signal }: PageRequest,
): Promise<readonly RepositoryPermissionRow[]> {
  const { tenantId, resource } = of;
  const response = await client.call(getRepositoryPermissions, { repositoryId: resource.id }, { signal });
  const [people, groups] = await Promise.all([
    userNames(client, Object.keys(response.userPermissions ?? {}), signal),
    groupNames(client),
  ]);
  const rows = (
    who: RepositoryPermissionRow["who"],
    permissions: Readonly<Record<string, unknown>> | null | undefined,
    names: ReadonlyMap<string, string>,
  ): readonly RepositoryPermissionRow[] =>
    Object.entries(permissions ?? {}).map(([id, permission]) => ({
      type: "repositoryPermission",
      tenantId,
      key: `${of.key}/permission/${who}/${id}`,
      who,
      id,
      of,
      name: names.get(id) ?? (who === "GROUP" ? vscode.l10n.t("Group {0}", id) : vscode.l10n.t("User {0}", id)),
      permission: Array.isArray(permission) ? permission.join(", ") : String(permission),
    }));
  return [...rows("USER", response.userPermissions, people), ...rows("GROUP", response.groupPermissions, groups)];
}

export const permission: RowKind<RepositoryPermissionRow> = {
  type: "repositoryPermission",
  item: ({ name, permission, who }) => ({
    label: name,
    description: constantWords(permission, vscode.l10n.t),
    icon: who === "GROUP" ? "organization" : "person",
  }),
  card: ({ name, permission, id }) => ({
    name,
    lines: [
      [vscode.l10n.t("Permission"), constantWords(permission, vscode.l10n.t)],
      [vscode.l10n.t("ID"), id],
    ],
  }),
};
