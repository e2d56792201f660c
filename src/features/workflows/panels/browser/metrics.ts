import { element, filled, Page, table } from "../../../../ui/webview/browser/page.ts";
import {
  type MetricsChoices,
  type MetricsContent,
  type MetricsSeries,
  metricsRanges,
  usualChoices,
} from "../messages.ts";
import type { MetricsTexts } from "../texts.ts";
import { BarChart } from "./bar-chart.ts";
import { MetricsFilters } from "./metrics-filters.ts";

const page = new Page<MetricsContent, MetricsTexts, MetricsChoices>();
const { texts } = page;
let choices: MetricsChoices = { ...usualChoices, ...page.savedChoices };
const hidden = new Set<string>();
let shown: MetricsContent | undefined;

const period = choice(
  texts.period,
  metricsRanges.map((days) => [String(days), filled(texts.lastDays, String(days))]),
  String(choices.days),
  (value) => choose({ days: Number(value) }, true),
);
const version = choice(texts.version, [["", texts.allVersions]], choices.version, (value) =>
  choose({ version: value }, true),
);
const by = choice(
  texts.chartBy,
  [
    ["status", texts.byStatus],
    ["triggerType", texts.byTriggerType],
  ],
  choices.by,
  (value) => choose({ by: value === "triggerType" ? "triggerType" : "status" }, false),
);
const filters = new MetricsFilters({ texts, initial: choices, changed: (changed) => choose(changed, true) });
const figures = element("dl", { class: "figures", "aria-label": texts.figures });
const legend = element("fieldset", { class: "legend" });
const remark = element("p", { class: "remark" });
const box = element("div", { class: "chart" });
const hint = element("p", { class: "hint", id: "keys" }, texts.keys);
const tables = element("div", {});
const chart = new BarChart(box, {
  label: texts.chart,
  describedBy: "keys",
  say: (text) => page.say(text),
  none: texts.none,
});

page.tools.append(
  period.box,
  version.box,
  by.box,
  page.button(texts.refresh, () => page.read()),
);
page.main.append(filters.box, figures, legend, remark, box, hint, tables);
page.begin({ show, choices: () => choices });

interface Choice {
  readonly box: HTMLElement;
  readonly list: HTMLSelectElement;
}

function choice(
  label: string,
  entries: readonly (readonly [value: string, text: string])[],
  value: string,
  chosen: (value: string) => void,
): Choice {
  const list = element("select", {}, ...entries.map((entry) => option(...entry)));
  list.value = value;
  list.addEventListener("change", () => chosen(list.value));
  return { box: element("label", {}, element("span", {}, label), list), list };
}

function option(value: string, text: string): HTMLOptionElement {
  return element("option", { value }, text);
}

function choose(change: Partial<MetricsChoices>, isRead: boolean): void {
  choices = { ...choices, ...change };
  if (isRead) {
    page.read();
    return;
  }
  page.save();
  if (shown !== undefined) {
    show(shown);
  }
}

function show(content: MetricsContent): void {
  shown = content;
  version.list.replaceChildren(option("", texts.allVersions), ...content.versions.map((one) => option(one, `v${one}`)));
  version.list.value = choices.version;
  filters.show(content);
  figures.replaceChildren(
    ...content.figures.map(({ label, value }) =>
      element("div", {}, element("dt", {}, label), element("dd", {}, value)),
    ),
  );
  const series = choices.by === "status" ? content.byStatus : content.byTriggerType;
  const isEmpty = series.every(({ counts }) => counts.every((count) => count === 0));
  remark.textContent = isEmpty ? texts.nothing : "";
  box.hidden = isEmpty;
  hint.hidden = isEmpty;
  legend.hidden = isEmpty;
  draw(content, series);
  const columns = [texts.day, ...series.map(({ label }) => label), texts.total];
  const rows = content.days.map((day, index) => {
    const counts = series.map((one) => one.counts[index] ?? 0);
    return [day, ...counts.map(String), String(sum(counts))];
  });
  const totals = series.map(({ counts }) => sum(counts));
  tables.replaceChildren(
    table(texts.table, columns, rows.toReversed(), [texts.total, ...totals.map(String), String(sum(totals))]),
  );
}

function draw(content: MetricsContent, series: readonly MetricsSeries[]): void {
  const swatches = chart.show(
    content.days,
    series.map((one) => ({ ...one, isHidden: hidden.has(one.name) })),
  );
  legend.replaceChildren(
    element("legend", {}, texts.shown),
    ...series.map(({ name, label }, index) => {
      const box = element("input", { type: "checkbox" });
      box.checked = !hidden.has(name);
      box.addEventListener("change", () => {
        if (box.checked) {
          hidden.delete(name);
        } else {
          hidden.add(name);
        }
        chart.setHidden(index, !box.checked);
      });
      return element("label", {}, box, swatches[index] ?? "", element("span", {}, label));
    }),
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}
