import * as vscode from "vscode";
import { transferWorkspace } from "../../api/catalogue/operations/ownership.ts";
import { getWorkspace } from "../../api/catalogue/operations/workspaces.ts";
import { changeOwner } from "../../ui/commands/owner-change.ts";
import type { PlatformConnections } from "../../ui/commands/progress.ts";
import type { WorkspaceReference } from "../../ui/quick-input/workspace-choice.ts";
import type { PlatformTree } from "../../ui/tree/platform-tree.ts";

interface OwnerParts {
  readonly connections: PlatformConnections;
  readonly tree: Pick<PlatformTree, "refreshLists">;
}

/** Makes another user the owner of a workspace, after a confirmation. */
export async function changeWorkspaceOwner(
  { connections, tree }: OwnerParts,
  { tenantId, workspaceId }: WorkspaceReference,
): Promise<void> {
  const client = await connections.platform(tenantId);
  const { owner, name } = await client.call(getWorkspace, { workspaceId });
  const changed = await changeOwner(connections, {
    client,
    resource: { type: "workspace", tenantId, id: workspaceId, name: name ?? workspaceId },
    title: vscode.l10n.t("Change Workspace Owner"),
    owner,
    consequence: vscode.l10n.t("The current owner can no longer start it, unless it is shared."),
    operation: transferWorkspace,
    transfer: (userId) =>
      client.call(transferWorkspace, {
        workspaceId,
        body: { newOwnerId: /^\d{1,15}$/.test(userId) ? Number(userId) : userId },
      }),
  });
  if (changed) {
    await tree.refreshLists(tenantId, "workspaces");
  }
}
