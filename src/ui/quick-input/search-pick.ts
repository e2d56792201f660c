import * as vscode from "vscode";
import { LatestRequest } from "../../api/latest-request.ts";
import { ReplacedItems, type ValueItem } from "./replaced-items.ts";
import { type InputEnd, showPick } from "./show-input.ts";

const searchedAfter = 4;
const searchPauseMs = 300;

/** A quick pick for items that the platform lists and searches. */
interface SearchPickOptions<Value> {
  readonly title: string;
  readonly placeholder: string;
  /** Shown if nothing matches. */
  readonly nothingFits: string;
  /** A sentence below the items of the last search, for example about items that are not listed. */
  readonly remark?: () => string | undefined;
  /** Pages of items that match the text; all items for an empty text. */
  search(text: string, signal: AbortSignal): AsyncIterable<readonly SearchItem<Value>[]>;
}

export interface SearchItem<Value> extends vscode.QuickPickItem {
  readonly value: Value;
}

/**
 * Lets the user pick one of the items that the platform lists. Shows them page by page, at most four pages. If there
 * are more, the platform searches for the typed text. Throws a CancellationError if canceled, and the list's error if
 * it fails.
 */
export function pickBySearch<Value>(options: SearchPickOptions<Value>): Promise<Value> {
  let isComplete = false;
  const search: Search<Value> = async (text, signal, { show, setBusy }) => {
    setBusy(true);
    let found: readonly SearchItem<Value>[] = [];
    let pages = 0;
    for await (const page of options.search(text, signal)) {
      if (signal.aborted) {
        return;
      }
      found = [...found, ...page];
      pages += 1;
      show(found);
      if (pages === searchedAfter) {
        break;
      }
    }
    if (signal.aborted) {
      // Another text is searched for by now.
      return;
    }
    isComplete = text === "" && pages < searchedAfter;
    const remark = options.remark?.();
    const remarks =
      remark === undefined ? [] : [{ label: remark, iconPath: new vscode.ThemeIcon("info"), alwaysShow: true }];
    if (found.length === 0) {
      show([{ label: options.nothingFits, alwaysShow: true }, ...remarks]);
    } else if (remarks.length > 0) {
      show([...found, ...remarks]);
    }
    setBusy(false);
  };
  // Items that aren't loaded are searched for on the server.
  return pickWhileSearching(options, search, () => !isComplete);
}

/** The quick pick as seen by a search. */
interface SearchView<Value> {
  show(items: readonly ValueItem<Value>[]): void;
  setBusy(isBusy: boolean): void;
}

/** Shows matches of the text until the signal is aborted. */
type Search<Value> = (text: string, signal: AbortSignal, view: SearchView<Value>) => Promise<void>;

/**
 * Lets the user pick one of the results of a search. The search starts with an empty text and runs again for typed
 * text, after a pause and while `isSearched` is true. Throws a CancellationError if canceled, and the search's error if
 * it fails.
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
    const searches = new LatestRequest();
    let timer: NodeJS.Timeout | undefined;
    const begin = (text: string): void => {
      const signal = AbortSignal.any([closed, searches.begin()]);
      search(text, signal, view).catch((error: unknown) => {
        if (!signal.aborted) {
          fail(error);
        }
      });
    };
    pick.onDidChangeValue((value) => {
      clearTimeout(timer);
      if (isSearched()) {
        timer = setTimeout(() => begin(value.trim()), searchPauseMs);
      }
    });
    closed.addEventListener("abort", () => clearTimeout(timer), { once: true });
    begin("");
  };
  return showPick(pick, (item) => items.valueOf(item), start);
}
