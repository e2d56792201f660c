import assert from "node:assert/strict";
import { salesFiles } from "../../../../src/programs/sample-tenant/seed/sales-files.ts";

describe("the sales of the sample workspace", () => {
  for (const [day, first, last, current, sixth] of [
    ["2026-11-25", "2024-01-01", "2026-10-01", "2026-11-01", "2027-04-01"],
    ["2027-01-01", "2024-03-01", "2026-12-01", "2027-01-01", "2027-06-01"],
    ["2028-02-29", "2025-04-01", "2028-01-01", "2028-02-01", "2028-07-01"],
  ] as const) {
    const files = salesFiles(new Date(`${day}T00:00:00Z`));

    it(`end with the last complete month, without gaps (${day})`, () => {
      const [, ...rows] = String(files["data/sales.csv"]).trim().split("\n");
      const months = [...new Set(rows.map((row) => row.split(",")[0] ?? ""))];
      assert.deepEqual([months.at(0), months.at(-1)], [first, last]);
      assert.equal(months.length, 34);
      assert.equal(rows.length, 3 * months.length);
      assert.deepEqual(months, months.toSorted());
    });

    it(`are followed by the forecast for the current month and five more (${day})`, () => {
      const notebook = String(files["forecast.ipynb"]);
      for (const month of [current, sixth]) assert.ok(notebook.includes(month), month);
    });
  }
});
