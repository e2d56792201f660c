import * as vscode from "vscode";
import type { OpenKernels } from "../../tenants/open-kernels.ts";

/** How far the markup of a table may be from the beginning of an output. */
const searchedLength = 4_000;

/** The item that opens the table among a cell's outputs. Undefined without one, or without a kernel that has it. */
export function tableItem(
  cell: vscode.NotebookCell,
  openKernels: Pick<OpenKernels, "find">,
): vscode.NotebookCellStatusBarItem | undefined {
  const count = cell.executionSummary?.executionOrder;
  if (
    count === undefined ||
    !cell.outputs.some(showsTable) ||
    openKernels.find(cell.notebook)?.connection === undefined
  ) {
    return undefined;
  }
  const item = new vscode.NotebookCellStatusBarItem(
    vscode.l10n.t("$(table) Open Table"),
    vscode.NotebookCellStatusBarAlignment.Right,
  );
  item.tooltip = vscode.l10n.t("Open the table in the data explorer");
  item.command = {
    command: "platformWorkbench.openDataExplorer",
    title: item.tooltip,
    arguments: [{ notebook: cell.notebook.uri.toString(), expression: `Out[${count}]` }],
  };
  return item;
}

/** Whether the output is the value of the last line, as a table of pandas or polars. */
function showsTable({ items, metadata }: vscode.NotebookCellOutput): boolean {
  const html = items.find(({ mime }) => mime === "text/html");
  return (
    html !== undefined &&
    metadata?.outputType === "execute_result" &&
    Buffer.from(html.data.subarray(0, searchedLength)).toString("utf8").includes('class="dataframe"')
  );
}
