import * as vscode from "vscode";
import type { AnyOperation } from "../../api/catalogue/operation.ts";
import { type Dialect, pathTemplateOf } from "../../api/http/dialects.ts";
import { relativeDate } from "../../ui/format/dates.ts";
import type { PastRequest } from "./operation-requests.ts";

/** What was picked: an operation to run with new parameters, or one of the last runs to repeat or to change. */
export type OperationChoice =
  | { readonly type: "operation"; readonly operation: AnyOperation }
  | { readonly type: "past"; readonly past: PastRequest; readonly isChanged: boolean };

interface ChoiceItem extends vscode.QuickPickItem {
  readonly choice?: OperationChoice;
}

/** One of the operations or of the last runs, searchable by id, method, path and summary. */
export function pickOperation(
  operations: readonly AnyOperation[],
  history: readonly PastRequest[],
  title: string,
  dialect: Dialect,
): Promise<OperationChoice> {
  const pick = vscode.window.createQuickPick<ChoiceItem>();
  pick.title = title;
  pick.placeholder = vscode.l10n.t("Operation, method, path or what it does");
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const change = { iconPath: new vscode.ThemeIcon("edit"), tooltip: vscode.l10n.t("Change the Parameters") };
  pick.items = [...historyItems(operations, history, change), ...operationItems(operations, dialect)];
  return new Promise((resolve, reject) => {
    const finish = (choice: OperationChoice | undefined): void => {
      if (choice !== undefined) {
        resolve(choice);
        pick.hide();
      }
    };
    pick.onDidAccept(() => finish(pick.selectedItems[0]?.choice));
    pick.onDidTriggerItemButton(({ item }) =>
      finish(item.choice?.type === "past" ? { ...item.choice, isChanged: true } : undefined),
    );
    pick.onDidHide(() => {
      reject(new vscode.CancellationError());
      pick.dispose();
    });
    pick.show();
  });
}

function historyItems(
  operations: readonly AnyOperation[],
  history: readonly PastRequest[],
  button: vscode.QuickInputButton,
): readonly ChoiceItem[] {
  const items = history.flatMap((past): readonly ChoiceItem[] => {
    const operation = operations.find(({ id }) => id === past.operationId);
    if (operation === undefined) {
      return [];
    }
    const parameters = Object.entries(past.parameters).map(([name, text]) => `${name}=${text}`);
    const age = relativeDate(past.when, vscode.env.language) ?? "";
    return [
      {
        label: past.operationId,
        description: [operation.method, ...parameters].join(" "),
        detail: [operation.summary, String(past.status ?? vscode.l10n.t("no answer")), age].join(" · "),
        iconPath: new vscode.ThemeIcon("history"),
        buttons: [button],
        choice: { type: "past", past, isChanged: false },
      },
    ];
  });
  return items.length === 0 ? [] : [separator(vscode.l10n.t("last runs")), ...items];
}

function operationItems(operations: readonly AnyOperation[], dialect: Dialect): readonly ChoiceItem[] {
  const families = Map.groupBy(operations, ({ id }) => id.split(".")[0] ?? id);
  return [...families].flatMap(([family, members]) => [
    separator(family),
    ...members.map(
      (operation): ChoiceItem => ({
        label: operation.id,
        description: `${operation.method} ${pathTemplateOf(operation, dialect)}`,
        detail: operation.summary,
        iconPath: new vscode.ThemeIcon(iconOf(operation)),
        choice: { type: "operation", operation },
      }),
    ),
  ]);
}

function iconOf({ effect }: AnyOperation): string {
  return effect === "read" ? "eye" : effect === "change" ? "edit" : "trash";
}

function separator(label: string): ChoiceItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
