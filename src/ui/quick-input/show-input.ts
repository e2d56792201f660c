import * as vscode from "vscode";
import { displayedName } from "../../api/displayed-text.ts";
import { withoutLinks } from "../../tenants/messages.ts";
import { displayedItem } from "./displayed-items.ts";

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
  input.title = input.title === undefined ? undefined : displayedName(input.title);
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
async function resultOf<StepResult>(result: Thenable<StepResult | undefined>, items?: unknown): Promise<StepResult> {
  const given = await result;
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
  const { shown, options: shownOptions, originalOf } = displayed(items, options);
  return resultOf(vscode.window.showQuickPick(shown, shownOptions), shown).then(originalOf);
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
export async function pickItems<Item extends vscode.QuickPickItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
  options: vscode.QuickPickOptions,
): Promise<readonly Item[]> {
  const { shown, options: shownOptions, originalOf } = displayed(items, options);
  const result = vscode.window.showQuickPick(shown, { ...shownOptions, ...keptOpen, canPickMany: true });
  return (await resultOf(result, shown)).map(originalOf);
}

/** The items and the title as the editor shows them, and the given item of each of those. */
function displayed<Item extends vscode.QuickPickItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
  { title, ...options }: vscode.QuickPickOptions,
) {
  const originals = new Map<Item, Item>();
  const display = (given: readonly Item[]): readonly Item[] =>
    given.map((item) => {
      const shown = displayedItem(item);
      originals.set(shown, item);
      return shown;
    });
  return {
    shown: items instanceof Promise ? items.then(display) : display(items),
    options: title === undefined ? options : { ...options, title: displayedName(title) },
    originalOf: (shown: Item): Item => originals.get(shown) ?? shown,
  };
}

/** Asks for text. Throws a CancellationError if canceled. */
export function enterText(options: vscode.InputBoxOptions): Promise<string> {
  const { title, prompt, ...rest } = options;
  const shown = {
    ...(title === undefined ? {} : { title: displayedName(title) }),
    ...(prompt === undefined ? {} : { prompt: withoutLinks(prompt) }),
  };
  return resultOf(vscode.window.showInputBox({ ...rest, ...shown, ...keptOpen }));
}

/** The answer; undefined if the user cancels. */
export async function unlessCanceled<Value>(result: Promise<Value>): Promise<Value | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof vscode.CancellationError) {
      return undefined;
    }
    throw error;
  }
}
