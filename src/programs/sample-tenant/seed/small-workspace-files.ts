import { code, csv, type FileSet, markdown, notebookFile, table } from "./files.ts";

const customers = [
  [1001, "annual", 26, 3, 0],
  [1002, "monthly", 4, 1, 1],
  [1003, "monthly", 13, 6, 0],
  [1004, "annual", 41, 2, 0],
  [1005, "monthly", 2, 0, 1],
  [1006, "annual", 8, 5, 0],
] as const;
const customerColumns = ["customer", "plan", "months", "tickets", "left"];

export const churnFiles: FileSet = {
  "README.md": "# Customer churn\n\nWho leaves, and can it be predicted?\n",
  "churn.ipynb": notebookFile("python", [
    markdown("# Customer churn", "", "A first look at who left in the last quarter."),
    code(
      ["import pandas as pd", "", 'customers = pd.read_csv("data/customers.csv")', "customers"],
      table(customerColumns, customers),
    ),
    code(
      ['customers.groupby("plan")["left"].mean()'],
      table(
        ["plan", "left"],
        [
          ["annual", "0.000000"],
          ["monthly", "0.666667"],
        ],
      ),
    ),
    markdown("Monthly plans leave more often. Next: a model with `months` and `tickets`."),
  ]),
  "data/customers.csv": csv(customerColumns, customers),
  "features.py":
    'def is_young(months: int) -> bool:\n    """A customer of less than half a year."""\n    return months < 6\n',
};

export const attributionFiles: FileSet = {
  "attribution.ipynb": notebookFile("python", [
    markdown("# Marketing attribution", "", "Shares of the channels by first and by last touch."),
    code(
      [
        'channels = {"search": (0.41, 0.36), "mail": (0.22, 0.31), "fairs": (0.37, 0.33)}',
        "for name, (first, last) in channels.items():",
        '    print(f"{name:8} {first:.0%} {last:.0%}")',
      ],
      { kind: "printed", text: "search   41% 36%\nmail     22% 31%\nfairs    37% 33%\n" },
    ),
  ]),
  "channels.json": `${JSON.stringify({ search: 0.41, mail: 0.22, fairs: 0.37 }, undefined, 2)}\n`,
};

export const financeFiles: FileSet = {
  "close.ipynb": notebookFile("python", [
    markdown(
      "# Month-end close",
      "",
      "1. Load the ledger\n2. Check that debits and credits agree\n3. Write the report",
    ),
    code(['ledger = [("debit", 1200), ("credit", 1200)]', "sum(a if s == 'debit' else -a for s, a in ledger)"], {
      kind: "result",
      data: { "text/plain": "0" },
    }),
  ]),
};

export const payrollFiles: FileSet = { "README.md": "# Payroll analytics\n" };

export const inventoryFiles: FileSet = {
  "reorder.ipynb": notebookFile("python", [
    markdown("# Reorder points"),
    code(["demand, days, safety = 42, 9, 80", "demand * days + safety"], {
      kind: "result",
      data: { "text/plain": "458" },
    }),
  ]),
  "stock.csv": csv(
    ["article", "stock"],
    [
      ["A-100", 320],
      ["A-200", 75],
      ["B-310", 1210],
    ],
  ),
};

export const supplyFiles: FileSet = {
  "routes/network.ipynb": notebookFile("python", [
    markdown("# Supply network"),
    code(['routes = [("Hamburg", "Lyon"), ("Lyon", "Porto")]', "len(routes)"], {
      kind: "result",
      data: { "text/plain": "2" },
    }),
  ]),
  "routes/network.svg":
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><path d="M10 20h100" stroke="#3478be"/></svg>\n',
};

export const rFiles: FileSet = {
  "experiment.ipynb": notebookFile("r", [
    markdown("# Plant growth", "", "One-way analysis in R."),
    code(
      ["data(PlantGrowth)", "aggregate(weight ~ group, PlantGrowth, mean)"],
      table(
        ["group", "weight"],
        [
          ["ctrl", "5.032"],
          ["trt1", "4.661"],
          ["trt2", "5.526"],
        ],
      ),
    ),
  ]),
  "analysis.R": "summary(aov(weight ~ group, data = PlantGrowth))\n",
};

/** Names with characters that must be encoded somewhere, and numbers that a parser could change. */
export const namesFiles: FileSet = {
  "100% sure.md": "# 100% sure\n",
  "C# and F#.md": "# C# and F#\n",
  "a+b;c & d=e.txt": "signs\n",
  "it's.py": 'print("it\'s")\n',
  "percent%41.txt": "not A\n",
  "Größe und Maß.csv": "Größe,Maß\n1,2\n",
  "日本語.ipynb": notebookFile("python", [
    markdown("# 日本語"),
    code(['print("こんにちは")'], { kind: "printed", text: "こんにちは\n" }),
  ]),
  "party 🎉.md": "# 🎉\n",
  "cafe\u0301 (two code points).txt": "e and an accent\n",
  "folder with spaces/deep er/note.txt": "deep\n",
  "numbers.ipynb":
    '{\n "cells": [],\n "metadata": {\n  "identifier": 9007199254740993,\n  "one": 1.0\n },\n "nbformat": 4,\n "nbformat_minor": 5\n}\n',
};
