import * as z from "zod/mini";
import type { FrameView, OpenedFrame } from "../../../api/companion/operations/frames.ts";
import { element, filled } from "../../../ui/webview/browser/page.ts";
import {
  type ExplorerStart,
  type ExplorerState,
  explorerState,
  type PageMessage,
  type PanelMessage,
  panelMessage,
} from "../messages.ts";
import { DataGrid } from "./data-grid.ts";
import { frameContent } from "./frame-content.ts";
import type { Place } from "./grid-parts.ts";
import { PageCache, type Part } from "./page-cache.ts";
import { type NewRequest, PanelRequests } from "./panel-requests.ts";
import { button, SidePanel } from "./side-panel.ts";
import { directionOf, nextSorting, notSortedBy, sortedBy, withFilter, withoutFilter } from "./view-changes.ts";
import { chipsOf } from "./view-chips.ts";

interface EditorApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: ExplorerState): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** Milliseconds after the last key before a search begins. */
const searchDelayMs = 400;

const api = acquireVsCodeApi();
const { subject, locale, texts } = JSON.parse(document.body.dataset.start ?? "{}") as ExplorerStart;
const kept = z.safeParse(explorerState, api.getState()).data;
const { format: number } = new Intl.NumberFormat(locale);
const cache = new PageCache();
const requests = new PanelRequests(post);

let view: FrameView = kept?.view ?? { filters: [], sorting: [], search: "" };
/** The view that the user wants, while it is being computed. */
let wanted = view;
let computing: number | undefined;
let frame: OpenedFrame | undefined;
let start: Place | undefined = kept === undefined ? undefined : { row: kept.row, column: kept.column };
let page: { readonly id: number; readonly part: Part } | undefined;
let visible: Part | undefined;

const search = element("input", {
  type: "search",
  placeholder: texts.search,
  "aria-label": texts.search,
  maxlength: "1000",
});
const status = element("span", { class: "position", role: "status" });
const notice = element("div", { class: "notice", role: "alert" });
const chips = element("div", { class: "chips", role: "group", "aria-label": texts.filteredBy });
const panel = new SidePanel(texts, number, () => grid.element.focus());
const grid = new DataGrid(texts, {
  onShow(part) {
    visible = part;
    readVisible();
    save();
  },
  onSort: (column, adds) => changeView(nextSorting(wanted, column, adds)),
  onColumn: showColumn,
  onCell: showCell,
  onCopy: copySelection,
});
const tools = element(
  "div",
  { role: "toolbar", class: "tools", "aria-label": texts.title },
  search,
  status,
  button(texts.copyCsv, copyView),
  button(texts.copyCode, () => copy({ type: "copyCode" })),
  button(texts.refresh, open),
);
search.value = view.search;
document.body.replaceChildren(
  element("header", {}, element("h1", { class: "spoken" }, texts.title), tools, chips, notice),
  element("main", {}, grid.element, panel.element),
);

let searchTimer: number | undefined;
search.addEventListener("input", () => {
  clearTimeout(searchTimer);
  searchTimer = setTimeout(() => changeView({ ...wanted, search: search.value }), searchDelayMs);
});
window.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
  const message = z.safeParse(panelMessage, data);
  if (message.success) {
    receive(message.data);
  }
});
save();
open();

function receive(message: PanelMessage): void {
  switch (message.type) {
    case "opening":
      requests.clear();
      page = undefined;
      setBusy(true);
      return;
    case "opened":
      setBusy(false);
      say();
      frame = message.frame;
      view = message.view;
      wanted = view;
      search.value = document.activeElement === search ? search.value : view.search;
      showFrame();
      return;
    case "failed":
      setBusy(false);
      requests.clear();
      page = undefined;
      frame = undefined;
      cache.clear();
      panel.hide();
      chips.replaceChildren();
      status.textContent = "";
      grid.element.hidden = true;
      tools.hidden = true;
      say(
        message.text,
        retryButton(open),
        ...message.actions.map(({ action, title }) => button(title, () => post({ type: "sourceAction", action }))),
      );
      return;
    case "outdated":
      say(texts.outdated, button(texts.refresh, open));
      return;
    case "connection":
      if (message.isLost) {
        // The sentence stays until the connection is back.
        say(texts.connectionLost, button(texts.retry, readAgain));
      } else {
        say();
        readVisible();
      }
      return;
    case "error":
      finish(message.id)?.onError(message.text);
      return;
    default:
      finish(message.id)?.onReply(message);
  }
}

function finish(id: number) {
  const found = requests.take(id);
  setBusy(requests.hasOthers(page?.id));
  return found;
}

/** The frame was opened, maybe again. */
function showFrame(): void {
  cache.clear();
  grid.element.hidden = false;
  tools.hidden = false;
  showView();
  if (start !== undefined) {
    const { row, column } = start;
    start = undefined;
    grid.moveTo({ row: Math.min(row, Math.max(0, (frame?.shown ?? 0) - 1)), column });
  }
}

/** Shows the frame with the rows of the current view. */
function showView(): void {
  if (frame === undefined) {
    return;
  }
  const { columns, shown, rows, width, isPart } = frame;
  const all = filled(texts.rows, isPart ? filled(texts.firstRows, number(rows)) : number(rows)).replace("{1}", () =>
    number(width),
  );
  const part = filled(texts.shownRows, number(shown)).replace("{1}", () => number(rows));
  status.textContent = [
    ...(shown === 0 ? [texts.noRows] : []),
    shown === rows ? all : part,
    ...(columns.length < width ? [filled(texts.hiddenColumns, number(columns.length))] : []),
  ].join(" · ");
  grid.show(frameContent(frame, view, cache));
  showChips();
  save();
}

