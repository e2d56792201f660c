import { barChart, code, csv, type FileSet, markdown, notebookFile, table } from "./files.ts";
import { growthOf, regionNames, type Sales, salesBefore, sum } from "./sales.ts";

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const grouped = (value: number): string => value.toLocaleString("en-US");

const readInSales = ['sales = pd.read_csv("data/sales.csv", parse_dates=["month"])'];

const forecastNotebook = ({ all, monthly, growth, nextMonths, forecast }: Sales): string =>
  notebookFile("python", [
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
        all.slice(-6).map(({ month, region, units, revenue }) => [month, region, units, revenue]),
      ),
    ),
    markdown(
      "## Growth",
      "",
      "The last twelve months compared with the twelve months before:",
      "",
      "$$g = \\frac{\\sum_{t-11}^{t} r}{\\sum_{t-23}^{t-12} r} - 1$$",
    ),
    code(
      [
        'monthly = sales.groupby("month")["revenue"].sum()',
        "growth = monthly.iloc[-12:].sum() / monthly.iloc[-24:-12].sum() - 1",
        'print(f"Growth: {growth * 100:.1f} %")',
      ],
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
    markdown("## Revenue per month", "", "Blue bars show the sales, and orange bars the forecast."),
    code(
      [
        "import matplotlib.pyplot as plt",
        "",
        "figure, axes = plt.subplots(figsize=(7, 3))",
        'axes.bar(monthly.index, monthly, width=20, color="#3478be", label="Sales")',
        'axes.bar(forecast.index, forecast, width=20, color="#f0963c", label="Forecast")',
        'axes.tick_params(axis="x", labelsize=8)',
        "axes.margins(y=0.2)",
        'axes.legend(loc="upper left", ncols=2);',
      ],
      { kind: "picture", png: barChart(monthly, forecast), text: "<Figure size 700x300 with 1 Axes>" },
    ),
    markdown(
      `**Result**: about ${grouped(sum(forecast))} in six months. The holidays in \`data/holidays.csv\` are not included yet.`,
    ),
  ]);

const weeklyNotebook = ({ all }: Sales): string =>
  notebookFile("python", [
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
      { kind: "result", data: { "text/plain": String(all.length) } },
    ),
    code(
      [
        'latest = sales[sales["month"] == sales["month"].max()]',
        'latest.groupby("region")[["units", "revenue"]].sum()',
      ],
      table(
        ["region", "units", "revenue"],
        all.slice(-3).map(({ region, units, revenue }) => [region, units, revenue]),
      ),
    ),
    markdown("> The numbers of a month are complete on the third working day of the next month."),
  ]);

const regionsNotebook = ({ all }: Sales): string =>
  notebookFile("python", [
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
        regionNames.map((name) => {
          const own = all.filter(({ region }) => region === name).map(({ revenue }) => revenue);
          return [name, percent(growthOf(own))];
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

/** The files of the workspace that runs from the start, as they are at this time. */
export function salesFiles(now: Date): FileSet {
  const sales = salesBefore(now);
  const nextYear = now.getUTCFullYear() + 1;
  return {
    "README.md": readMe,
    "forecast.ipynb": forecastNotebook(sales),
    "clean.py": cleanModule,
    "requirements.txt": "pandas==2.2.3\nmatplotlib==3.9.2\n",
    "data/sales.csv": csv(
      ["month", "region", "units", "revenue"],
      sales.all.map(({ month, region, units, revenue }) => [month, region, units, revenue]),
    ),
    "data/holidays.csv": csv(
      ["date", "name"],
      [
        [`${nextYear - 1}-12-25`, "Christmas Day"],
        [`${nextYear - 1}-12-26`, "Boxing Day"],
        [`${nextYear}-01-01`, "New Year's Day"],
      ],
    ),
    "reports/weekly.ipynb": weeklyNotebook(sales),
    "reports/regions/growth.ipynb": regionsNotebook(sales),
    "reports/revenue.png": barChart(sales.monthly, sales.forecast),
    "reports/notes.md": "# Notes\n\n- West: new shop since March\n- South: new prices since July\n",
  };
}
