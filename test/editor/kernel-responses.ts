// A user of the editor layer's window: answers boxes and messages, and reads the status bars of cells.

import * as vscode from "vscode";
import { until } from "./time.ts";

const providers: vscode.NotebookCellStatusBarItemProvider[] = [];
const register = vscode.notebooks.registerNotebookCellStatusBarItemProvider;
// Before the first notebook opens, because the extension registers its provider with it.
Reflect.set(
  vscode.notebooks,
  "registerNotebookCellStatusBarItemProvider",
  (notebookType: string, provider: vscode.NotebookCellStatusBarItemProvider): vscode.Disposable => {
    providers.push(provider);
    return register(notebookType, provider);
  },
);

/** The current items of a cell's status bar. */
export async function cellStatus(cell: vscode.NotebookCell): Promise<readonly vscode.NotebookCellStatusBarItem[]> {
  const given = await Promise.all(
    providers.map((provider) => provider.provideCellStatusBarItems(cell, new vscode.CancellationTokenSource().token)),
  );
  return given.flatMap((items) => items ?? []);
}

/** Waits for an item of a cell's status bar. */
export async function statusItem(cell: vscode.NotebookCell, text: RegExp): Promise<vscode.NotebookCellStatusBarItem> {
  let found: vscode.NotebookCellStatusBarItem | undefined;
  let isLooking = false;
  return until(`${text} in the status bar of cell ${cell.index}`, () => {
    if (!isLooking) {
      isLooking = true;
      void cellStatus(cell).then((items) => {
        found = items.find((item) => text.test(item.text));
        isLooking = false;
      });
    }
    return found;
  });
}

/** Selects an item of a cell's status bar. Resolves when its command has ended. */
export function select(item: vscode.NotebookCellStatusBarItem): Thenable<unknown> {
  const { command } = item;
  if (typeof command !== "object") {
    throw new Error(`${item.text} has no command`);
  }
  return vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
}

/** Records input boxes as the editor shows them, in the order of their creation. Ends with `restore`. */
export function watchedBoxes(): { readonly boxes: readonly vscode.InputBox[]; restore(): void } {
  const boxes: vscode.InputBox[] = [];
  const original = vscode.window.createInputBox;
  Reflect.set(vscode.window, "createInputBox", () => {
    const box = original();
    boxes.push(box);
    return box;
  });
  return { boxes, restore: () => Reflect.set(vscode.window, "createInputBox", original) };
}

/** Types into a box and presses Enter until the effect occurs, because the box may not listen yet. */
export async function enter(box: vscode.InputBox, text: string, hasFollowed: () => boolean): Promise<void> {
  let next = 0;
  await until("the box to take what was typed", () => {
    if (!hasFollowed() && performance.now() > next) {
      next = performance.now() + 4000;
      box.value = text;
      void vscode.commands.executeCommand("quickInput.accept");
    }
    return hasFollowed();
  });
}

type MessageKind = "showInformationMessage" | "showWarningMessage" | "showErrorMessage";

/** A message with its buttons. `detail` of a modal message explains the effect of its button. */
export interface ShownMessage {
  readonly kind: MessageKind;
  readonly text: string;
  readonly detail: string | undefined;
  /** Chooses a button, or dismisses the message. */
  response(button: string | undefined): void;
}

/** Messages in order, stored until they are answered. Ends with `restore`. */
export function watchedMessages(): { readonly messages: readonly ShownMessage[]; restore(): void } {
  const messages: ShownMessage[] = [];
  const kinds: readonly MessageKind[] = ["showInformationMessage", "showWarningMessage", "showErrorMessage"];
  const originals = kinds.map((kind) => [kind, vscode.window[kind]] as const);
  for (const kind of kinds) {
    Reflect.set(vscode.window, kind, (text: string, options: unknown) => {
      const detail = typeof options === "object" && options !== null ? Reflect.get(options, "detail") : undefined;
      return new Promise<string | undefined>((resolve) => {
        messages.push({ kind, text, detail: typeof detail === "string" ? detail : undefined, response: resolve });
      });
    });
  }
  return {
    messages,
    restore: () => {
      for (const [kind, original] of originals) {
        Reflect.set(vscode.window, kind, original);
      }
    },
  };
}
