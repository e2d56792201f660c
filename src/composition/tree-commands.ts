import * as vscode from "vscode";
import * as z from "zod/mini";
import type { CommandHandlers } from "../ui/commands/command-runner.ts";
import { type ViewName, viewNames } from "../ui/tree/definition.ts";
import type { PlatformTree } from "../ui/tree/platform-tree.ts";
import type { CommandId } from "./declarations.ts";
import type { PlatformTrees } from "./trees.ts";

type TreeCommandId =
  | Extract<CommandId, `platformWorkbench.${"refresh" | "filter"}${Capitalize<ViewName>}`>
  | Extract<CommandId, `platformWorkbench.${"change" | "clear"}${Capitalize<ViewName>}Filter`>
  | "platformWorkbench.clickRow"
  | "platformWorkbench.openSelectedRow"
  | "platformWorkbench.loadMore"
  | "platformWorkbench.retry";

const ofList = z.looseObject({ view: z.enum(viewNames), tenantId: z.string(), list: z.string() });
const ofView = z.looseObject({ view: z.enum(viewNames) });
const ofRow = z.looseObject({ view: z.enum(viewNames), tenantId: z.string(), key: z.string() });
const doubleClick = 500;

/** What every tree has: refresh, filter, the next page, retry, and what a double click or Enter does. */
export function treeCommands(trees: PlatformTrees): Pick<CommandHandlers, TreeCommandId> {
  let lastClick = { key: "", time: 0 };
  const refresh = (view: ViewName) => () => trees[view].refresh();
  const filter = (view: ViewName) => () => askForFilter(trees[view]);
  const clear = (view: ViewName) => () => trees[view].setFilter("");
  return {
    "platformWorkbench.refreshWorkspaces": refresh("workspaces"),
    "platformWorkbench.refreshDesigns": refresh("designs"),
    "platformWorkbench.refreshPages": refresh("pages"),
    "platformWorkbench.refreshSandbox": refresh("sandbox"),
    "platformWorkbench.refreshWorkflows": refresh("workflows"),
    "platformWorkbench.filterWorkspaces": filter("workspaces"),
    "platformWorkbench.filterDesigns": filter("designs"),
    "platformWorkbench.filterPages": filter("pages"),
    "platformWorkbench.filterSandbox": filter("sandbox"),
    "platformWorkbench.filterWorkflows": filter("workflows"),
    "platformWorkbench.changeWorkspacesFilter": filter("workspaces"),
    "platformWorkbench.changeDesignsFilter": filter("designs"),
    "platformWorkbench.changePagesFilter": filter("pages"),
    "platformWorkbench.changeSandboxFilter": filter("sandbox"),
    "platformWorkbench.changeWorkflowsFilter": filter("workflows"),
    "platformWorkbench.clearWorkspacesFilter": clear("workspaces"),
    "platformWorkbench.clearDesignsFilter": clear("designs"),
    "platformWorkbench.clearPagesFilter": clear("pages"),
    "platformWorkbench.clearSandboxFilter": clear("sandbox"),
    "platformWorkbench.clearWorkflowsFilter": clear("workflows"),
    "platformWorkbench.loadMore": (_, argument) => {
      const { view, ...list } = z.parse(ofList, argument);
      return trees[view].loadMore(list);
    },
    "platformWorkbench.retry": (_, argument) => {
      const { view, ...list } = z.parse(ofList, argument);
      return trees[view].retry(list);
    },
    "platformWorkbench.clickRow": async (_, argument) => {
      const { view, tenantId, key } = z.parse(ofRow, argument);
      const clicked = `${view}/${tenantId}/${key}`;
      const isSecond = lastClick.key === clicked && Date.now() - lastClick.time < doubleClick;
      lastClick = isSecond ? { key: "", time: 0 } : { key: clicked, time: Date.now() };
      if (isSecond) {
        await openRow(trees[view], tenantId, key);
      }
    },
    "platformWorkbench.openSelectedRow": (_, argument) => openSelectedRow(trees[z.parse(ofView, argument).view]),
  };
}

async function askForFilter(tree: PlatformTree): Promise<void> {
  const { filterTitle, filterPlaceholder } = tree.definition.words;
  const text = await vscode.window.showInputBox({
    title: filterTitle,
    prompt: vscode.l10n.t("Leave it empty to see all"),
    placeHolder: filterPlaceholder,
    value: tree.filter,
  });
  if (text !== undefined) {
    await tree.setFilter(text.trim());
  }
}

/** What a double click on a row does: its own main thing, else its details; a row that only groups others unfolds. */
async function openRow(tree: PlatformTree, tenantId: string, key: string): Promise<void> {
  const row = tree.row(tenantId, key);
  if (row === undefined) {
    return;
  }
  const command = tree.definition.open?.(row);
  if (command !== undefined) {
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
  } else if (row.resource === undefined) {
    await vscode.commands.executeCommand("list.toggleExpand");
  } else {
    await vscode.commands.executeCommand("platformWorkbench.showDetails", row);
  }
}

/** Enter does what a double click does. */
async function openSelectedRow(tree: PlatformTree): Promise<void> {
  const [element] = tree.selectedElements;
  if (element === undefined) {
    return;
  }
  if (element.type === "row") {
    await openRow(tree, element.tenantId, element.row.key);
    return;
  }
  if (element.type === "tenant") {
    await vscode.commands.executeCommand("list.toggleExpand");
    return;
  }
  const { command } = tree.getTreeItem(element);
  if (command !== undefined) {
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
  }
}
