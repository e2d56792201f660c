import * as vscode from "vscode";
import type { ResourceUsages } from "../../../tenants/workspaces/resource-usages.ts";
import { memoryText, shareText } from "../../../ui/format/quantities.ts";
import { displayedItem } from "../../../ui/quick-input/displayed-items.ts";
import { pickRow, showInput } from "../../../ui/quick-input/show-input.ts";
import type { WorkspaceReference } from "../../../ui/quick-input/workspace-choice.ts";
import { type ItemUsage, usageOf } from "./kernel-usage.ts";
import type { KernelItem, RunningItem } from "./running-items.ts";
import { runningLabel, stateTextOf } from "./running-rows.ts";

/** What a command does to a kernel. */
export type KernelAction = "interruptKernel" | "restartKernel" | "shutDownKernel";

/** What the user chose: a kernel, or one of its buttons. */
interface KernelMemoryChoice {
  readonly item: KernelItem;
  /** Undefined for the kernel. */
  readonly action: KernelAction | undefined;
}

interface ActionButton extends vscode.QuickInputButton {
  readonly action: KernelAction;
  readonly tooltip: string;
  readonly iconPath: vscode.ThemeIcon;
}

interface MemoryItem extends vscode.QuickPickItem {
  readonly item: RunningItem;
}

/**
 * Shows the kernels of a workspace, the one with the most memory first, and updates them while it is open. Throws a
 * CancellationError if the user closes it.
 *
 * @param start the kernel that is active at first; the first one if undefined or not running
 */
export function pickByMemory(
  usages: Pick<ResourceUsages, "latest" | "watch" | "onDidChange">,
  place: WorkspaceReference,
  title: string,
  read: (signal: AbortSignal) => Promise<readonly RunningItem[]>,
  start: KernelItem | undefined,
): Promise<KernelMemoryChoice> {
  const pick = vscode.window.createQuickPick<MemoryItem>();
  pick.title = title;
  pick.busy = true;
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  let running: readonly RunningItem[] = [];
  const show = (): void => {
    const usage = usages.latest(place);
    const active = pick.activeItems[0]?.item ?? start;
    const items = byMemory(running.map((item) => ({ item, usage: usageOf(item, usage).usage }))).map(memoryItem);
    pick.placeholder =
      usage === undefined
        ? vscode.l10n.t("Memory is shown while the workspace's companion runs")
        : vscode.l10n.t("Select a kernel to open, interrupt, restart, or shut it down");
    pick.items = items;
    if (active !== undefined) {
      pick.activeItems = items.filter(({ item }) => idOf(item) === idOf(active));
    }
  };
  return showInput<KernelMemoryChoice>(pick, ({ signal, finish, fail }) => {
    const disposables = vscode.Disposable.from(
      usages.watch(place, { asksServer: true }),
      usages.onDidChange(({ tenantId, workspaceId }) =>
        tenantId === place.tenantId && workspaceId === place.workspaceId ? show() : undefined,
      ),
    );
    signal.addEventListener("abort", () => disposables.dispose(), { once: true });
    pick.onDidAccept(() => {
      const item = pick.selectedItems[0]?.item;
      if (item?.type === "kernel") {
        finish({ item, action: undefined });
      }
    });
    pick.onDidTriggerItemButton(({ button, item: { item } }) =>
      item.type === "kernel" ? finish({ item, action: (button as ActionButton).action }) : undefined,
    );
    read(signal).then((items) => {
      running = items.filter(({ type }) => type !== "terminal");
      pick.busy = false;
      if (running.length === 0) {
        pick.placeholder = vscode.l10n.t("No kernels are running");
        return;
      }
      show();
    }, fail);
  });
}

/**
 * Asks what to do with a kernel: the buttons of its row can't be reached by keyboard. Throws a CancellationError if the
 * user closes it.
 */
export async function pickKernelAction(item: KernelItem, title: string): Promise<KernelAction | "open"> {
  const open: ActionItem = {
    label: vscode.l10n.t("Open Notebook"),
    iconPath: new vscode.ThemeIcon("notebook"),
    action: "open",
  };
  const others = buttons().map(({ tooltip, iconPath, action }): ActionItem => ({ label: tooltip, iconPath, action }));
  const items = item.paths.length === 0 ? others : [open, ...others];
  return (await pickRow(items, { title, placeHolder: runningLabel(item) })).action;
}

interface ActionItem extends vscode.QuickPickItem {
  readonly action: KernelAction | "open";
}

interface UsedItem {
  readonly item: RunningItem;
  readonly usage: ItemUsage | undefined;
}

/** The items with the most memory first, and those whose memory isn't known last, in their order. */
export function byMemory(items: readonly UsedItem[]): readonly UsedItem[] {
  return items.toSorted((one, other) => (other.usage?.memory ?? -1) - (one.usage?.memory ?? -1));
}

function memoryItem({ item, usage }: UsedItem): MemoryItem {
  const { language } = vscode.env;
  const figures =
    usage === undefined
      ? []
      : [
          memoryText(usage.memory, language),
          ...(usage.processor === undefined ? [] : [vscode.l10n.t("CPU {0}", shareText(usage.processor, language))]),
        ];
  const shown = displayedItem({
    label: runningLabel(item),
    description: [...figures, stateTextOf(item)].filter(Boolean).join(" · "),
    item,
  });
  const isBusy = item.type === "kernel" && item.kernel.executionState === "busy";
  const icon = item.type === "companion" ? "tools" : isBusy ? "circle-filled" : "circle-outline";
  return { ...shown, iconPath: new vscode.ThemeIcon(icon), buttons: item.type === "kernel" ? buttons() : [] };
}

function buttons(): readonly ActionButton[] {
  return [
    {
      iconPath: new vscode.ThemeIcon("debug-stop"),
      tooltip: vscode.l10n.t("Interrupt"),
      action: "interruptKernel",
    },
    { iconPath: new vscode.ThemeIcon("debug-restart"), tooltip: vscode.l10n.t("Restart…"), action: "restartKernel" },
    { iconPath: new vscode.ThemeIcon("circle-slash"), tooltip: vscode.l10n.t("Shut Down…"), action: "shutDownKernel" },
  ];
}

function idOf(item: RunningItem): string {
  return item.type === "terminal" ? item.terminal.name : item.kernel.id;
}
