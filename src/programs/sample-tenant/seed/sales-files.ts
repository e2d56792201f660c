import { barChart, code, csv, type FileSet, markdown, notebookFile, table } from "./files.ts";

interface Sale {
  readonly month: string;
  readonly region: string;
  readonly units: number;
  readonly revenue: number;
}

const regions = [
  { name: "North", base: 1240, price: 41.5 },
  { name: "South", base: 980, price: 39 },
  { name: "West", base: 1530, price: 44.25 },
];
const pastMonths = 34;
const now = new Date();

/** The first day of the month that is this number of months after the current one, such as `2026-11-01`. */
function monthAfter(count: number): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count)).toISOString().slice(0, 10);
}

/** The complete months before the current one, oldest first. */
const months = Array.from({ length: pastMonths }, (_, index) => monthAfter(index - pastMonths));

/** A pseudorandom number between 0 and 1, always the same for the same argument. */
function noise(number: number): number {
  return Math.abs((Math.sin(number * 127.1 + 11.7) * 43_758.5453) % 1);
}

const sales: readonly Sale[] = months.flatMap((month, index) =>
  regions.map(({ name, base, price }, place) => {
    const season = 1 + 0.22 * Math.sin(((Number(month.slice(5, 7)) - 4) / 12) * 2 * Math.PI);
    const units = Math.round(base * (1 + 0.011 * index) * season * (0.95 + 0.1 * noise(index * 3 + place)));
    return { month, region: name, units, revenue: Math.round(units * price) };
  }),
);

