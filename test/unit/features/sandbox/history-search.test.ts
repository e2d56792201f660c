import assert from "node:assert/strict";
import { fitsDates, type HistorySearch, historyQuery } from "../../../../src/features/sandbox/history-search.ts";

const search: HistorySearch = {
  kind: "promotions",
  filters: { repositoryName: ["Sales pages"], status: [] },
  sort: "started",
  order: "asc",
  dates: { started: { from: "2025-11-01T00:00:00.000Z", to: "2025-11-18T23:59:59.999Z" }, completed: {} },
};

describe("a search in the history of repositories", () => {
  it("requests only the filters, the sort order, and the dates that are set", () => {
    assert.deepEqual(historyQuery(search), {
      filters: { repositoryName: ["Sales pages"] },
      sort: "started",
      order: "asc",
      dateFilters: { started: { from: "2025-11-01T00:00:00.000Z", to: "2025-11-18T23:59:59.999Z" } },
    });
  });

  it("omits results outside of its dates, even if the platform ignored the dates", () => {
    assert.equal(fitsDates({ started: "2025-11-18T12:00:00Z" }, search), true);
    assert.equal(fitsDates({ started: Date.parse("2025-11-01T00:00:00Z") }, search), true);
    assert.equal(fitsDates({ started: "2025-11-19T00:00:00Z" }, search), false);
    assert.equal(fitsDates({ started: null }, search), false);
    assert.equal(fitsDates({ started: null }, { ...search, dates: {} }), true);
  });
});
