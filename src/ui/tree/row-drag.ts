import * as vscode from "vscode";
import type { TreeDefinition, TreeRow } from "./definition.ts";
import type { TreeElement } from "./elements.ts";

const dragType = (view: string): string => `application/vnd.code.tree.platformworkbench.${view}`;

/** Puts the rows that can be dragged into what is dragged. */
export function dragRows<Row extends TreeRow>(
  { view, dragAndDrop }: TreeDefinition<Row>,
  source: readonly TreeElement<Row>[],
  data: vscode.DataTransfer,
): void {
  const rows = source.flatMap((element) => (element.type === "row" ? [element.row] : []));
  if (rows.length === source.length && dragAndDrop?.canDrag(rows) === true) {
    data.set(dragType(view), new vscode.DataTransferItem(rows));
  }
}

/** Does what dropping dragged rows on this one means. */
export async function dropRows<Row extends TreeRow>(
  { view, dragAndDrop }: TreeDefinition<Row>,
  target: TreeElement<Row> | undefined,
  data: vscode.DataTransfer,
): Promise<void> {
  const rows: unknown = data.get(dragType(view))?.value;
  if (Array.isArray(rows) && (target === undefined || target.type === "row")) {
    await dragAndDrop?.drop(rows, target?.row);
  }
}
