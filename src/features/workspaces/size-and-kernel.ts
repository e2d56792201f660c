import * as vscode from "vscode";
import type { Workspace } from "../../api/catalogue/models/workspaces.ts";
import { getSettings, getWorkspace, updateWorkspace } from "../../api/catalogue/operations/workspaces.ts";
import { type InstanceSettings, kernelsOf, offeredSizes } from "../../api/families/instance-settings.ts";
import { kernelOf, stateOf } from "../../api/families/workspaces.ts";
import type { Connections } from "../../tenants/connections.ts";
import { showInformation } from "../../tenants/messages.ts";
import { documentAddressOf } from "../../ui/documents/document-address.ts";
import { unsafeNumber } from "../../ui/documents/json-object.ts";
import type { DocumentReload } from "../../ui/documents/platform-documents.ts";
import { displayedItem } from "../../ui/quick-input/displayed-items.ts";
import { showPick } from "../../ui/quick-input/show-input.ts";
import type { WorkspaceReference } from "../../ui/quick-input/workspace-choice.ts";
import type { PlatformTree } from "../../ui/tree/platform-tree.ts";
import { workspaceTreeRow } from "./tree.ts";

export interface WorkspaceChangeParts {
  readonly connections: Pick<Connections, "nameOf" | "platform">;
  readonly documents: DocumentReload;
  readonly tree: Pick<PlatformTree, "row" | "replace">;
}

/** Members of a workspace's configuration with their new values. */
type Change = Readonly<Record<string, unknown>>;

interface ChangeItem extends vscode.QuickPickItem {
  readonly change: Change;
  /** True for the workspace's current value. */
  readonly isCurrent: boolean;
}

/** Changes a workspace to one of the sizes that the tenant offers. Throws a CancellationError if canceled. */
export async function changeSize(parts: WorkspaceChangeParts, reference: WorkspaceReference): Promise<void> {
  const name = parts.connections.nameOf(reference.tenantId, reference.workspaceId);
  const { workspace, settings } = await read(parts, reference);
  const items = offeredSizes(settings).map(({ cpu, memory }): ChangeItem => {
    const isCurrent = cpu === workspace.cpu && memory === workspace.memory;
    return {
      label: vscode.l10n.t("{0} CPU / {1} GB", cpu, memory),
      ...(isCurrent ? { description: vscode.l10n.t("current size") } : {}),
      change: { cpu, memory },
      isCurrent,
    };
  });
  if (items.length === 0) {
    throw new Error(
      vscode.l10n.t(
        "Can't list sizes for {0}: the platform doesn't say which sizes it offers. Enter the size in the workspace's configuration.",
        name,
      ),
    );
  }
  await apply(parts, reference, await pick(items, vscode.l10n.t("Change Size of {0}", name)));
}

/** Changes a workspace to one of the kernels that the tenant offers. Throws a CancellationError if canceled. */
export async function changeKernel(parts: WorkspaceChangeParts, reference: WorkspaceReference): Promise<void> {
  const name = parts.connections.nameOf(reference.tenantId, reference.workspaceId);
  const { workspace, settings } = await read(parts, reference);
  const field = kernelField(workspace, settings);
  const items = kernelsOf(settings).map(({ code, name: label }): ChangeItem => {
    const isCurrent = code === kernelOf(workspace);
    return {
      label,
      ...(isCurrent ? { description: vscode.l10n.t("current kernel") } : {}),
      change: { [field]: code },
      isCurrent,
    };
  });
  if (items.length === 0) {
    throw new Error(
      vscode.l10n.t(
        "Can't list kernels for {0}: the platform doesn't say which kernels it offers. Enter the kernel in the workspace's configuration.",
        name,
      ),
    );
  }
  await apply(parts, reference, await pick(items, vscode.l10n.t("Change Kernel of {0}", name)));
}

async function read(
  { connections }: WorkspaceChangeParts,
  { tenantId, workspaceId }: WorkspaceReference,
): Promise<{ readonly workspace: Workspace; readonly settings: InstanceSettings }> {
  const client = await connections.platform(tenantId);
  const [workspace, settings] = await Promise.all([
    client.call(getWorkspace, { workspaceId }),
    client.call(getSettings, {}),
  ]);
  return { workspace, settings };
}

/** The platform's name of the field. */
function kernelField(workspace: Workspace, settings: InstanceSettings): "notebookKernel" | "jupyterKernel" {
  const isOther =
    workspace.notebookKernel === undefined &&
    (workspace.jupyterKernel !== undefined || settings.notebookKernels === undefined);
  return isOther ? "jupyterKernel" : "notebookKernel";
}

/** Shows a quick pick with the workspace's current value as the active item. */
function pick(items: readonly ChangeItem[], title: string): Promise<ChangeItem> {
  const input = vscode.window.createQuickPick<ChangeItem>();
  input.title = title;
  input.placeholder = vscode.l10n.t("Applies the next time the workspace starts");
  const shown = items.map((item) => displayedItem(item));
  input.items = shown;
  const current = shown.filter(({ isCurrent }) => isCurrent);
  // The editor itself selects the first item.
  if (current.length > 0) {
    input.activeItems = current;
  }
  return showPick(
    input,
    (item) => items[shown.indexOf(item)],
    () => {},
  );
}

/** Sends the platform's current, complete configuration with only this change. */
async function apply(
  { connections, documents, tree }: WorkspaceChangeParts,
  { tenantId, workspaceId }: WorkspaceReference,
  { label, change }: ChangeItem,
): Promise<void> {
  const client = await connections.platform(tenantId);
  const now = await client.call(getWorkspace, { workspaceId });
  const name = connections.nameOf(tenantId, workspaceId);
  if (Object.entries(change).every(([field, value]) => now[field] === value)) {
    void showInformation(vscode.l10n.t("{0} already has {1}.", name, label));
    return;
  }
  const place = unsafeNumber(now);
  if (place !== undefined) {
    throw new Error(
      vscode.l10n.t("Can't change {0}: the number at {1} is too large to be sent unchanged.", name, place),
    );
  }
  const changed = { ...now, ...change };
  await client.call(updateWorkspace, { workspaceId, body: changed });
  if (tree.row(tenantId, `workspace/${workspaceId}`) !== undefined) {
    tree.replace(workspaceTreeRow(tenantId, changed));
  }
  for (const { uri } of vscode.workspace.textDocuments) {
    const address = documentAddressOf(uri);
    if (address?.kind === "configuration" && address.tenantId === tenantId && address.workspaceId === workspaceId) {
      documents.reload(uri);
    }
  }
  void showInformation(
    stateOf(now).state === "stopped"
      ? vscode.l10n.t("{0} now has {1}.", name, label)
      : vscode.l10n.t("{0} will have {1} the next time it starts. Stop and start it to apply the change.", name, label),
  );
}
