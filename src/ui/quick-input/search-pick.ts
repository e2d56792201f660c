import * as vscode from "vscode";
import { showPick } from "./picked-value.ts";

const searchedAfter = 4;
const searchPause = 300;

/** A quick pick over what the platform lists and searches. */
export interface SearchPickOptions<Value> {
  readonly title: string;
  readonly placeholder: string;
  /** Shown where nothing fits. */
  readonly nothingFits: string;
  /** Pages of what fits the text; all for the empty text. */
  search(text: string, signal: AbortSignal): AsyncIterable<readonly SearchItem<Value>[]>;
}

export interface SearchItem<Value> extends vscode.QuickPickItem {
  readonly value: Value;
}

interface ShownItem<Value> extends vscode.QuickPickItem {
  readonly value?: Value;
}

/**
 * One of what the platform lists, page by page as it comes, at most four pages. Where there are more, the typed text is
 * looked for by the platform. Giving up throws a CancellationError, a failed list its error.
 */
export function pickBySearch<Value>(options: SearchPickOptions<Value>): Promise<Value> {
  const pick = vscode.window.createQuickPick<ShownItem<Value>>();
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  pick.matchOnDescription = true;
  let abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isComplete = false;

  const load = async (text: string): Promise<void> => {
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    pick.busy = true;
    const found: SearchItem<Value>[] = [];
    let pages = 0;
    try {
      for await (const page of options.search(text, signal)) {
        if (signal.aborted) {
          return;
        }
        found.push(...page);
        pages += 1;
        pick.items = [...found];
        if (pages === searchedAfter) {
          break;
        }
      }
      isComplete = text === "" && pages < searchedAfter;
      if (found.length === 0) {
        pick.items = [{ label: options.nothingFits, alwaysShow: true }];
      }
    } catch (error) {
      if (!signal.aborted) {
        shown.fail(error);
      }
    } finally {
      if (!signal.aborted) {
        pick.busy = false;
      }
    }
  };
  pick.onDidChangeValue((value) => {
    clearTimeout(timer);
    // What is not among the loaded ones is looked for by the server.
    if (!isComplete) {
      timer = setTimeout(() => void load(value.trim()), searchPause);
    }
  });
  const end = (): void => {
    clearTimeout(timer);
    abort.abort();
  };
  const shown = showPick(pick, ({ value }) => value, end);
  void load("");
  return shown.value;
}
