import * as vscode from "vscode";

/** Closes a shown input with a result or an error. */
export interface InputEnd<Result> {
  /** Aborted when the input is closed, whatever the reason. */
  readonly signal: AbortSignal;
  finish(result: Result): void;
  fail(error: unknown): void;
}

/**
 * Shows a quick pick or an input box until `start`, which listens to it, ends it with a result or an error. If the user
 * closes it, throws a CancellationError.
 */
export function showInput<Result>(input: vscode.QuickInput, start: (end: InputEnd<Result>) => void): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const abort = new AbortController();
  const close = (): void => {
    abort.abort();
    input.dispose();
  };
  input.onDidHide(() => {
    reject(new vscode.CancellationError());
    close();
  });
  start({
    signal: abort.signal,
    finish(result) {
      resolve(result);
      close();
    },
    fail(error) {
      reject(error);
      close();
    },
  });
  input.show();
  return promise;
}

/** Shows a quick pick until an item with a value is accepted. Throws a CancellationError if canceled. */
export function showPick<Item extends vscode.QuickPickItem, Value>(
  pick: vscode.QuickPick<Item>,
  toValue: (item: Item) => Value | undefined,
  start: (end: InputEnd<Value>) => void,
): Promise<Value> {
  return showInput(pick, (end) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      const value = item === undefined ? undefined : toValue(item);
      if (value !== undefined) {
        end.finish(value);
      }
    });
    start(end);
  });
}

/** Asks for one of the items, which may still be loading. Throws a CancellationError, or the error of the list. */
export async function pickItem<Item extends vscode.QuickPickItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
  options: vscode.QuickPickOptions,
): Promise<Item> {
  const chosen = await vscode.window.showQuickPick(items, options);
  if (chosen === undefined) {
    await items;
    throw new vscode.CancellationError();
  }
  return chosen;
}
