import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from "chart.js";
import { element } from "../../../../ui/webview/browser/page.ts";

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

interface BarSeries {
  readonly name: string;
  readonly label: string;
  readonly counts: readonly number[];
  readonly isHidden: boolean;
}

interface BarChartParts {
  readonly label: string;
  /** Id of the text that explains the keys. */
  readonly describedBy: string;
  say(text: string): void;
  /** Shown for a day without executions. */
  readonly none: string;
}

/** Theme colors by the platform's states; all other series get the remaining colors in order. */
const colors: Readonly<Record<string, string>> = {
  COMPLETED: "--vscode-charts-green",
  FAILED: "--vscode-charts-red",
  CANCELLED: "--vscode-charts-yellow",
  IN_PROGRESS: "--vscode-charts-blue",
  NOT_STARTED: "--vscode-charts-purple",
};
const otherColors = ["blue", "green", "purple", "yellow", "orange", "red"].map((color) => `--vscode-charts-${color}`);
const patternSize = 8;

/** Stacked bars in theme colors, a pattern per series, with keyboard navigation by day. */
export class BarChart {
  readonly #parts: BarChartParts;
  readonly #canvas: HTMLCanvasElement;
  #chart: Chart<"bar"> | undefined;
  #days: readonly string[] = [];
  #series: readonly BarSeries[] = [];
  #day: number | undefined;

  constructor(box: HTMLElement, parts: BarChartParts) {
    this.#parts = parts;
    this.#canvas = element("canvas", {
      tabindex: "0",
      role: "application",
      "aria-roledescription": "chart",
      "aria-label": parts.label,
      "aria-describedby": parts.describedBy,
    });
    this.#canvas.addEventListener("keydown", (event) => this.#onKey(event));
    this.#canvas.addEventListener("blur", () => this.#activate(undefined));
    box.append(this.#canvas);
  }

  /** Redraws the chart and returns a swatch for each series. */
  show(days: readonly string[], series: readonly BarSeries[]): readonly HTMLElement[] {
    this.#days = days;
    this.#series = series;
    this.#chart?.destroy();
    const style = getComputedStyle(document.body);
    const value = (name: string, other: string): string => style.getPropertyValue(name).trim() || other;
    const text = value("--vscode-foreground", "#808080");
    const line = value("--vscode-widget-border", value("--vscode-panel-border", "#80808060"));
    const border = value("--vscode-contrastBorder", "transparent");
    const fills = series.map(({ name }, index) => {
      const color = value(colors[name] ?? otherColors[index % otherColors.length] ?? "", "#808080");
      return pattern(color, value("--vscode-editor-background", "#000000"), index);
    });
    const font = { family: value("--vscode-font-family", "sans-serif"), size: 12 };
    this.#chart = new Chart(this.#canvas, {
      type: "bar",
      data: {
        labels: [...days],
        datasets: series.map(({ label, counts, isHidden }, index) => ({
          label,
          data: [...counts],
          hidden: isHidden,
          backgroundColor: fills[index]?.fill ?? text,
          borderColor: border,
          borderWidth: border === "transparent" ? 0 : 1,
          maxBarThickness: 40,
        })),
      },
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        interaction: { mode: "index", intersect: false },
        scales: {
          x: { stacked: true, ticks: { color: text, font }, grid: { display: false }, border: { color: line } },
          y: {
            stacked: true,
            beginAtZero: true,
            ticks: { color: text, font, precision: 0 },
            grid: { color: line },
            border: { display: false },
          },
        },
        plugins: {
          tooltip: {
            backgroundColor: value("--vscode-editorHoverWidget-background", "#202020"),
            titleColor: value("--vscode-editorHoverWidget-foreground", text),
            bodyColor: value("--vscode-editorHoverWidget-foreground", text),
            borderColor: value("--vscode-editorHoverWidget-border", line),
            borderWidth: 1,
            filter: ({ parsed }) => parsed.y !== 0,
            titleFont: font,
            bodyFont: font,
          },
        },
      },
    });
    return fills.map(({ swatch }) => swatch);
  }

  setHidden(index: number, isHidden: boolean): void {
    this.#chart?.setDatasetVisibility(index, !isHidden);
    this.#chart?.update();
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.#days.length - 1;
    const day = this.#day;
    const places: Readonly<Record<string, number | undefined>> = {
      ArrowRight: day === undefined ? 0 : Math.min(last, day + 1),
      ArrowLeft: day === undefined ? last : Math.max(0, day - 1),
      Home: 0,
      End: last,
      Escape: undefined,
    };
    if (!(event.key in places) || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.preventDefault();
    this.#activate(places[event.key]);
    const at = this.#day;
    if (at !== undefined) {
      const parts = this.#series.flatMap(({ label, counts }, index) => {
        const count = counts[at] ?? 0;
        return count === 0 || this.#chart?.isDatasetVisible(index) === false ? [] : [`${label} ${count}`];
      });
      this.#parts.say(`${this.#days[at]}: ${parts.length === 0 ? this.#parts.none : parts.join(", ")}`);
    }
  }

  #activate(day: number | undefined): void {
    this.#day = day;
    const chart = this.#chart;
    if (chart === undefined) {
      return;
    }
    const active =
      day === undefined
        ? []
        : this.#series.flatMap((_, datasetIndex) =>
            chart.isDatasetVisible(datasetIndex) ? [{ datasetIndex, index: day }] : [],
          );
    chart.setActiveElements(active);
    chart.tooltip?.setActiveElements(active, { x: 0, y: 0 });
    chart.update();
  }
}

/** A fill that is distinguishable without color, and its swatch. */
function pattern(
  color: string,
  background: string,
  index: number,
): { readonly fill: CanvasPattern | string; readonly swatch: HTMLCanvasElement } {
  const tile = element("canvas", { width: String(patternSize), height: String(patternSize) });
  const context = tile.getContext("2d");
  const swatch = element("canvas", { width: "16", height: "16", class: "swatch", "aria-hidden": "true" });
  const target = swatch.getContext("2d");
  if (context === null || target === null) {
    return { fill: color, swatch };
  }
  context.fillStyle = color;
  context.fillRect(0, 0, patternSize, patternSize);
  context.strokeStyle = background;
  context.fillStyle = background;
  context.lineWidth = 1.5;
  context.beginPath();
  switch (index % 5) {
    case 1:
      context.moveTo(-2, 2);
      context.lineTo(2, -2);
      context.moveTo(0, patternSize);
      context.lineTo(patternSize, 0);
      context.moveTo(patternSize - 2, patternSize + 2);
      context.lineTo(patternSize + 2, patternSize - 2);
      break;
    case 2:
      context.moveTo(0, patternSize / 2);
      context.lineTo(patternSize, patternSize / 2);
      break;
    case 3:
      context.rect(2, 2, 2, 2);
      break;
    case 4:
      context.moveTo(patternSize / 2, 0);
      context.lineTo(patternSize / 2, patternSize);
      break;
  }
  context.stroke();
  const fill = context.createPattern(tile, "repeat") ?? color;
  target.fillStyle = target.createPattern(tile, "repeat") ?? color;
  target.fillRect(0, 0, 16, 16);
  return { fill, swatch };
}
