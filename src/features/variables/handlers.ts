import * as vscode from "vscode";
import * as z from "zod/mini";
import { CompanionOperationError } from "../../api/companion/errors.ts";
import { deleteVariables, readVariable } from "../../api/companion/operations/variables.ts";
import { showInformation } from "../../tenants/messages.ts";
import type { CommandHandlers } from "../../ui/commands/command-runner.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { enterText, pickItem } from "../../ui/quick-input/show-input.ts";
import { cellIdOf } from "../../ui/resources/notebook-cells.ts";
import type { VariablesCommandId } from "./declarations.ts";
import type { VariableOrder } from "./kernel-variables.ts";
import type { VariableNode } from "./variable-lists.ts";
import type { VariablesView } from "./variables-view.ts";

const ofList = z.looseObject({ list: z.string() });

/** The commands of the Variables view. */
export function variablesCommands(view: VariablesView): CommandHandlers<VariablesCommandId> {
  const askForFilter = async (): Promise<void> => {
    const filter = await enterText({
      title: vscode.l10n.t("Filter Variables"),
      prompt: vscode.l10n.t("Leave empty to show all"),
      placeHolder: vscode.l10n.t("A part of the name or of the type"),
      value: view.options.filter,
    });
    await view.setOptions({ filter: filter.trim() });
  };
  return {
    "platformWorkbench.showVariables": () => vscode.commands.executeCommand("platformWorkbench.variables.focus"),
    "platformWorkbench.filterVariables": askForFilter,
    "platformWorkbench.changeVariablesFilter": askForFilter,
    "platformWorkbench.clearVariablesFilter": () => view.setOptions({ filter: "" }),
    "platformWorkbench.sortVariables": async () => view.setOptions({ sort: await askForOrder(view.options.sort) }),
    "platformWorkbench.refreshVariables": () => view.refresh(),
    "platformWorkbench.showAllVariables": () => view.setOptions({ includesAll: true }),
    "platformWorkbench.hideOtherVariables": () => view.setOptions({ includesAll: false }),
    "platformWorkbench.openVariableInDataExplorer": (_, argument) =>
      vscode.commands.executeCommand("platformWorkbench.openDataExplorer", {
        notebook: view.kernel?.notebook.uri.toString(),
        expression: nodeOf(argument).row.expression,
      }),
    "platformWorkbench.goToSettingCell": (_, argument) => goToCell(view, nodeOf(argument)),
    "platformWorkbench.copyVariableValue": async (_, argument) => {
      const [node] = argument === undefined ? await view.focusedVariables() : [nodeOf(argument)];
      return node === undefined ? undefined : copyValue(view, node);
    },
    "platformWorkbench.copyVariableExpression": (_, argument) =>
      vscode.env.clipboard.writeText(nodeOf(argument).expression ?? ""),
    "platformWorkbench.deleteVariables": async (_, argument, selection) => {
      if (argument === undefined) {
        const variables = (await view.focusedVariables()).filter(({ path }) => path.length === 1);
        return variables.length === 0 ? undefined : deleteAll(view, variables);
      }
      return deleteAll(view, selection.length === 0 ? [nodeOf(argument)] : selection.map(nodeOf));
    },
    "platformWorkbench.loadMoreVariables": (_, argument) => view.loadMore(z.parse(ofList, argument).list),
    "platformWorkbench.startKernelForVariables": () => view.kernel?.connect(),
  };
}

/** The variable that a menu passes: the object that the view has returned to the editor. */
function nodeOf(argument: unknown): VariableNode {
  if (typeof argument !== "object" || argument === null || !("key" in argument) || !("row" in argument)) {
    throw new Error(vscode.l10n.t("Choose the command in the menu of a variable."));
  }
  return argument as VariableNode;
}

async function askForOrder(current: VariableOrder): Promise<VariableOrder> {
  const labels: Readonly<Record<VariableOrder, string>> = {
    name: vscode.l10n.t("Name"),
    type: vscode.l10n.t("Type"),
    size: vscode.l10n.t("Size, largest first"),
    recent: vscode.l10n.t("Last set first"),
  };
  const orders: readonly VariableOrder[] = ["name", "type", "size", "recent"];
  const items = orders.map((order) => ({
    order,
    label: labels[order],
    ...(order === current ? { description: vscode.l10n.t("current") } : {}),
  }));
  return (await pickItem(items, { title: vscode.l10n.t("Sort Variables") })).order;
}

async function copyValue({ variables }: VariablesView, { path, row }: VariableNode): Promise<void> {
  const program = await variables.program();
  const { text, isCut } = await described(row.label, program.request(readVariable, { path }));
  await vscode.env.clipboard.writeText(text);
  if (isCut) {
    const shown = text.length.toLocaleString(vscode.env.language);
    void showInformation(vscode.l10n.t("Only the first {0} characters of {1} were copied.", shown, row.label));
  }
}

async function deleteAll(view: VariablesView, nodes: readonly VariableNode[]): Promise<void> {
  const names = nodes.flatMap(({ path: [variable, ...below] }) =>
    variable !== undefined && below.length === 0 ? [String(variable.at)] : [],
  );
  const [only = ""] = names;
  const { variables } = view;
  await confirm({
    question:
      names.length === 1
        ? vscode.l10n.t("Delete the variable {0}?", only)
        : vscode.l10n.t("Delete {0} variables?", names.length),
    ...(names.length === 1 ? {} : { touched: names }),
    consequence: vscode.l10n.t("Cells that use it fail until it is set again."),
    action: vscode.l10n.t("Delete"),
  });
  const program = await variables.program();
  await described(names.join(", "), program.request(deleteVariables, { names }));
  await view.refresh();
}

/** The result, or an error that says what is wrong with these values. */
async function described<Result>(name: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CompanionOperationError)) {
      throw error;
    }
    switch (error.kind) {
      case "busy":
        throw new Error(vscode.l10n.t("Can't do that with {0} while a cell is running. Wait for its end.", name));
      case "slow":
        throw new Error(vscode.l10n.t("Can't read {0}, because its own code takes too long.", name));
      case "raised":
        throw new Error(vscode.l10n.t("Can't read {0}. Its own code failed: {1}", name, error.message));
      case "gone":
        throw new Error(vscode.l10n.t("{0} no longer exists.", name));
      default:
        throw error;
    }
  }
}

async function goToCell({ notebook }: VariablesView, { row }: VariableNode): Promise<void> {
  const { cell: id, count } = row.setter ?? { cell: null, count: null };
  const cells = notebook?.getCells() ?? [];
  const isOfCount = (cell: vscode.NotebookCell): boolean => cell.executionSummary?.executionOrder === count;
  // Two cells can have the same id.
  const withId = id === null ? cells.filter(isOfCount) : cells.filter((cell) => cellIdOf(cell) === id);
  const cell = withId.find(isOfCount) ?? withId[0];
  if (notebook === undefined || cell === undefined) {
    throw new Error(vscode.l10n.t("The cell that set {0} is no longer in the notebook.", row.label));
  }
  const range = new vscode.NotebookRange(cell.index, cell.index + 1);
  const editor = await vscode.window.showNotebookDocument(notebook, { selections: [range], preserveFocus: false });
  editor.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
}
