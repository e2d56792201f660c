import * as vscode from "vscode";
import * as z from "zod/mini";
import { KernelServer } from "../../../api/kernels/kernel-server.ts";
import type { Connections } from "../../../tenants/connections.ts";
import { showInformation } from "../../../tenants/messages.ts";
import { uriOf } from "../../../tenants/workspace-uri.ts";
import type { ResourceUsages } from "../../../tenants/workspaces/resource-usages.ts";
import type { CommandRun } from "../../../ui/commands/command-runner.ts";
import { confirm } from "../../../ui/commands/confirmation.ts";
import { unlessCanceled } from "../../../ui/quick-input/show-input.ts";
import {
  chooseWorkspace,
  type WorkspaceChoiceParts,
  type WorkspaceReference,
  workspaceInView,
} from "../../../ui/quick-input/workspace-choice.ts";
import type { PlatformTree } from "../../../ui/tree/platform-tree.ts";
import { type KernelAction, pickByMemory, pickKernelAction } from "./kernel-memory.ts";
import { idleKernels, type KernelItem } from "./running-items.ts";
import { openKernel, type RunningRow, readRunning, runningLabel, runningListKey } from "./running-rows.ts";

interface RunningCommandParts extends WorkspaceChoiceParts {
  readonly connections: Connections;
  readonly tree: Pick<PlatformTree, "row" | "refreshLists">;
  readonly usages: Pick<ResourceUsages, "latest" | "watch" | "onDidChange">;
}

const rowShape = z.looseObject({ tenantId: z.string(), key: z.string() });

/** The commands of the kernels below a workspace. */
export function runningCommands(parts: RunningCommandParts) {
  const act = (action: KernelAction) => async (run: CommandRun, argument: unknown) => {
    const row = rowOf(parts, run, argument);
    const { item, tenantId, workspaceId } = row;
    if (item.type === "kernel") {
      await onKernel(parts, action, row, item);
    }
    await parts.tree.refreshLists(tenantId, runningListKey(workspaceId));
  };
  return {
    "platformWorkbench.interruptRunningKernel": act("interruptKernel"),
    "platformWorkbench.restartRunningKernel": act("restartKernel"),
    "platformWorkbench.shutDownRunningKernel": act("shutDownKernel"),
    "platformWorkbench.showKernelMemory": async (run: CommandRun, argument: unknown) => {
      const title = vscode.l10n.t("Kernels and Memory");
      await showByMemory(parts, await workspaceInView(parts, run, argument, title));
    },
    "platformWorkbench.shutDownIdleKernels": async (run: CommandRun, argument: unknown) => {
      const title = vscode.l10n.t("Shut Down Idle Kernels");
      const workspace = await chooseWorkspace(parts, run, argument, { title, states: ["running"] });
      await shutDownIdle(parts, workspace);
      await parts.tree.refreshLists(workspace.tenantId, runningListKey(workspace.workspaceId));
    },
  };
}

/** Shows the kernels by their memory, again after each action, until the user opens a notebook or closes the list. */
async function showByMemory(parts: RunningCommandParts, place: WorkspaceReference): Promise<void> {
  const { connections, tree, usages } = parts;
  const { tenantId, workspaceId } = place;
  const title = vscode.l10n.t("Kernels of {0}", connections.nameOf(tenantId, workspaceId));
  const client = () => connections.content(tenantId, workspaceId);
  let last: KernelItem | undefined;
  for (;;) {
    const chosen = await pickByMemory(usages, place, title, (signal) => readRunning(client, signal), last);
    const { item } = chosen;
    last = item;
    const action = chosen.action ?? (await unlessCanceled(pickKernelAction(item, title)));
    if (action === undefined) {
      continue;
    }
    if (action === "open") {
      const open = openKernel(place, item);
      await (open && vscode.commands.executeCommand(open.command, ...(open.arguments ?? [])));
      return;
    }
    await onKernel(parts, action, place, item);
    await tree.refreshLists(tenantId, runningListKey(workspaceId));
  }
}

/** The notebook's own command does it if the notebook is open in this window. */
async function onKernel(
  { connections }: RunningCommandParts,
  action: KernelAction,
  { tenantId, workspaceId }: WorkspaceReference,
  item: KernelItem,
): Promise<void> {
  const uris = new Set(item.paths.map((path) => uriOf(tenantId, workspaceId, path).toString()));
  const open = vscode.workspace.notebookDocuments.find(({ uri }) => uris.has(uri.toString()));
  if (open !== undefined) {
    await vscode.commands.executeCommand(`platformWorkbench.${action}`, open.uri);
    return;
  }
  const server = new KernelServer(() => connections.content(tenantId, workspaceId));
  const name = runningLabel(item);
  const { id } = item.kernel;
  if (action === "interruptKernel") {
    await server.interrupt(id);
    return;
  }
  const isRestart = action === "restartKernel";
  await confirm({
    question: isRestart
      ? vscode.l10n.t("Restart the kernel of {0}?", name)
      : vscode.l10n.t("Shut down the kernel of {0}?", name),
    touched: item.paths.length > 1 ? item.paths : [],
    consequence: vscode.l10n.t("Its variables are lost, and running cells end."),
    action: isRestart ? vscode.l10n.t("Restart") : vscode.l10n.t("Shut Down"),
  });
  await (isRestart ? server.restart(id) : server.shutDown(id));
}

/** Shuts down the kernels that the confirmation names, except those that have begun to run something meanwhile. */
async function shutDownIdle(
  { connections }: RunningCommandParts,
  { tenantId, workspaceId }: WorkspaceReference,
): Promise<void> {
  const client = () => connections.content(tenantId, workspaceId);
  const workspaceName = connections.nameOf(tenantId, workspaceId);
  const idle = idleKernels(await readRunning(client));
  if (idle.length === 0) {
    void showInformation(vscode.l10n.t("No kernel of {0} is idle.", workspaceName));
    return;
  }
  await confirm({
    question:
      idle.length === 1
        ? vscode.l10n.t("Shut down 1 idle kernel of {0}?", workspaceName)
        : vscode.l10n.t("Shut down {0} idle kernels of {1}?", idle.length, workspaceName),
    touched: idle.map((item) => (item.paths.length === 0 ? runningLabel(item) : item.paths.join(", "))),
    consequence: vscode.l10n.t("Their variables are lost. Kernels that are running something meanwhile are kept."),
    action: vscode.l10n.t("Shut Down"),
  });
  const server = new KernelServer(client);
  for (const { kernel } of idle) {
    if ((await server.kernel(kernel.id))?.executionState === "idle") {
      await server.shutDown(kernel.id);
    }
  }
}

function rowOf({ tree }: RunningCommandParts, run: CommandRun, argument: unknown): RunningRow {
  const named = z.safeParse(rowShape, argument);
  const row = named.success ? tree.row(named.data.tenantId, named.data.key) : undefined;
  if (row?.type !== "running") {
    throw new Error(vscode.l10n.t("Select a kernel below a workspace, then try again."));
  }
  const found = row as RunningRow;
  run.setErrorContext({ tenantId: found.tenantId, workspaceId: found.workspaceId });
  return found;
}