function showChips(): void {
  const shown = chipsOf(view, frame?.columns ?? [], texts, {
    removeFilter: (index) => changeView(withoutFilter(wanted, index)),
    removeSort: (column) => changeView(notSortedBy(wanted, column)),
    clear() {
      search.value = "";
      changeView({ filters: [], sorting: [], search: "" });
    },
  });
  chips.replaceChildren(...shown);
}

function changeView(next: FrameView): void {
  if (frame === undefined) {
    return;
  }
  wanted = next;
  if (computing !== undefined) {
    requests.cancel(computing);
  }
  computing = ask(
    { type: "view", view: next },
    (message) => {
      if (message.type === "view" && frame !== undefined) {
        view = next;
        frame = { ...frame, shown: message.shown };
        showNewView();
      }
    },
    (text) => {
      wanted = view;
      say(text);
    },
  );
}

function showNewView(): void {
  cache.clear();
  cancelPage();
  say();
  panel.hide();
  showView();
}

function readVisible(): void {
  if (frame === undefined || visible === undefined) {
    return;
  }
  const part = cache.missing(visible, frame.shown, frame.columns.length);
  if (part === undefined || (page !== undefined && contains(page.part, part))) {
    return;
  }
  // The user has scrolled on.
  cancelPage();
  const id = ask({ type: "page", ...part }, (message) => {
    page = undefined;
    if (message.type === "page") {
      cache.add(part, message.page);
      grid.draw();
    }
  });
  page = { id, part };
}

/** Connects now, and reads the visible part again, although it may be about to arrive. */
function readAgain(): void {
  post({ type: "connect" });
  cancelPage();
  readVisible();
}

/** What is being read is no longer wanted. */
function cancelPage(): void {
  if (page !== undefined) {
    requests.cancel(page.id);
    page = undefined;
  }
}

function contains(outer: Part, inner: Part): boolean {
  return (
    outer.start <= inner.start &&
    outer.stop >= inner.stop &&
    outer.firstColumn <= inner.firstColumn &&
    outer.lastColumn >= inner.lastColumn
  );
}

function showColumn(column: number): void {
  const described = frame?.columns[column];
  if (described === undefined) {
    return;
  }
  const change = (next: FrameView): void => {
    changeView(next);
    grid.element.focus();
  };
  panel.showColumn(column, described, {
    sort: (descending) => change(sortedBy(wanted, column, descending, false)),
    removeSort: directionOf(view, column) === undefined ? undefined : () => change(notSortedBy(wanted, column)),
    filter: (filter) => change(withFilter(wanted, filter)),
  });
  ask(
    { type: "summary", column },
    (message) => {
      if (message.type === "summary") {
        panel.showSummary(described, message.summary);
      }
    },
    (text) => panel.showFailure(text),
  );
}

function showCell({ row, column }: Place): void {
  const title = filled(texts.cell, frame?.columns[column]?.name ?? "").replace("{1}", () => number(row));
  ask({ type: "cell", row, column }, (message) => {
    if (message.type === "cell") {
      const { text, isCut } = message.cell;
      panel.showCell(title, text, isCut ? filled(texts.cutCell, number(text.length)) : undefined);
    }
  });
}

function copySelection(): void {
  const { selection, active } = grid;
  const isOne = selection.stop - selection.start === 1 && selection.lastColumn - selection.firstColumn === 1;
  copy(
    isOne
      ? { type: "copyCell", row: Math.max(0, active.row), column: active.column }
      : { type: "copyRows", ...selection },
  );
}

/** Copies the selected cells, or all of the view if only one is selected. */
function copyView(): void {
  const { selection } = grid;
  const isOne = selection.stop - selection.start === 1 && selection.lastColumn - selection.firstColumn === 1;
  const all = { start: 0, stop: frame?.shown ?? 0, firstColumn: 0, lastColumn: frame?.columns.length ?? 0 };
  copy({ type: "copyRows", ...(isOne ? all : selection) });
}

/** A request of the view that is shown, unless it has another one. */
type Asked = NewRequest extends infer Request ? (Request extends NewRequest ? Omit<Request, "view"> : never) : never;

function copy(message: Asked): void {
  ask(message, () => say(texts.copied));
}

/**
 * Sends a message that gets a reply, of the view that is shown unless it has another one. Returns its id. A failure is
 * shown above the grid unless it is handled.
 */
function ask(
  message: Asked & { readonly view?: FrameView },
  onReply: (message: PanelMessage) => void,
  onError?: (text: string) => void,
): number {
  const failed = (text: string): void => {
    page = page?.id === id ? undefined : page;
    say(text, ...(message.type === "page" ? [retryButton(readVisible)] : []));
  };
  const id = requests.send({ view, ...message }, { onReply, onError: onError ?? failed });
  setBusy(message.type !== "page" || requests.size > 1);
  return id;
}

function open(): void {
  post({ type: "open", view });
}

function post(message: PageMessage): void {
  api.postMessage(message);
}

function say(text?: string, ...buttons: readonly HTMLElement[]): void {
  notice.replaceChildren(...(text === undefined ? [] : [element("span", {}, text), ...buttons]));
}

function retryButton(action: () => void): HTMLElement {
  return button(texts.retry, () => {
    say();
    action();
  });
}

function setBusy(isBusy: boolean): void {
  document.body.toggleAttribute("aria-busy", isBusy);
  document.body.classList.toggle("busy", isBusy);
  if (isBusy && frame === undefined) {
    status.textContent = texts.loading;
    say();
  }
}

function save(): void {
  const { row, column } = start ?? grid.first;
  api.setState({ subject, view, row, column });
}
