import { element, filled } from "../../../../ui/webview/browser/page.ts";
import { type MetricsChoices, type MetricsContent, metricsStatuses, usualChoices } from "../messages.ts";
import type { MetricsTexts } from "../texts.ts";

type Filters = Pick<MetricsChoices, "statuses" | "triggerTypes" | "startedBy" | "finishedBefore">;

interface MetricsFiltersParts {
  readonly texts: MetricsTexts;
  readonly initial: Filters;
  /** Called when the user has chosen other filters. */
  changed(filters: Filters): void;
}

/** The less common filters. Collapsed until the user expands them or one of them is set. */
export class MetricsFilters {
  readonly box: HTMLElement;
  readonly #parts: MetricsFiltersParts;
  readonly #summary = element("summary", {});
  // Not a fieldset: in Chromium, it has no size when the surrounding details element opens.
  readonly #statuses = element("div", { role: "group" });
  readonly #triggerTypes = element("div", { role: "group" });
  readonly #startedBy = element("select", {});
  readonly #finishedBefore = element("input", { type: "date" });
  readonly #clear = element("button", { type: "button" });
  #filters: Filters;

  constructor(parts: MetricsFiltersParts) {
    const { texts, initial } = parts;
    this.#parts = parts;
    this.#filters = initial;
    this.#startedBy.addEventListener("change", () => this.#set({ startedBy: this.#startedBy.value }));
    this.#finishedBefore.addEventListener("change", () => this.#set({ finishedBefore: this.#finishedBefore.value }));
    this.#clear.textContent = texts.clearFilters;
    this.#clear.addEventListener("click", () => {
      this.#set(usualChoices);
      // The button disappears with the last filter.
      this.#summary.focus();
    });
    this.box = element(
      "details",
      { class: "filters", ...(countOf(initial) === 0 ? {} : { open: "" }) },
      this.#summary,
      this.#statuses,
      this.#triggerTypes,
      element(
        "div",
        { class: "tools" },
        element("label", {}, element("span", {}, texts.startedBy), this.#startedBy),
        element("label", {}, element("span", {}, texts.finishedBefore), this.#finishedBefore),
        this.#clear,
      ),
    );
    this.show({ triggerTypes: [], people: [] });
  }

  /** Shows the values that the platform knows. */
  show({ triggerTypes, people }: Pick<MetricsContent, "triggerTypes" | "people">): void {
    const { texts } = this.#parts;
    const statuses = metricsStatuses.map((value) => ({ value, label: texts.statusNames[value] }));
    fill(this.#statuses, texts.statuses, statuses, this.#filters.statuses, (value, isChosen) =>
      this.#set({ statuses: withOrWithout(this.#filters.statuses, value, isChosen) }),
    );
    fill(this.#triggerTypes, texts.triggerTypes, triggerTypes, this.#filters.triggerTypes, (value, isChosen) =>
      this.#set({ triggerTypes: withOrWithout(this.#filters.triggerTypes, value, isChosen) }),
    );
    this.#startedBy.replaceChildren(
      element("option", { value: "" }, texts.everybody),
      ...people.map(({ value, label }) => element("option", { value }, label)),
    );
    this.#startedBy.value = this.#filters.startedBy;
    this.#finishedBefore.value = this.#filters.finishedBefore;
    this.#showCount();
  }

  #set(change: Partial<Filters>): void {
    const { statuses, triggerTypes, startedBy, finishedBefore } = { ...this.#filters, ...change };
    this.#filters = { statuses, triggerTypes, startedBy, finishedBefore };
    this.#showCount();
    this.#parts.changed(this.#filters);
  }

  #showCount(): void {
    const { texts } = this.#parts;
    const count = countOf(this.#filters);
    this.#summary.textContent = count === 0 ? texts.filters : filled(texts.filtersSet, String(count));
    this.#clear.hidden = count === 0;
  }
}

/** Replaces the boxes with one for each value; the focused box keeps the focus. */
function fill<Value extends string>(
  group: HTMLElement,
  name: string,
  options: readonly { readonly value: Value; readonly label: string }[],
  chosen: readonly Value[],
  changed: (value: Value, isChosen: boolean) => void,
): void {
  const focused = group.contains(document.activeElement) ? document.activeElement?.getAttribute("value") : undefined;
  const boxes = options.map(({ value, label }) => {
    const box = element("input", { type: "checkbox", value });
    box.checked = chosen.includes(value);
    box.addEventListener("change", () => changed(value, box.checked));
    return { box, label: element("label", {}, box, element("span", {}, label)) };
  });
  group.hidden = options.length === 0;
  group.setAttribute("aria-label", name);
  group.replaceChildren(
    element("div", { "aria-hidden": "true" }, name),
    element("div", { class: "boxes" }, ...boxes.map(({ label }) => label)),
  );
  boxes.find(({ box }) => box.value === focused)?.box.focus();
}

function withOrWithout<Value>(list: readonly Value[], value: Value, isWith: boolean): readonly Value[] {
  const others = list.filter((one) => one !== value);
  return isWith ? [...others, value] : others;
}

function countOf({ statuses, triggerTypes, startedBy, finishedBefore }: Filters): number {
  return [statuses.length > 0, triggerTypes.length > 0, startedBy !== "", finishedBefore !== ""].filter(Boolean).length;
}
