import * as vscode from "vscode";

/** Closes a shown input with a result or an error. */
export interface InputEnd<Result> {
  /** Aborted when the input is closed for any reason. */
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

/**
 * Options of an input that holds what the user has typed or chosen. By default, the editor closes an input that loses
 * the focus, for example to a notification or a webview, and discards everything in it.
 */
const keptOpen = { ignoreFocusOut: true } as const;

/** The answer. If there is none, throws the error of the list that was shown, or a CancellationError. */
async function answered<Answer>(answer: Thenable<Answer | undefined>, items?: unknown): Promise<Answer> {
  const given = await answer;
  if (given === undefined) {
    await items;
    throw new vscode.CancellationError();
  }
  return given;
}

/** Asks for one of the items, which may still be loading. Throws a CancellationError, or the error of the list. */
export function pickItem<Item extends vscode.QuickPickItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
  options: vscode.QuickPickOptions,
): Promise<Item> {
  return answered(vscode.window.showQuickPick(items, options), items);
}

/**
 * Asks for one of the rows of a form, which is shown again after each change, or in a list that opens from a view: a view
 * that is drawn takes the focus back. Throws like {@link pickItem}.
 */
export function pickRow<Item extends vscode.QuickPickItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
  options: vscode.QuickPickOptions,
): Promise<Item> {
  return pickItem(items, { ...options, ...keptOpen });
}

/**
 * Asks for any number of the items, which may still be loading. Throws a CancellationError if canceled, or the error of
 * the list.
 */
export function pickItems<Item extends vscode.QuickPickItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
  options: vscode.QuickPickOptions,
): Promise<readonly Item[]> {
  return answered(vscode.window.showQuickPick(items, { ...options, ...keptOpen, canPickMany: true }), items);
}

/** Asks for text. Throws a CancellationError if canceled. */
export function enterText(options: vscode.InputBoxOptions): Promise<string> {
  return answered(vscode.window.showInputBox({ ...options, ...keptOpen }));
}

/** The answer; undefined if the user cancels. */
export async function unlessCanceled<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof vscode.CancellationError) {
      return undefined;
    }
    throw error;
  }
}
