import assert from "node:assert/strict";
import fc from "fast-check";
import { readSchedule } from "../../../../src/api/families/schedule.ts";
import {
  cronOf,
  minuteSteps,
  type TimerPattern,
  timeOfDay,
  timeText,
  weekdays,
} from "../../../../src/features/workflows/timer-patterns.ts";

const at = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) });
const pattern: fc.Arbitrary<TimerPattern> = fc.oneof(
  fc.record({ type: fc.constant("minutes" as const), step: fc.constantFrom(...minuteSteps) }),
  fc.record({ type: fc.constant("hourly" as const), minute: fc.integer({ min: 0, max: 59 }) }),
  fc.record({ type: fc.constant("daily" as const), at }),
  fc.record({
    type: fc.constant("weekly" as const),
    at,
    days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
  }),
  fc.record({
    type: fc.constant("monthly" as const),
    at,
    day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant("last" as const)),
  }),
);

describe("timer patterns", () => {
  it("become schedules that run at the pattern's times, in UTC", () => {
    fc.assert(
      fc.property(pattern, (chosen) => {
        const reading = readSchedule(cronOf(chosen), "UTC");
        assert.ok(reading.valid, cronOf(chosen));
        assert.equal(reading.schedule.cron, cronOf(chosen));
        const runs = reading.schedule.nextRuns(5);
        assert.equal(runs.length, 5, cronOf(chosen));
        for (const run of runs) {
          assert.ok(fits(chosen, run), `${JSON.stringify(chosen)}: ${run.toISOString()}`);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("keep a typed expression unchanged", () => {
    assert.equal(cronOf({ type: "cron", cron: "0 0 9 ? * 2#1" }), "0 0 9 ? * 2#1");
  });

  it("parse times of day in common formats", () => {
    const cases = ["7", "07:30", "7:05", "19.30", "24:00", "7:60", "7:5", "", "noon", " 0:00 "];
    assert.deepEqual(
      cases.map((text) => {
        const time = timeOfDay(text);
        return time === undefined ? undefined : timeText(time);
      }),
      ["07:00", "07:30", "07:05", "19:30", undefined, undefined, undefined, undefined, undefined, "00:00"],
    );
  });
});

function fits(chosen: TimerPattern, run: Date): boolean {
  const [hour, minute] = [run.getUTCHours(), run.getUTCMinutes()];
  const isAt = (wanted: { hour: number; minute: number }): boolean => wanted.hour === hour && wanted.minute === minute;
  switch (chosen.type) {
    case "minutes":
      return minute % chosen.step === 0;
    case "hourly":
      return minute === chosen.minute;
    case "daily":
      return isAt(chosen.at);
    case "weekly": {
      const day = weekdays[(run.getUTCDay() + 6) % 7];
      return isAt(chosen.at) && day !== undefined && chosen.days.includes(day);
    }
    case "monthly": {
      const tomorrow = new Date(run.getTime() + 24 * 60 * 60 * 1000);
      const isDay = chosen.day === "last" ? tomorrow.getUTCDate() === 1 : run.getUTCDate() === chosen.day;
      return isAt(chosen.at) && isDay;
    }
    case "cron":
      return true;
  }
}
