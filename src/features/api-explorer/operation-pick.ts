import * as vscode from "vscode";
import type { AnyOperation, Effect } from "../../api/catalogue/operation.ts";
import { bestMatch, hasWords, searchedText } from "../../api/catalogue/operation-search.ts";
import { type Dialect, pathTemplateOf } from "../../api/http/dialects.ts";
import { relativeDate } from "../../ui/format/dates.ts";
import { displayedItem } from "../../ui/quick-input/displayed-items.ts";
import { showPick } from "../../ui/quick-input/show-input.ts";
import type { PastRequest } from "./operation-requests.ts";
import { summaryOf } from "./operation-summary.ts";

/** The choice: an operation to run with new parameters, or an earlier run to repeat or change. */
type OperationChoice = (
  | { readonly type: "operation"; readonly operation: AnyOperation }
  | { readonly type: "past"; readonly past: PastRequest; readonly isChanged: boolean }
) & {
  /** True to show the raw response. */
  readonly isRaw: boolean;
};

interface ChoiceItem extends vscode.QuickPickItem {
  readonly operation?: AnyOperation;
  readonly past?: PastRequest;
  /** The text that typed words are matched against. */
  readonly searched?: string;
}

/**
 * Lets the user pick an operation or one of the last runs. Typed words match in any order in id, method, path, and
 * summary. The button in the title switches to raw responses.
 */
export function pickOperation(
  operations: readonly AnyOperation[],
  history: readonly PastRequest[],
  title: string,
  dialect: Dialect,
): Promise<OperationChoice> {
  const pick = vscode.window.createQuickPick<ChoiceItem>();
  pick.placeholder = vscode.l10n.t("Search operations by name, path, or description");
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const items = [...historyItems(operations, history, dialect), ...operationItems(operations, dialect)].map((item) =>
    displayedItem(item),
  );
  pick.items = items;
  let isRaw = false;
  const showSwitch = (): void => {
    pick.title = isRaw ? vscode.l10n.t("{0} · Raw Response", title) : title;
    pick.buttons = [
      isRaw
        ? { iconPath: new vscode.ThemeIcon("bracket-error"), tooltip: vscode.l10n.t("Show Validated Response") }
        : { iconPath: new vscode.ThemeIcon("bracket"), tooltip: vscode.l10n.t("Show Raw Response") },
    ];
  };
  showSwitch();
  const toChoice = ({ operation, past }: ChoiceItem, isChanged: boolean): OperationChoice | undefined =>
    past !== undefined
      ? { type: "past", past, isChanged, isRaw }
      : operation === undefined
        ? undefined
        : { type: "operation", operation, isRaw };
  return showPick(
    pick,
    (item) => toChoice(item, false),
    ({ finish }) => {
      pick.onDidChangeValue((typed) => {
        const words = typed.split(/\s/).filter((word) => word !== "");
        pick.items = withWordsShown(items, words);
        const best = bestMatch(operations, words);
        if (best !== undefined) {
          // The list keeps its order, but Enter runs the operation whose name was typed.
          pick.activeItems = pick.items.filter(({ operation }) => operation === best);
        }
      });
      pick.onDidTriggerButton(() => {
        isRaw = !isRaw;
        showSwitch();
      });
      pick.onDidTriggerItemButton(({ item }) => {
        const choice = item.past === undefined ? undefined : toChoice(item, true);
        if (choice !== undefined) {
          finish(choice);
        }
      });
    },
  );
}

/**
 * The same items, changed so that the editor shows those with all the words, in addition to the results of its own
 * search. They keep their positions, because the editor identifies an item by its position if it is accepted while the
 * list is replaced.
 */
function withWordsShown(items: readonly ChoiceItem[], words: readonly string[]): readonly ChoiceItem[] {
  return items.map((item) => ({
    ...item,
    alwaysShow: words.length > 0 && item.searched !== undefined && hasWords(item.searched, words),
  }));
}

function historyItems(
  operations: readonly AnyOperation[],
  history: readonly PastRequest[],
  dialect: Dialect,
): readonly ChoiceItem[] {
  const button = { iconPath: new vscode.ThemeIcon("edit"), tooltip: vscode.l10n.t("Change Parameters") };
  const items = history.flatMap((past): readonly ChoiceItem[] => {
    const operation = operations.find(({ id }) => id === past.operationId);
    if (operation === undefined) {
      return [];
    }
    const parameters = Object.entries(past.parameters).map(([name, text]) => `${name}=${text}`);
    const age = relativeDate(past.when, vscode.env.language) ?? "";
    const status = String(past.status ?? vscode.l10n.t("no response"));
    const description = [operation.method, ...parameters].join(" ");
    return [
      {
        label: past.operationId,
        description,
        detail: [summaryOf(operation), status, ...(past.isRaw ? [vscode.l10n.t("raw")] : []), age].join(" · "),
        iconPath: new vscode.ThemeIcon("history"),
        buttons: [button],
        searched: `${searchedText(operation, dialect)} ${summaryOf(operation)} ${description}`,
        past,
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
        detail: summaryOf(operation),
        iconPath: new vscode.ThemeIcon(iconOf(operation)),
        searched: `${searchedText(operation, dialect)} ${summaryOf(operation)}`,
        operation,
      }),
    ),
  ]);
}

const icons: Readonly<Record<Effect, string>> = {
  read: "eye",
  change: "edit",
  grant: "organization",
  run: "play",
  destroy: "trash",
};

function iconOf({ effect }: AnyOperation): string {
  return icons[effect];
}

function separator(label: string): ChoiceItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
