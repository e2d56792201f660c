import * as vscode from "vscode";
import { displayedItem } from "./displayed-items.ts";

/** An item with a value, or a separator or message without one. */
export interface ValueItem<Value> extends vscode.QuickPickItem {
  readonly value?: Value;
}

type ItemList<Value> = Pick<vscode.QuickPick<ValueItem<Value>>, "items">;

/**
 * Items within a list that was sent to the window. The list starts and ends with separators, which occupy the positions
 * of other lists.
 */
interface SentItems<Value> {
  readonly items: readonly ValueItem<Value>[];
  /** Position of the first item in the list that was sent. */
  readonly first: number;
  readonly sent: readonly ValueItem<Value>[];
}

/**
 * The list of a quick pick that is replaced while it is visible. The editor identifies an accepted item only by its
 * position. While a new list is on its way to the window, the accepted item belongs to the previous list. Therefore,
 * consecutive lists never use the same position for different items, and the next list waits until the window has
 * received the previous one.
 */
export class ReplacedItems<Value> {
  readonly #pick: ItemList<Value>;
  readonly #receivedByWindow: () => Promise<void>;
  #waiting: readonly ValueItem<Value>[] | undefined;
  #isSending = false;
  #latest: SentItems<Value> = { items: [], first: 0, sent: [] };
  #before: SentItems<Value> = this.#latest;

  constructor(pick: ItemList<Value>, receivedByWindow = roundTripToWindow) {
    this.#pick = pick;
    this.#receivedByWindow = receivedByWindow;
  }

  replace(items: readonly ValueItem<Value>[]): void {
    this.#waiting = items;
    if (!this.#isSending) {
      void this.#send();
    }
  }

  /** The value of the selected item, from the item that the editor reports. */
  valueOf(selected: ValueItem<Value>): Value | undefined {
    const position =
      [this.#latest, this.#before].find(({ sent }) => sent.includes(selected))?.sent.indexOf(selected) ?? -1;
    return (itemAt(this.#latest, position) ?? itemAt(this.#before, position))?.value;
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting !== undefined) {
      const items = this.#waiting.map((item) => displayedItem(item));
      this.#waiting = undefined;
      this.#before = this.#latest;
      this.#latest = placed(items, this.#before);
      this.#pick.items = this.#latest.sent;
      await this.#receivedByWindow();
    }
    this.#isSending = false;
  }
}

/** Puts items at positions that the previous list did not use, unless it only grows. */
function placed<Value>(items: readonly ValueItem<Value>[], before: SentItems<Value>): SentItems<Value> {
  const end = before.first + before.items.length;
  const onlyGrows =
    items.length >= before.items.length && before.items.every(({ value }, index) => value === items[index]?.value);
  const first = onlyGrows ? before.first : items.length <= before.first ? 0 : end;
  const rest = Math.max(0, end - first - items.length);
  return { items, first, sent: [...separators(first), ...items, ...separators(rest)] };
}

/** The editor neither shows nor counts separators without a following item. */
function separators(count: number): vscode.QuickPickItem[] {
  return Array.from({ length: count }, () => ({ label: "", kind: vscode.QuickPickItemKind.Separator }));
}

function itemAt<Value>({ items, first }: SentItems<Value>, position: number): ValueItem<Value> | undefined {
  return position < first ? undefined : items[position - first];
}

/** Resolves when the window has handled everything that was sent before, because it handles messages in order. */
export async function roundTripToWindow(): Promise<void> {
  // The editor sends changes of an input in the next turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve));
  await vscode.commands.executeCommand("setContext", "platformWorkbench.itemsReplaced", true);
}
