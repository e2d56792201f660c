import * as vscode from "vscode";

/** An item with a value, or a separator or a message without one. */
export interface ValueItem<Value> extends vscode.QuickPickItem {
  readonly value?: Value;
}

type ItemList<Value> = Pick<vscode.QuickPick<ValueItem<Value>>, "items">;

/** Items among those that were sent to the window, which begin and end with separators for positions of other lists. */
interface SentItems<Value> {
  readonly items: readonly ValueItem<Value>[];
  /** Position of the first of the items in what was sent. */
  readonly first: number;
  readonly sent: readonly ValueItem<Value>[];
}

/**
 * The list of a quick pick that is replaced while it shows. The editor identifies an accepted item by its position alone, and
 * an item that is accepted while a new list is on its way to the window comes from the list before. So two lists that follow
 * each other never use the same position for different items, and the next one waits until the window has the one before.
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
      const items = this.#waiting;
      this.#waiting = undefined;
      this.#before = this.#latest;
      this.#latest = placed(items, this.#before);
      this.#pick.items = this.#latest.sent;
      await this.#receivedByWindow();
    }
    this.#isSending = false;
  }
}

/** Puts items at positions that the list before did not use, unless it only grows. */
function placed<Value>(items: readonly ValueItem<Value>[], before: SentItems<Value>): SentItems<Value> {
  const end = before.first + before.items.length;
  const onlyGrows =
    items.length >= before.items.length && before.items.every(({ value }, index) => value === items[index]?.value);
  const first = onlyGrows ? before.first : items.length <= before.first ? 0 : end;
  const rest = Math.max(0, end - first - items.length);
  return { items, first, sent: [...separators(first), ...items, ...separators(rest)] };
}

/** The editor draws nothing for separators that no item follows, and does not count them. */
function separators(count: number): vscode.QuickPickItem[] {
  return Array.from({ length: count }, () => ({ label: "", kind: vscode.QuickPickItemKind.Separator }));
}

function itemAt<Value>({ items, first }: SentItems<Value>, position: number): ValueItem<Value> | undefined {
  return position < first ? undefined : items[position - first];
}

/** Ends when the window has handled whatever was sent to it before: it handles messages in order. */
async function roundTripToWindow(): Promise<void> {
  // The editor sends what changed of an input in the next turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve));
  await vscode.commands.executeCommand("setContext", "platformWorkbench.itemsReplaced", true);
}