function revenueOf(month: string): number {
  return sales.filter((sale) => sale.month === month).reduce((sum, sale) => sum + sale.revenue, 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const monthly = months.map(revenueOf);
const growth = sum(monthly.slice(-12)) / sum(monthly.slice(-24, -12)) - 1;
const nextMonths = Array.from({ length: 6 }, (_, index) => monthAfter(index));
const nextYear = now.getUTCFullYear() + 1;
const forecast = nextMonths.map((_, index) => Math.round((monthly.at(index - 12) ?? 0) * (1 + growth)));
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const grouped = (value: number): string => value.toLocaleString("en-US");

const readInSales = ['sales = pd.read_csv("data/sales.csv", parse_dates=["month"])'];

const forecastNotebook = notebookFile("python", [
  markdown(
    "# Sales forecast",
    "",
    "A six-month forecast, based on three years of sales in three regions.",
    "",
    "- **Data**: `data/sales.csv`, one row per month and region",
    "- **Method**: the same month of the previous year, multiplied by the growth of the last twelve months",
    "",
    "Edit a cell and save. The file in the workspace changes immediately.",
  ),
  code(
    ["import pandas as pd", "", ...readInSales, "sales.tail(6)"],
    table(
      ["month", "region", "units", "revenue"],
      sales.slice(-6).map(({ month, region, units, revenue }) => [month, region, units, revenue]),
    ),
  ),
  markdown("## Revenue per month", "", "Orange bars show the forecast that is calculated below."),
  code(
    [
      'monthly = sales.groupby("month")["revenue"].sum()',
      'ax = monthly.plot.bar(figsize=(7, 3), color="#3478be", title="Revenue")',
    ],
    { kind: "picture", png: barChart(monthly, forecast), text: "<Figure size 700x300 with 1 Axes>" },
  ),
  markdown(
    "## Growth",
    "",
    "The last twelve months compared with the twelve months before:",
    "",
    "$$g = \\frac{\\sum_{t-11}^{t} r}{\\sum_{t-23}^{t-12} r} - 1$$",
  ),
  code(
    ["growth = monthly.iloc[-12:].sum() / monthly.iloc[-24:-12].sum() - 1", 'print(f"Growth: {growth * 100:.1f} %")'],
    { kind: "printed", text: `Growth: ${percent(growth)}\n` },
  ),
  markdown("## The next six months"),
  code(
    [
      "forecast = (monthly.iloc[-12:-6] * (1 + growth)).round().astype(int)",
      "forecast.index = forecast.index + pd.DateOffset(years=1)",
      'forecast.rename("forecast").reset_index()',
    ],
    table(
      ["month", "forecast"],
      nextMonths.map((month, index) => [month, forecast[index] ?? 0]),
    ),
  ),
  markdown(
    `**Result**: about ${grouped(sum(forecast))} in six months. The holidays in \`data/holidays.csv\` are not included yet.`,
  ),
]);

const weeklyNotebook = notebookFile("python", [
  markdown("# Weekly report", "", "Runs every Monday. The results are sent to the sales team."),
  code(
    [
      "import sys",
      "",
      'sys.path.append("..")',
      "from clean import load_sales",
      "",
      'sales = load_sales("../data/sales.csv")',
      "len(sales)",
    ],
    { kind: "result", data: { "text/plain": String(sales.length) } },
  ),
  code(
    ['latest = sales[sales["month"] == sales["month"].max()]', 'latest.groupby("region")[["units", "revenue"]].sum()'],
    table(
      ["region", "units", "revenue"],
      sales.slice(-3).map(({ region, units, revenue }) => [region, units, revenue]),
    ),
  ),
  markdown("> The numbers of a month are complete on the third working day of the next month."),
]);

const regionsNotebook = notebookFile("python", [
  markdown("# Regions", "", "Which region grows fastest?"),
  code(
    [
      "import pandas as pd",
      "",
      'sales = pd.read_csv("../../data/sales.csv", parse_dates=["month"])',
      'by_region = sales.pivot(index="month", columns="region", values="revenue")',
      "by_region.iloc[-12:].sum() / by_region.iloc[-24:-12].sum() - 1",
    ],
    table(
      ["region", "growth"],
      regions.map(({ name }) => {
        const own = sales.filter(({ region }) => region === name).map(({ revenue }) => revenue);
        return [name, percent(sum(own.slice(-12)) / sum(own.slice(-24, -12)) - 1)];
      }),
    ),
  ),
]);

const cleanModule = `"""Reads and cleans the sales file."""

import pandas as pd

COLUMNS = ["month", "region", "units", "revenue"]


def load_sales(path: str) -> pd.DataFrame:
    """Returns the sales without empty rows, sorted by month and region."""
    sales = pd.read_csv(path, usecols=COLUMNS, parse_dates=["month"])
    sales = sales.dropna(subset=["units", "revenue"])
    return sales.sort_values(["month", "region"]).reset_index(drop=True)


if __name__ == "__main__":
    print(load_sales("data/sales.csv").tail())
`;

const readMe = `# Sales forecasting

Notebooks of the sales team. Start with [forecast.ipynb](forecast.ipynb).

| File | Content |
|---|---|
| \`forecast.ipynb\` | Forecast for the next six months |
| \`reports/weekly.ipynb\` | Weekly report, every Monday |
| \`reports/regions/growth.ipynb\` | Growth by region |
| \`clean.py\` | Reads and cleans the data |
| \`data/\` | Sales by month and region, and holidays |
`;

/** The files of the workspace that runs from the start. */
export const salesFiles: FileSet = {
  "README.md": readMe,
  "forecast.ipynb": forecastNotebook,
  "clean.py": cleanModule,
  "requirements.txt": "pandas==2.2.3\nmatplotlib==3.9.2\n",
  "data/sales.csv": csv(
    ["month", "region", "units", "revenue"],
    sales.map(({ month, region, units, revenue }) => [month, region, units, revenue]),
  ),
  "data/holidays.csv": csv(
    ["date", "name"],
    [
      [`${nextYear - 1}-12-25`, "Christmas Day"],
      [`${nextYear - 1}-12-26`, "Boxing Day"],
      [`${nextYear}-01-01`, "New Year's Day"],
    ],
  ),
  "reports/weekly.ipynb": weeklyNotebook,
  "reports/regions/growth.ipynb": regionsNotebook,
  "reports/revenue.png": barChart(monthly, forecast),
  "reports/notes.md": "# Notes\n\n- West: new shop since March\n- South: new prices since July\n",
};
