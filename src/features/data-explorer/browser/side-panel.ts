import type { ColumnSummary, FrameColumn, FrameFilter } from "../../../api/companion/operations/frames.ts";
import { drawn, element, filled } from "../../../ui/webview/browser/page.ts";
import type { ExplorerTexts } from "../messages.ts";

interface ColumnActions {
  sort(descending: boolean): void;
  removeSort: (() => void) | undefined;
  filter(filter: FrameFilter): void;
}

/** The panel beside the grid: the summary and the filter of a column, or the whole text of a cell. */
export class SidePanel {
  readonly element: HTMLElement;
  readonly #texts: ExplorerTexts;
  readonly #number: (value: number) => string;
  readonly #close: () => void;
  #summary = element("div", {});

  constructor(texts: ExplorerTexts, number: (value: number) => string, onClose: () => void) {
    this.#texts = texts;
    this.#number = number;
    this.element = element("aside", { class: "side", hidden: "" });
    this.#close = () => {
      this.element.hidden = true;
      onClose();
    };
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        this.#close();
      }
    });
  }

  hide(): void {
    this.element.hidden = true;
  }

  /** Shows the text of a cell. */
  showCell(title: string, text: string, remark: string | undefined): void {
    const block = element("pre", { tabindex: "0", "aria-label": title }, text);
    this.#show(title, block, ...(remark === undefined ? [] : [element("p", { class: "remark" }, remark)]));
    block.focus();
  }

  /** Shows a column, whose summary is set later. */
  showColumn(index: number, column: FrameColumn, { sort, removeSort, filter }: ColumnActions): void {
    const texts = this.#texts;
    this.#summary = element("div", { "aria-live": "polite" }, element("p", {}, texts.loading));
    const buttons = [
      button(texts.sortAscending, () => sort(false)),
      button(texts.sortDescending, () => sort(true)),
      ...(removeSort === undefined ? [] : [button(texts.removeSort, removeSort)]),
    ];
    const form = this.#filterForm(index, column, filter);
    this.#show(column.name, element("div", { class: "tools" }, ...buttons), form, this.#summary);
    buttons[0]?.focus();
  }

  /** Shows why a summary or a cell can't be read. */
  showFailure(text: string): void {
    this.#summary.replaceChildren(element("p", { class: "failure" }, text));
  }

  showSummary(column: FrameColumn, summary: ColumnSummary): void {
    const texts = this.#texts;
    const { rows, missing, distinct, low, high, histogram, top, isSample } = summary;
    const share = rows === 0 ? 0 : missing / rows;
    const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
    const facts: readonly (readonly [string, string | undefined])[] = [
      [texts.type, column.type],
      [texts.missingValues, `${this.#number(missing)} (${percent.format(share)})`],
      [texts.distinct, this.#number(distinct)],
      [texts.lowest, low],
      [texts.highest, high],
      [texts.mean, histogram?.mean],
    ];
    const list = facts.flatMap(([name, value]) =>
      value === undefined ? [] : [element("dt", {}, name), element("dd", {}, value)],
    );
    this.#summary.replaceChildren(
      ...(isSample ? [element("p", { class: "remark" }, filled(texts.sample, this.#number(rows)))] : []),
      element("dl", { class: "facts" }, ...list),
      ...(histogram === undefined ? [] : [this.#histogram(histogram)]),
      ...(top.length === 0 ? [] : [this.#topTable(top)]),
    );
  }

  #histogram({ low, high, counts }: NonNullable<ColumnSummary["histogram"]>): HTMLElement {
    const highest = Math.max(...counts, 1);
    const width = 240 / counts.length;
    const bars = counts.map((count, index) => {
      const height = count === 0 ? 0 : Math.max(1, (count / highest) * 80);
      return drawn("rect", { x: index * width, y: 80 - height, width: Math.max(1, width - 1), height });
    });
    const label = `${this.#texts.histogram}: ${low} – ${high}. ${counts.map(this.#number).join(", ")}`;
    return element(
      "figure",
      {},
      element("figcaption", {}, this.#texts.histogram),
      drawn(
        "svg",
        { viewBox: "0 0 240 80", role: "img", "aria-label": label, class: "histogram" },
        ...bars,
      ) as unknown as HTMLElement,
      element("div", { class: "bounds", "aria-hidden": "true" }, element("span", {}, low), element("span", {}, high)),
    );
  }

  #topTable(top: ColumnSummary["top"]): HTMLElement {
    const rows = top.map(({ text, count }) =>
      element("tr", {}, element("th", { scope: "row" }, text), element("td", {}, this.#number(count))),
    );
    return element("table", {}, element("caption", {}, this.#texts.top), element("tbody", {}, ...rows));
  }

  #filterForm(index: number, { category }: FrameColumn, onFilter: (filter: FrameFilter) => void): HTMLElement {
    const texts = this.#texts;
    const option = (value: string, text: string): HTMLElement => element("option", { value }, text);
    const isText = category === "text" || category === "other";
    const range = category === "boolean" ? [] : [option("range", texts.between)];
    const matches = [option("contains", texts.contains), option("equals", texts.equals)];
    const kind = element(
      "select",
      { "aria-label": texts.filter },
      ...(isText ? [...matches, ...range] : [...range, ...matches.toReversed()]),
      option("missing", texts.missing),
      option("present", texts.present),
    );
    const input = (label: string): HTMLInputElement =>
      element("input", { type: "text", "aria-label": label, placeholder: label, maxlength: "1000" });
    const [value, low, high] = [input(texts.value), input(texts.low), input(texts.high)];
    const update = (): void => {
      value.hidden = kind.value !== "contains" && kind.value !== "equals";
      low.hidden = kind.value !== "range";
      high.hidden = low.hidden;
    };
    kind.addEventListener("change", update);
    update();
    const form = element("form", { class: "filter" }, kind, value, low, high, element("button", {}, texts.apply));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      onFilter(filterOf(index, kind.value, value.value, low.value, high.value));
    });
    return form;
  }

  #show(title: string, ...children: readonly HTMLElement[]): void {
    this.element.hidden = false;
    this.element.setAttribute("aria-label", title);
    const close = button("✕", this.#close);
    close.setAttribute("aria-label", this.#texts.close);
    close.title = this.#texts.close;
    this.element.replaceChildren(element("div", { class: "heading" }, element("h2", {}, title), close), ...children);
  }
}

function filterOf(column: number, kind: string, text: string, low: string, high: string): FrameFilter {
  switch (kind) {
    case "range":
      return { column, kind, low, high };
    case "missing":
    case "present":
      return { column, kind };
    default:
      return { column, kind: kind === "equals" ? "equals" : "contains", text };
  }
}

export function button(label: string, action: () => void): HTMLButtonElement {
  const made = element("button", { type: "button" }, label);
  made.addEventListener("click", action);
  return made;
}
