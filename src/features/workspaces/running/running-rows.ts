import * as vscode from "vscode";
import { nameOf } from "../../../api/catalogue/content-path.ts";
import type { ContentClient } from "../../../api/client/client.ts";
import { KernelServer } from "../../../api/kernels/kernel-server.ts";
import type { Culling, ResourceUsage } from "../../../api/resources/resource-usage.ts";
import { TerminalServer } from "../../../api/terminals/terminal-server.ts";
import { uriOf } from "../../../tenants/workspace-uri.ts";
import { relativeDate } from "../../../ui/format/dates.ts";
import { duration, memoryText, shareText } from "../../../ui/format/quantities.ts";
import type { Branch, TreeRow } from "../../../ui/tree/definition.ts";
import { singlePageBranch } from "../../../ui/tree/definition.ts";
import type { CardParts } from "../../../ui/tree/presentation.ts";
import { treeItem } from "../../../ui/tree/presentation.ts";
import { type ItemUsage, millisecondsUntilCulled, usageOf } from "./kernel-usage.ts";
import { type KernelItem, type RunningItem, runningItems } from "./running-items.ts";

/** The row of a kernel, a companion, or a terminal below its workspace. */
export interface RunningRow extends TreeRow {
  readonly type: "running";
  readonly workspaceId: string;
  readonly item: RunningItem;
  /** The terminal's name on the server; undefined for a kernel or a companion. */
  readonly terminalName: string | undefined;
  /** What a kernel or a companion uses; undefined if that isn't known. */
  readonly usage: ItemUsage | undefined;
  readonly culling: Culling | undefined;
}

/** The key of the list below a workspace. */
export const runningListKey = (workspaceId: string): string => `running/${workspaceId}`;

/** Reads what runs on a content server. None of the requests counts as activity there. */
export async function readRunning(
  client: () => Promise<ContentClient>,
  signal?: AbortSignal,
): Promise<readonly RunningItem[]> {
  const kernels = new KernelServer(client);
  const options = signal === undefined ? {} : { signal };
  const [running, sessions, terminals] = await Promise.all([
    kernels.kernelsIfAny(options),
    kernels.sessionsIfAny(options),
    new TerminalServer(client).list(options),
  ]);
  return runningItems(running, sessions, terminals ?? []);
}

/** The list of what runs in a workspace, which is read when its row is expanded. */
export function runningBranch(
  client: () => Promise<ContentClient>,
  tenantId: string,
  workspaceId: string,
  usageNow: () => ResourceUsage | undefined,
): Branch<RunningRow> {
  return singlePageBranch({
    key: runningListKey(workspaceId),
    things: vscode.l10n.t("kernels and terminals"),
    empty: vscode.l10n.t("No kernels or terminals are running"),
    read: async ({ signal }) =>
      (await readRunning(client, signal)).map((item): RunningRow => {
        const id = item.type === "terminal" ? `terminal/${item.terminal.name}` : `kernel/${item.kernel.id}`;
        const terminalName = item.type === "terminal" ? item.terminal.name : undefined;
        return {
          type: "running",
          tenantId,
          workspaceId,
          key: `${runningListKey(workspaceId)}/${id}`,
          item,
          terminalName,
          ...usageOf(item, usageNow()),
        };
      }),
  });
}

/** Kernels have an icon for their state instead. */
const icons: Readonly<Partial<Record<RunningItem["type"], string>>> = { companion: "tools", terminal: "terminal" };

export function runningRowItem({ item, usage }: RunningRow): vscode.TreeItem {
  const label = runningLabel(item);
  const description = [usage === undefined ? "" : shownMemory(usage), stateTextOf(item)].filter(Boolean).join(" · ");
  const isBusy = item.type !== "terminal" && item.kernel.executionState === "busy";
  return treeItem({
    label,
    description,
    icon: icons[item.type] ?? (isBusy ? "circle-filled" : "circle-outline"),
    contextValue: item.type,
    accessibilityLabel: [
      item.type === "kernel" ? vscode.l10n.t("Kernel of {0}", label) : label,
      ...(description === "" ? [] : [description]),
    ].join(", "),
  });
}

/** The memory of a kernel, and whether it uses the most. */
function shownMemory({ memory, leadsInMemory }: ItemUsage): string {
  const text = memoryText(memory, vscode.env.language);
  return leadsInMemory ? vscode.l10n.t("{0} (most)", text) : text;
}

