import * as vscode from "vscode";
import * as z from "zod/mini";
import type { Workspace } from "../../api/catalogue/models/workspaces.ts";
import { searchWorkspaces } from "../../api/catalogue/operations/workspaces.ts";
import { isMissingOperation } from "../../api/client/missing-operation.ts";
import { allWorkspaces } from "../../api/families/workspaces.ts";
import type { Connections } from "../../tenants/connections.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { addressOf, scheme } from "../../tenants/workspace-uri.ts";
import type { CommandRun } from "../commands/command-runner.ts";
import { relativeDate } from "../format/dates.ts";
import { type ShownState, workspaceRow } from "../resources/workspace-rows.ts";
import { currentTenant } from "./choose-resource.ts";
import { enterId } from "./entered-id.ts";
import { pickBySearch, type SearchItem } from "./search-pick.ts";

/** The workspace that a command applies to. */
export interface WorkspaceReference {
  readonly tenantId: string;
  readonly workspaceId: string;
}

export interface WorkspaceChoiceParts {
  readonly registry: TenantRegistry;
  readonly connections: Connections;
}

const reference = z.looseObject({ tenantId: z.string(), workspaceId: z.string() });

/**
 * The workspace that a row or a caller refers to, or the one that the user picks in the current tenant, most recently
 * used first. Throws a CancellationError if canceled.
 */
export async function chooseWorkspace(
  parts: WorkspaceChoiceParts,
  run: CommandRun,
  argument: unknown,
  options: { readonly title: string; readonly states?: readonly ShownState[] },
): Promise<WorkspaceReference> {
  const named = z.safeParse(reference, argument);
  if (named.success) {
    const { tenantId, workspaceId } = named.data;
    parts.connections.tenant(tenantId);
    run.setErrorContext({ tenantId, workspaceId });
    return { tenantId, workspaceId };
  }
  const tenant = currentTenant(parts.registry);
  run.setErrorContext({ tenantId: tenant.id });
  const title = `${options.title} · ${tenant.label}`;
  const workspace = await pickWorkspace(parts, tenant.id, title, options.states).catch((error: unknown) => {
    // The API description has no list of workspaces (4.1).
    if (!isMissingOperation(searchWorkspaces, error)) {
      throw error;
    }
    return enterWorkspace(parts, tenant.id, title);
  });
  await parts.connections.cacheWorkspace(tenant.id, workspace);
  const chosen = { tenantId: tenant.id, workspaceId: workspace.id };
  run.setErrorContext(chosen);
  return chosen;
}

/** Asks for a workspace's id if there is no list to choose from. Throws a CancellationError if canceled. */
async function enterWorkspace(
  { connections }: WorkspaceChoiceParts,
  tenantId: string,
  title: string,
): Promise<Workspace> {
  const prompt = vscode.l10n.t("This platform doesn't list workspaces. Enter the ID or the address of a workspace.");
  return connections.workspace(tenantId, await enterId(title, prompt));
}

async function pickWorkspace(
  { connections }: WorkspaceChoiceParts,
  tenantId: string,
  title: string,
  states: readonly ShownState[] | undefined,
): Promise<Workspace> {
  const client = await connections.platform(tenantId);
  const open = new Set(
    (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === scheme)
      .map((folder) => addressOf(folder.uri).workspaceId),
  );
  return pickBySearch({
    title,
    placeholder: vscode.l10n.t("Search workspaces by name"),
    nothingFits: vscode.l10n.t("No matching workspaces"),
    async *search(name, signal) {
      for await (const page of allWorkspaces(client, name, { signal })) {
        yield itemsOf(page, states, open);
      }
    },
  });
}

function itemsOf(
  workspaces: readonly Workspace[],
  states: readonly ShownState[] | undefined,
  open: ReadonlySet<string>,
): readonly SearchItem<Workspace>[] {
  return workspaces.flatMap((workspace) => {
    const row = workspaceRow(workspace, false, vscode.l10n.t);
    if (states !== undefined && !states.includes(row.state)) {
      return [];
    }
    const lastRun = relativeDate(workspace.lastRun, vscode.env.language);
    const detail = [
      row.stateText,
      ...(lastRun === undefined ? [] : [vscode.l10n.t("last run {0}", lastRun)]),
      ...(open.has(workspace.id) ? [vscode.l10n.t("open in this window")] : []),
    ].join(" · ");
    const color = row.color === undefined ? undefined : new vscode.ThemeColor(row.color);
    return [
      {
        label: row.label,
        description: row.description,
        detail,
        iconPath: new vscode.ThemeIcon(row.icon, color),
        value: workspace,
      },
    ];
  });
}

/**
 * The workspace that the user works in: that of the file or folder of a menu, of the active editor, or of the window's
 * only folder; otherwise the one that the user picks.
 */
export async function workspaceInView(
  parts: WorkspaceChoiceParts,
  run: CommandRun,
  argument: unknown,
  title: string,
): Promise<WorkspaceReference> {
  const active =
    vscode.window.activeNotebookEditor?.notebook.uri ?? vscode.window.activeTextEditor?.document.uri ?? undefined;
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .map(({ uri }) => uri)
    .filter((uri) => uri.scheme === scheme);
  const [only] = folders;
  const named = argument instanceof vscode.Uri ? argument : undefined;
  const uri = named ?? (active?.scheme === scheme ? active : undefined) ?? (folders.length === 1 ? only : undefined);
  if (uri === undefined || uri.scheme !== scheme) {
    return chooseWorkspace(parts, run, argument, { title });
  }
  const { tenantId, workspaceId } = addressOf(uri);
  run.setErrorContext({ tenantId, workspaceId });
  return { tenantId, workspaceId };
}
