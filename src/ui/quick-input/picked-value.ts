import * as vscode from "vscode";

/** A pick that shows: what the person takes of it, and a way to end it with an error. */
export interface ShownPick<Value> {
  readonly value: Promise<Value>;
  /** Ends the pick: `value` throws the error. */
  fail(error: unknown): void;
}

/** Shows a pick. Its value is the accepted item's; giving up throws a CancellationError. `onEnd` is called in any case. */
export function showPick<Item extends vscode.QuickPickItem, Value>(
  pick: vscode.QuickPick<Item>,
  toValue: (item: Item) => Value | undefined,
  onEnd: () => void,
): ShownPick<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    const value = item === undefined ? undefined : toValue(item);
    if (value !== undefined) {
      resolve(value);
      pick.hide();
    }
  });
  pick.onDidHide(() => {
    onEnd();
    reject(new vscode.CancellationError());
    pick.dispose();
  });
  pick.show();
  return {
    value: promise,
    fail(error) {
      reject(error);
      pick.hide();
    },
  };
}