/** The name of a row: the notebook that uses a kernel, or the number of a terminal. */
export function runningLabel(item: RunningItem): string {
  if (item.type === "terminal") {
    return vscode.l10n.t("Terminal {0}", item.terminal.name);
  }
  if (item.type === "companion") {
    return vscode.l10n.t("Companion");
  }
  const [first, ...others] = item.paths;
  if (first === undefined) {
    return vscode.l10n.t("{0} without a notebook", item.kernel.specName);
  }
  const name = nameOf(first);
  return others.length === 0 ? name : vscode.l10n.t("{0} and {1} more", name, others.length);
}

export function runningCard(row: RunningRow): CardParts {
  const { culling, item, usage } = row;
  const { language } = vscode.env;
  const used = relativeDate(item.type === "terminal" ? item.terminal.lastActivity : item.kernel.lastActivity, language);
  const culled = item.type === "kernel" && culling && millisecondsUntilCulled(item.kernel, culling, Date.now());
  const kernel =
    item.type === "kernel"
      ? ([
          [vscode.l10n.t("Notebooks"), item.paths.join(", ")],
          [vscode.l10n.t("Kernel"), item.kernel.specName],
          [vscode.l10n.t("State"), stateWord(item)],
          [vscode.l10n.t("Connections"), String(item.kernel.connections)],
          [vscode.l10n.t("ID"), item.kernel.id],
        ] as const)
      : [];
  const description =
    item.type === "companion"
      ? vscode.l10n.t("A hidden kernel in which Platform Workbench searches, watches files, and completes names.")
      : undefined;
  const lines = [
    ...kernel,
    [vscode.l10n.t("Memory"), usage && memoryText(usage.memory, language)],
    [vscode.l10n.t("Processors"), usage?.processor === undefined ? undefined : shareText(usage.processor, language)],
    [vscode.l10n.t("Last activity"), used],
    [
      vscode.l10n.t("Ended by the server"),
      typeof culled === "number" ? vscode.l10n.t("in {0} if it stays idle", duration(culled, language)) : undefined,
    ],
  ] as const;
  return { name: runningLabel(item), description, lines };
}

/** Opens the notebook of a kernel, or attaches to a terminal. */
export function openRunning(row: RunningRow): vscode.Command | undefined {
  const { item } = row;
  if (item.type === "terminal") {
    return {
      command: "platformWorkbench.attachTerminal",
      title: vscode.l10n.t("Attach to Running Terminal"),
      arguments: [row],
    };
  }
  return openKernel(row, item);
}

/** Opens the notebook of a kernel, if it has one. */
export function openKernel(
  { tenantId, workspaceId }: Pick<RunningRow, "tenantId" | "workspaceId">,
  item: RunningItem,
): vscode.Command | undefined {
  const [path] = item.type === "kernel" ? item.paths : [];
  return path === undefined
    ? undefined
    : {
        command: "vscode.open",
        title: vscode.l10n.t("Open Notebook"),
        arguments: [uriOf(tenantId, workspaceId, path)],
      };
}

/** The state of a kernel, since when it is idle, and how many clients are connected if there are several. */
export function stateTextOf(item: RunningItem): string {
  if (item.type === "terminal") {
    return relativeDate(item.terminal.lastActivity, vscode.env.language) ?? "";
  }
  if (item.type === "companion") {
    return stateWord(item);
  }
  const { connections, executionState, lastActivity } = item.kernel;
  const since = executionState === "idle" ? relativeDate(lastActivity, vscode.env.language) : undefined;
  return [
    stateWord(item),
    ...(since === undefined ? [] : [since]),
    // At the view's default width, more would be cut off. The card always has the number.
    ...(connections > 1 ? [vscode.l10n.t("{0} connections", connections)] : []),
  ].join(" · ");
}

function stateWord({ kernel: { executionState } }: Pick<KernelItem, "kernel">): string {
  switch (executionState) {
    case "idle":
      return vscode.l10n.t("idle");
    case "busy":
      return vscode.l10n.t("busy");
    case "starting":
    case "restarting":
      return vscode.l10n.t("starting");
    case "dead":
      return vscode.l10n.t("ended");
    default:
      return vscode.l10n.t("running");
  }
}
