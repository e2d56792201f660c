import * as vscode from "vscode";
import type { VariableRow } from "../../api/companion/operations/variables.ts";
import { errorText } from "../../tenants/error-text.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import { moreLabel } from "../../ui/tree/elements.ts";
import { displayedRow } from "../../ui/tree/tree-items.ts";
import type { ListNode, MoreNode, VariableNode } from "./variable-lists.ts";

/** A sentence instead of variables. */
export interface NoticeNode {
  readonly type: "notice";
  readonly text: string;
  readonly icon: string;
  readonly action?: { readonly label: string; readonly command: string };
}

/** Bytes from which on a row shows the size. Below, it is the same for most values. */
const minShownBytes = 1000;

const icons: Readonly<Record<string, string>> = {
  ...{ int: "symbol-numeric", float: "symbol-numeric", complex: "symbol-numeric", bool: "symbol-boolean" },
  ...{ str: "symbol-string", bytes: "symbol-string", bytearray: "symbol-string" },
  ...{ list: "symbol-array", tuple: "symbol-array", set: "symbol-array", frozenset: "symbol-array" },
  ...{ deque: "symbol-array", ndarray: "symbol-array", Series: "symbol-array", Tensor: "symbol-array" },
  ...{ dict: "symbol-object", OrderedDict: "symbol-object", defaultdict: "symbol-object", Counter: "symbol-object" },
  ...{ module: "symbol-namespace", type: "symbol-class", function: "symbol-method", method: "symbol-method" },
};

/** The item of a row. Everything that a kernel has sent is shown as plain text. */
export function itemOf(node: ListNode | NoticeNode): vscode.TreeItem {
  switch (node.type) {
    case "variable":
      return displayedRow(variableItem(node));
    case "more":
      return moreItem(node);
    case "failed":
      return failedItem(node.list, errorText(node.error));
    case "notice":
      return noticeItem(node);
  }
}

function variableItem({ key, path, row }: VariableNode): vscode.TreeItem {
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(row.label, row.hasChildren ? Collapsed : None);
  const description = descriptionOf(row);
  item.id = key;
  item.description = description;
  item.iconPath =
    row.problem === null
      ? new vscode.ThemeIcon(row.isFrame ? "table" : (icons[row.type] ?? "symbol-variable"))
      : new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  item.tooltip = tooltipOf(row);
  item.contextValue = [
    path.length === 1 ? "variable" : "variableMember",
    ...(row.isFrame && row.expression !== null ? ["frame"] : []),
    ...(row.expression === null ? [] : ["expression"]),
    ...(row.setter === null ? [] : ["setter"]),
  ].join(";");
  item.accessibilityInformation = { label: `${row.label}, ${description}` };
  return item;
}

/** Type and shape, the size of what is large, and the value: `DataFrame (1000, 5) · 40.1 KB · month: object, …`. */
function descriptionOf(row: VariableRow): string {
  const { size, value } = row;
  return [
    typeText(row),
    ...(size === null || size < minShownBytes ? [] : [sizeText(size, vscode.env.language)]),
    problemText(row) ?? `${value.replace(/\s+/g, " ")}${row.isCut ? "…" : ""}`,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function typeText({ type, shape }: VariableRow): string {
  if (shape === null) {
    return type;
  }
  return `${type} ${shape.startsWith("(") ? shape : `(${shape})`}`;
}

/** Why a row has no value. */
function problemText({ problem, value }: VariableRow): string | undefined {
  switch (problem) {
    case null:
      return undefined;
    case "raised":
      return vscode.l10n.t("Can't show its value: {0}", value.replace(/\s+/g, " "));
    case "slow":
      return vscode.l10n.t("Its value isn't shown, because that takes too long");
    case "skipped":
      return vscode.l10n.t("Its value isn't shown, because other values take too long");
  }
}

function tooltipOf(row: VariableRow): string {
  const { label, size, setter } = row;
  const number = setter?.count ?? undefined;
  return [
    `${label}: ${typeText(row)}`,
    ...(size === null ? [] : [vscode.l10n.t("Size: {0}", sizeText(size, vscode.env.language))]),
    ...(number === undefined ? [] : [vscode.l10n.t("Set by the execution [{0}]", number)]),
    "",
    problemText(row) ?? `${row.value}${row.isCut ? "…" : ""}`,
  ].join("\n");
}

function moreItem({ list, shown, total, pageSize }: MoreNode): vscode.TreeItem {
  const label = moreLabel(shown, total, pageSize, vscode.l10n.t);
  const item = new vscode.TreeItem(label);
  item.id = `${list}/more`;
  item.iconPath = new vscode.ThemeIcon("ellipsis");
  item.command = { command: "platformWorkbench.loadMoreVariables", title: label, arguments: [{ list }] };
  return item;
}

function failedItem(list: string, message: string): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t("Can't read its values: {0}", message));
  item.id = `${list}/failed`;
  item.iconPath = new vscode.ThemeIcon("error", new vscode.ThemeColor("list.errorForeground"));
  item.tooltip = message;
  return item;
}

/** Rows are narrow, so the tooltip repeats the whole sentence. */
function noticeItem({ text, icon, action }: NoticeNode): vscode.TreeItem {
  const item = new vscode.TreeItem(text);
  item.id = `notice/${text}`;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = text;
  if (action !== undefined) {
    item.description = action.label;
    item.command = { command: action.command, title: action.label };
  }
  return item;
}
