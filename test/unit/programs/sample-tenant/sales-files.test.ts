import assert from "node:assert/strict";
import { salesFiles } from "../../../../src/programs/sample-tenant/seed/sales-files.ts";

describe("the sales of the sample workspace", () => {
  const [, ...rows] = String(salesFiles["data/sales.csv"]).trim().split("\n");
  const months = [...new Set(rows.map((row) => row.split(",")[0] ?? ""))];

  it("end with the last complete month, without gaps", () => {
    const now = new Date();
    const expected = Array.from({ length: 34 }, (_, index) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index - 34)).toISOString().slice(0, 10),
    );
    assert.deepEqual(months, expected);
    assert.equal(rows.length, 3 * months.length);
  });

  it("are followed by the forecast for the current month and five more", () => {
    const notebook = String(salesFiles["forecast.ipynb"]);
    const now = new Date();
    for (const count of [0, 5]) {
      const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count)).toISOString().slice(0, 10);
      assert.ok(notebook.includes(month), month);
    }
  });
});
