import * as vscode from "vscode";
import type { InstanceType, Workspace } from "../../api/catalogue/models/workspaces.ts";
import { getSettings, getWorkspace, searchWorkspaces } from "../../api/catalogue/operations/workspaces.ts";
import type { AccountValue } from "../../api/client/account-scope.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { isMissingOperation } from "../../api/client/missing-operation.ts";
import { errorMessage } from "../../api/error-message.ts";
import { readWorkspacePage, stateOf } from "../../api/families/workspaces.ts";
import { phrase } from "../../api/phrase.ts";
import type { ResourceUsages } from "../../tenants/workspaces/resource-usages.ts";
import type { WorkspaceLifecycle } from "../../tenants/workspaces/workspace-lifecycle.ts";
import type { PlatformResource } from "../../ui/resources/resource.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import { workspaceCard, workspaceRow } from "../../ui/resources/workspace-rows.ts";
import type { TreeDefinition, TreeParts, TreeRow } from "../../ui/tree/definition.ts";
import { card, rowPage, treeItem } from "../../ui/tree/presentation.ts";
import { openRunning, type RunningRow, runningBranch, runningCard, runningRowItem } from "./running/running-rows.ts";

const pageSize = 50;

/** A workspace's row. */
interface WorkspaceTreeRow extends TreeRow {
  readonly type: "workspace";
  readonly workspaceId: string;
  readonly workspace: Workspace;
  readonly resource: PlatformResource;
}

/** A row of the view. */
type WorkspacesViewRow = WorkspaceTreeRow | RunningRow;

export interface WorkspacesViewParts extends TreeParts {
  readonly lifecycle: WorkspaceLifecycle;
  readonly usages: Pick<ResourceUsages, "latest">;
}

/** The row of a workspace. */
export function workspaceTreeRow(tenantId: string, workspace: Workspace): WorkspaceTreeRow {
  const { id } = workspace;
  const name = workspaceRow(workspace, false, vscode.l10n.t).label;
  const resource: PlatformResource = { type: "workspace", tenantId, id, name };
  return { type: "workspace", tenantId, key: `workspace/${id}`, workspaceId: id, workspace, resource };
}

/** The sizes that the tenant offers, if they could be read. */
const sizesOfAccount: AccountValue<{ offered: readonly InstanceType[] | undefined }> = {
  create: () => ({ offered: undefined }),
};

