import * as vscode from "vscode";
import { ReplacedItems, type ValueItem } from "./replaced-items.ts";
import { type InputEnd, showPick } from "./show-input.ts";

const searchedAfter = 4;
const searchPause = 300;

/** A quick pick over what the platform lists and searches. */
interface SearchPickOptions<Value> {
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

/**
 * One of what the platform lists, page by page as it comes, at most four pages. Where there are more, the typed text is
 * looked for by the platform. Canceling throws a CancellationError, a failed list its error.
 */
export function pickBySearch<Value>(options: SearchPickOptions<Value>): Promise<Value> {
  let isComplete = false;
  const search: Search<Value> = async (text, signal, { show, setBusy }) => {
    setBusy(true);
    const found: SearchItem<Value>[] = [];
    let pages = 0;
    for await (const page of options.search(text, signal)) {
      if (signal.aborted) {
        return;
      }
      found.push(...page);
      pages += 1;
      show(found);
      if (pages === searchedAfter) {
        break;
      }
    }
    isComplete = text === "" && pages < searchedAfter;
    if (found.length === 0) {
      show([{ label: options.nothingFits, alwaysShow: true }]);
    }
    if (!signal.aborted) {
      setBusy(false);
    }
  };
  // What is not among the loaded ones is looked for by the server.
  return pickWhileSearching(options, search, () => !isComplete);
}

/** The quick pick as a search sees it. */
interface SearchView<Value> {
  show(items: readonly ValueItem<Value>[]): void;
  setBusy(isBusy: boolean): void;
}

/** Shows what fits the text, until the signal is aborted. */
type Search<Value> = (text: string, signal: AbortSignal, view: SearchView<Value>) => Promise<void>;

/**
 * One of what a search finds: it begins with the empty text and begins anew for what is typed, after a pause and as long
 * as `isSearched`. Canceling throws a CancellationError, a failed search its error.
 */
export function pickWhileSearching<Value>(
  { title, placeholder }: Pick<SearchPickOptions<Value>, "title" | "placeholder">,
  search: Search<Value>,
  isSearched: () => boolean,
): Promise<Value> {
  const pick = vscode.window.createQuickPick<ValueItem<Value>>();
  pick.title = title;
  pick.placeholder = placeholder;
  pick.matchOnDescription = true;
  const items = new ReplacedItems(pick);
  const view: SearchView<Value> = {
    show: (shown) => items.replace(shown),
    setBusy(isBusy) {
      pick.busy = isBusy;
    },
  };
  const start = ({ signal: closed, fail }: InputEnd<Value>): void => {
    let before = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const begin = (text: string): void => {
      before.abort();
      before = new AbortController();
      const signal = AbortSignal.any([closed, before.signal]);
      search(text, signal, view).catch((error: unknown) => {
        if (!signal.aborted) {
          fail(error);
        }
      });
    };
    pick.onDidChangeValue((value) => {
      clearTimeout(timer);
      if (isSearched()) {
        timer = setTimeout(() => begin(value.trim()), searchPause);
      }
    });
    closed.addEventListener("abort", () => clearTimeout(timer), { once: true });
    begin("");
  };
  return showPick(pick, (item) => items.valueOf(item), start);
}
