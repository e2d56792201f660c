import * as vscode from "vscode";
import * as z from "zod/mini";
import type { CommandHandler, CommandHandlers, ContributedHandlers } from "../commands/command-runner.ts";
import type { TreeCommand } from "../commands/declaration.ts";
import { enterText, unlessCanceled } from "../quick-input/show-input.ts";
import { type ViewName, viewNames } from "./definition.ts";
import type { Trees } from "./lazy-trees.ts";
import type { PlatformTree } from "./platform-tree.ts";

const ofList = z.looseObject({ view: z.enum(viewNames), tenantId: z.string(), list: z.string() });
const ofView = z.looseObject({ view: z.enum(viewNames) });
const ofRow = z.looseObject({ view: z.enum(viewNames), tenantId: z.string(), key: z.string() });

/** The longest time between the clicks of a double click, in milliseconds. */
const doubleClick = 500;

/** The refresh and filter commands of every tree (`treeDeclarations`). */
export function treeCommands<Name extends Capitalize<ViewName>>(
  name: Name,
  tree: PlatformTree,
): CommandHandlers<TreeCommand<Name>> {
  const handlers: Readonly<Record<string, CommandHandler>> = {
    [`platformWorkbench.refresh${name}`]: () => tree.refresh(),
    [`platformWorkbench.filter${name}`]: () => askForFilter(tree),
    [`platformWorkbench.change${name}Filter`]: () => askForFilter(tree),
    [`platformWorkbench.clear${name}Filter`]: () => tree.setFilter(""),
  };
  // The compiler can't check computed names; `treeDeclarations` creates the same ones.
  return handlers as CommandHandlers<TreeCommand<Name>>;
}

/** The commands of rows in every tree: load more, load all, retry, and the default action. */
export function rowCommands(
  trees: Trees,
): ContributedHandlers<`platformWorkbench.${"loadMore" | "loadAll" | "retry" | "clickRow" | "openSelectedRow"}`> {
  let lastClick = { key: "", time: 0 };
  let lastEnter = 0;
  return {
    "platformWorkbench.loadMore": async (_, argument) => {
      const { view, ...list } = z.parse(ofList, argument);
      return (await trees.load(view)).loadMore(list);
    },
    "platformWorkbench.loadAll": async (_, argument) => {
      const { view, ...list } = z.parse(ofList, argument);
      return (await trees.load(view)).loadAll(list);
    },
    "platformWorkbench.retry": {
      withoutRow: async (_, argument) => {
        if (argument === undefined) {
          // While a view is drawn again, the editor can't tell which row was clicked.
          await Promise.all(trees.loaded.filter(({ isInSight }) => isInSight).map((tree) => tree.refresh()));
          return;
        }
        const { view, ...list } = z.parse(ofList, argument);
        return (await trees.load(view)).retry(list);
      },
    },
    "platformWorkbench.clickRow": async (_, argument) => {
      const { view, tenantId, key } = z.parse(ofRow, argument);
      const clicked = `${view}/${tenantId}/${key}`;
      // Selecting a row with Enter runs this command, too.
      const isByMouse = Date.now() - lastEnter >= doubleClick;
      const isSecond = isByMouse && lastClick.key === clicked && Date.now() - lastClick.time < doubleClick;
      lastClick = isSecond ? { key: "", time: 0 } : { key: clicked, time: Date.now() };
      const tree = await trees.load(view);
      const row = tree.row(tenantId, key);
      const opensAtOnce = row !== undefined && tree.definition.opensWithOneClick?.(row) === true;
      if (isByMouse && isSecond !== opensAtOnce) {
        await openRow(tree, tenantId, key);
      }
    },
    "platformWorkbench.openSelectedRow": async (_, argument) => {
      lastEnter = Date.now();
      await openFocusedRow(await trees.load(z.parse(ofView, argument).view));
    },
  };
}

async function askForFilter(tree: PlatformTree): Promise<void> {
  const { askForFilter: ownForm } = tree.definition;
  if (ownForm !== undefined) {
    return tree.setFilter(await ownForm(tree.filter));
  }
  const { filterTitle, filterPlaceholder } = tree.definition.words;
  const result = enterText({
    title: filterTitle,
    prompt: vscode.l10n.t("Leave empty to show all"),
    placeHolder: filterPlaceholder,
    value: tree.filter,
  });
  const text = await unlessCanceled(result);
  if (text !== undefined) {
    await tree.setFilter(text.trim());
  }
}

/** Runs a row's default action: its own command, its details, or, for a group, expanding it. */
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

/**
 * Enter does the same as a double click. The arrow keys move only the focus, which extensions can't read, so the
 * focused element is selected first. Selecting it also expands a tenant or runs the command of a message.
 */
async function openFocusedRow(tree: PlatformTree): Promise<void> {
  await vscode.commands.executeCommand("list.select");
  const [element] = await tree.selectedElements();
  if (element?.type === "row") {
    await openRow(tree, element.tenantId, element.row.key);
  }
}
