import assert from "node:assert/strict";
import type { WorkflowExecution } from "../../../../../src/api/catalogue/models/workflows.ts";
import { beginOf, countByDay, lastDays } from "../../../../../src/features/workflows/panels/execution-days.ts";

const run = (createdAt: string, status: string, startedAt: string | null = createdAt): WorkflowExecution => ({
  id: `${createdAt} ${status}`,
  createdAt,
  startedAt,
  status,
});

describe("executions per day", () => {
  it("ends with today in the user's zone, even across a daylight saving time change", () => {
    const until = new Date("2026-10-26T23:30:00Z");
    assert.deepEqual(lastDays(3, until, "UTC"), ["2026-10-24", "2026-10-25", "2026-10-26"]);
    assert.deepEqual(lastDays(3, until, "Europe/Berlin"), ["2026-10-25", "2026-10-26", "2026-10-27"]);
    assert.equal(lastDays(90, until, "UTC").length, 90);
    assert.equal(new Set(lastDays(90, until, "Europe/Berlin")).size, 90);
  });

  it("counts by the day in that zone, with fixed names first", () => {
    const executions = [
      run("2026-11-20T22:30:00Z", "COMPLETED"),
      run("2026-11-20T23:30:00Z", "COMPLETED"),
      run("2026-11-21T08:00:00Z", "ODD"),
      run("2026-11-21T09:00:00Z", "FAILED", null),
      run("2026-11-01T09:00:00Z", "FAILED"),
    ];
    const days = ["2026-11-20", "2026-11-21"];
    const nameOf = ({ status }: WorkflowExecution): string => status ?? "";
    const first = ["COMPLETED", "FAILED", "CANCELLED"];
    assert.deepEqual(countByDay(executions, days, "UTC", nameOf, first), [
      { name: "COMPLETED", counts: [2, 0] },
      { name: "FAILED", counts: [0, 1] },
      { name: "CANCELLED", counts: [0, 0] },
      { name: "ODD", counts: [0, 1] },
    ]);
    assert.deepEqual(countByDay(executions, days, "Europe/Berlin", nameOf, first)[0]?.counts, [1, 1]);
  });

  it("begins with the first moment of the first day in the user's zone", () => {
    for (const [timeZone, begin] of [
      ["UTC", "2026-11-20T00:00:00.000Z"],
      ["Europe/Berlin", "2026-11-19T23:00:00.000Z"],
      ["America/Los_Angeles", "2026-11-20T08:00:00.000Z"],
      ["Asia/Kathmandu", "2026-11-19T18:15:00.000Z"],
      ["Pacific/Kiritimati", "2026-11-19T10:00:00.000Z"],
      ["Etc/GMT+12", "2026-11-20T12:00:00.000Z"],
    ] as const) {
      assert.equal(beginOf("2026-11-20", timeZone).toISOString(), begin, timeZone);
    }
    // The clocks change at midnight: the day begins at 1:00.
    assert.equal(beginOf("2026-04-24", "Africa/Cairo").toISOString(), "2026-04-23T22:00:00.000Z");
  });
});