/** The Workspaces view: the tenant's notebook workspaces, filtered by the server. */
export function workspacesTree(parts: WorkspacesViewParts): TreeDefinition<WorkspacesViewRow> {
  const { connections, lifecycle, log, registry, usages } = parts;
  const sizesOf = (tenantId: string): readonly InstanceType[] | undefined =>
    connections.account(tenantId).get(sizesOfAccount).offered;
  const readSizes = async (client: PlatformClient, signal: AbortSignal): Promise<void> => {
    try {
      const { instanceTypes } = await client.call(getSettings, {}, { signal });
      client.account.get(sizesOfAccount).offered = instanceTypes ?? undefined;
    } catch (error) {
      log.debug(`reading the sizes of workspaces: ${errorMessage(error)}`);
    }
  };
  const isWaitedFor = ({ tenantId, workspaceId }: WorkspaceTreeRow): boolean =>
    lifecycle.isWaitingFor(tenantId, workspaceId);

  /** Caches names for messages and tabs, and addresses so that opening a workspace needs no request. */
  const cacheWorkspaces = async (tenantId: string, rows: readonly WorkspaceTreeRow[]): Promise<void> => {
    try {
      for (const { workspace } of rows) {
        await connections.cacheWorkspace(tenantId, workspace);
      }
    } catch (error) {
      log.debug(`remembering workspaces: ${errorMessage(error)}`);
    }
  };

  return {
    view: "workspaces",
    words: {
      signedOut: vscode.l10n.t("Sign in to see workspaces"),
      filterTitle: vscode.l10n.t("Filter Workspaces"),
      filterPlaceholder: vscode.l10n.t("Filter by name"),
      filtered: (filter) => vscode.l10n.t('Filtered by "{0}"', filter),
    },
    top: (tenantId) => ({
      key: "workspaces",
      pageSize,
      words: {
        things: vscode.l10n.t("workspaces"),
        empty: vscode.l10n.t("No workspaces yet"),
        nothingFits: vscode.l10n.t("No matching workspaces"),
      },
      read: async ({ client, filter, offset, signal }) => {
        const [{ items: workspaces, total }] = await Promise.all([
          readWorkspacePage(client, { name: filter, limit: pageSize, offset }, { signal }).catch((error: unknown) => {
            throw explained(error);
          }),
          sizesOf(tenantId) === undefined ? readSizes(client, signal) : undefined,
        ]);
        const isFull = total === undefined ? workspaces.length >= pageSize : offset + workspaces.length < total;
        const rows = workspaces.map((workspace) => workspaceTreeRow(tenantId, workspace));
        return { rows, total, hasMore: workspaces.length > 0 && isFull };
      },
    }),
    below: (row) => {
      const { tenantId, workspaceId } = row;
      return isRunning(row)
        ? runningBranch(
            () => connections.content(tenantId, workspaceId),
            tenantId,
            workspaceId,
            () => usages.latest({ tenantId, workspaceId }),
          )
        : undefined;
    },
    item: (row) =>
      row.type === "running"
        ? runningRowItem(row)
        : workspaceItem(row, isWaitedFor(row), sizesOf(row.tenantId), isRunning(row)),
    card: async (row, signal) => {
      if (row.type === "running") {
        return card(runningCard(row));
      }
      const { workspace, tenantId } = row;
      const { label, stateText } = workspaceRow(workspace, isWaitedFor(row), vscode.l10n.t);
      const names = await userNames(await connections.platform(tenantId), [workspace.owner], signal);
      const { language } = vscode.env;
      return card({
        name: label,
        description: workspace.description ?? undefined,
        lines: workspaceCard(workspace, stateText, language, vscode.l10n.t, sizesOf(tenantId), names),
        page: rowPage(row, registry),
      });
    },
    open: (row) =>
      row.type === "running"
        ? openRunning(row)
        : {
            command: "platformWorkbench.openWorkspace",
            title: vscode.l10n.t("Open as Folder"),
            arguments: [row],
          },
    isChanging: (row) => row.type === "running" || (stateOf(row.workspace).state === "starting" && !isWaitedFor(row)),
    readAgain: async (row, client) =>
      row.type === "running"
        ? row
        : workspaceTreeRow(row.tenantId, await client.call(getWorkspace, { workspaceId: row.workspaceId })),
    isReadWithList: ({ type }) => type === "running",
    onRead: (tenantId, rows) =>
      void cacheWorkspaces(
        tenantId,
        rows.filter((row) => row.type === "workspace"),
      ),
  };
}

/** True if kernels can run in the row's workspace. */
function isRunning(row: WorkspacesViewRow): row is WorkspaceTreeRow {
  return row.type === "workspace" && stateOf(row.workspace).state === "running";
}

/** The API description has no list of workspaces (4.1), so the row explains what works without one. */
function explained(error: unknown): unknown {
  return isMissingOperation(searchWorkspaces, error)
    ? error.with({
        reason: phrase`this platform doesn't list workspaces`,
        remedy: phrase`Run Open Workspace as Folder from the Command Palette, and enter the ID of a workspace.`,
      })
    : error;
}

function workspaceItem(
  { workspace }: WorkspaceTreeRow,
  isWaitedFor: boolean,
  sizes: readonly InstanceType[] | undefined,
  hasList: boolean,
): vscode.TreeItem {
  const { label, stateText, icon, color, state, accessibilityLabel } = workspaceRow(
    workspace,
    isWaitedFor,
    vscode.l10n.t,
    sizes,
  );
  // At the view's default width, the size and the kernel would be cut off. They are in the row's card.
  return treeItem({
    label,
    description: stateText,
    icon,
    color,
    contextValue: `workspace.${state}`,
    state: hasList ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
    accessibilityLabel,
  });
}
