import assert from "node:assert/strict";
import { type MetricsChoices, usualChoices } from "../../../../../src/features/workflows/panels/messages.ts";
import {
  chartedStatuses,
  counts,
  metricsQuery,
  metricsSpan,
} from "../../../../../src/features/workflows/panels/metrics-query.ts";

const now = new Date("2026-11-18T12:00:00Z");
const narrowed: MetricsChoices = {
  ...usualChoices,
  days: 7,
  version: "1.2.0",
  statuses: ["FAILED", "CANCELLED"],
  triggerTypes: ["TIMER", "API"],
  startedBy: "481516234",
  finishedBefore: "2026-11-10",
};

describe("the query of metrics", () => {
  it("has only the workflow and the start of the days, without filters", () => {
    const span = metricsSpan(usualChoices, now, "UTC");
    assert.deepEqual(metricsQuery("m-1", usualChoices, span), { modelId: "m-1", startedAfter: span.after });
    assert.deepEqual([span.days.length, span.days.at(-1), span.before], [28, "2026-11-18", undefined]);
  });

  it("contains every filter that is set", () => {
    const span = metricsSpan(narrowed, now, "UTC");
    assert.deepEqual(metricsQuery("m-1", narrowed, span), {
      modelId: "m-1",
      modelVersion: "1.2.0",
      statuses: ["FAILED", "CANCELLED"],
      triggerTypes: ["TIMER", "API"],
      startedBy: "481516234",
      startedAfter: span.after,
      finishedBefore: new Date("2026-11-10T00:00:00"),
    });
  });

  it("ends with the day before which executions must have finished, and not in the future", () => {
    const span = metricsSpan(narrowed, now, Intl.DateTimeFormat().resolvedOptions().timeZone);
    assert.deepEqual([span.days[0], span.days.at(-1)], ["2026-11-03", "2026-11-09"]);
    const later = metricsSpan({ ...narrowed, finishedBefore: "2027-01-01" }, now, "UTC");
    assert.equal(later.days.at(-1), "2026-11-18");
    for (const finishedBefore of ["", "soon", "2026-13-45"]) {
      assert.equal(metricsSpan({ ...narrowed, finishedBefore }, now, "UTC").before, undefined, finishedBefore);
    }
  });

  it("counts the executions that match all filters, even if the platform ignored them", () => {
    const span = metricsSpan(narrowed, now, "UTC");
    const fitting = {
      modelId: "m-1",
      modelVersion: "1.2.0",
      status: "FAILED",
      triggerType: "TIMER",
      startedBy: 481516234,
      startedAt: "2026-11-08T10:00:00Z",
      finishedAt: "2026-11-08T10:01:00Z",
    };
    assert.equal(counts(fitting, "m-1", narrowed, span), true);
    for (const other of [
      { modelId: "m-2" },
      { modelVersion: "1.1.0" },
      { status: "COMPLETED" },
      { triggerType: "MANUAL" },
      { startedBy: "7" },
      { startedAt: "2026-10-01T10:00:00Z" },
      { finishedAt: "2026-11-11T10:00:00Z" },
      { finishedAt: null },
    ]) {
      assert.equal(counts({ ...fitting, ...other }, "m-1", narrowed, span), false, JSON.stringify(other));
    }
    assert.deepEqual(chartedStatuses(narrowed), ["FAILED", "CANCELLED"]);
    assert.equal(chartedStatuses(usualChoices).length, 4);
  });
});
