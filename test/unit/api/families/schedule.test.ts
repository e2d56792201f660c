import assert from "node:assert/strict";
import fc from "fast-check";
import { readSchedule, type Schedule } from "../../../../src/api/families/schedule.ts";

const from = new Date("2026-11-21T06:00:00Z");

function schedule(cron: string, timeZone = "Europe/Berlin"): Schedule {
  const reading = readSchedule(cron, timeZone);
  return reading.valid ? reading.schedule : assert.fail(`${cron}: ${reading.reason}`);
}

function runs(cron: string, timeZone = "Europe/Berlin", count = 3): readonly string[] {
  return schedule(cron, timeZone)
    .nextRuns(count, from)
    .map((time) => time.toISOString().replace(":00.000Z", "Z"));
}

describe("schedules", () => {
  // The expression, the sent one, and the next runs after a Saturday, 07:00 in Berlin.
  const table: readonly (readonly [cron: string, sent: string, first: string, second: string])[] = [
    ["0 0 7 ? * *", "0 0 7 ? * *", "2026-11-22T06:00Z", "2026-11-23T06:00Z"],
    ["0 0 7 * * ?", "0 0 7 * * ?", "2026-11-22T06:00Z", "2026-11-23T06:00Z"],
    ["0 0 7 * * *", "0 0 7 ? * *", "2026-11-22T06:00Z", "2026-11-23T06:00Z"],
    ["0 0 7 ? * 1", "0 0 7 ? * 1", "2026-11-22T06:00Z", "2026-11-29T06:00Z"],
    ["0 0 7 ? * 2", "0 0 7 ? * 2", "2026-11-23T06:00Z", "2026-11-30T06:00Z"],
    ["0 0 7 ? * 7", "0 0 7 ? * 7", "2026-11-28T06:00Z", "2026-12-05T06:00Z"],
    ["0 0 7 * * mon-fri", "0 0 7 ? * MON-FRI", "2026-11-23T06:00Z", "2026-11-24T06:00Z"],
    ["0 0 7 ? * FRI-MON", "0 0 7 ? * FRI-MON", "2026-11-22T06:00Z", "2026-11-23T06:00Z"],
    ["0 0 7 ? * 6L", "0 0 7 ? * 6L", "2026-11-27T06:00Z", "2026-12-25T06:00Z"],
    ["0 0 7 ? * FRI#3", "0 0 7 ? * FRI#3", "2026-12-18T06:00Z", "2027-01-15T06:00Z"],
    ["0 0 7 ? * L", "0 0 7 ? * L", "2026-11-28T06:00Z", "2026-12-05T06:00Z"],
    ["0 0 7 L * ?", "0 0 7 L * ?", "2026-11-30T06:00Z", "2026-12-31T06:00Z"],
    ["0 0 7 LW * ?", "0 0 7 LW * ?", "2026-11-30T06:00Z", "2026-12-31T06:00Z"],
    ["0 0 7 29W 11 ?", "0 0 7 29W 11 ?", "2026-11-30T06:00Z", "2027-11-29T06:00Z"],
    ["0 0/20 * * * ?", "0 0/20 * * * ?", "2026-11-21T06:20Z", "2026-11-21T06:40Z"],
    ["0 0 22-2 ? * *", "0 0 22-2 ? * *", "2026-11-21T21:00Z", "2026-11-21T22:00Z"],
    ["0 0 7 ? JAN,3 *", "0 0 7 ? JAN,3 *", "2027-01-01T06:00Z", "2027-01-02T06:00Z"],
    ["0 0 7 ? * * 2027-2028", "0 0 7 ? * * 2027-2028", "2027-01-01T06:00Z", "2027-01-02T06:00Z"],
    ["  0   0 7 ?\t* *\n", "0 0 7 ? * *", "2026-11-22T06:00Z", "2026-11-23T06:00Z"],
    ["0 7 * * *", "0 0 7 ? * *", "2026-11-22T06:00Z", "2026-11-23T06:00Z"],
    ["0 7 ? * *", "0 0 7 ? * *", "2026-11-22T06:00Z", "2026-11-23T06:00Z"],
    ["0 7 ? * 2", "0 0 7 ? * 2", "2026-11-23T06:00Z", "2026-11-30T06:00Z"],
    ["0 7 * * 1", "0 0 7 ? * MON", "2026-11-23T06:00Z", "2026-11-30T06:00Z"],
    ["0 7 * * 0", "0 0 7 ? * SUN", "2026-11-22T06:00Z", "2026-11-29T06:00Z"],
    ["0 7 * * 7", "0 0 7 ? * SUN", "2026-11-22T06:00Z", "2026-11-29T06:00Z"],
    ["0 7 * * 1-5", "0 0 7 ? * MON-FRI", "2026-11-23T06:00Z", "2026-11-24T06:00Z"],
    ["0 7 * * 5-7", "0 0 7 ? * FRI-SUN", "2026-11-22T06:00Z", "2026-11-27T06:00Z"],
    ["0 7 * * 0-7", "0 0 7 ? * SUN-SAT", "2026-11-22T06:00Z", "2026-11-23T06:00Z"],
    ["0 7 * * 1/2", "0 0 7 ? * MON,WED,FRI", "2026-11-23T06:00Z", "2026-11-25T06:00Z"],
    ["0 7 * * 5#3", "0 0 7 ? * 6#3", "2026-12-18T06:00Z", "2027-01-15T06:00Z"],
    ["*/15 6-18 * * *", "0 */15 6-18 ? * *", "2026-11-21T06:15Z", "2026-11-21T06:30Z"],
    ["0 7 1 * *", "0 0 7 1 * ?", "2026-12-01T06:00Z", "2027-01-01T06:00Z"],
  ];
  for (const [cron, sent, ...next] of table) {
    it(`${JSON.stringify(cron)} is sent as "${sent}" and runs at ${next.join(", ")}`, () => {
      assert.equal(schedule(cron).cron, sent);
      assert.deepEqual(runs(cron, "Europe/Berlin", 2), next);
    });
  }

  it("run in their time zone, across daylight saving time changes", () => {
    assert.deepEqual(runs("0 0 7 ? * *", "America/Denver", 1), ["2026-11-21T14:00Z"]);
    assert.deepEqual(runs("0 0 7 ? * *", "Asia/Kolkata", 1), ["2026-11-22T01:30Z"]);
    assert.deepEqual(runs("0 0 7 ? * *", "GMT", 1), ["2026-11-21T07:00Z"]);
    const spring = schedule("0 0 7 ? * *").nextRuns(2, new Date("2027-03-27T00:00:00Z"));
    assert.deepEqual(
      spring.map((time) => time.toISOString()),
      ["2027-03-27T06:00:00.000Z", "2027-03-28T05:00:00.000Z"],
    );
  });

  const refused: readonly (readonly [cron: string, reason: RegExp])[] = [
    ["", /six fields/],
    ["* * *", /six fields/],
    ["@daily", /six fields/],
    ["0 0 7 ? * * * *", /six fields/],
    ["0 0 25 ? * *", /"25" isn't a valid hour; the range is 0 to 23/],
    ["0 60 7 ? * *", /"60" isn't a valid minute/],
    ["60 0 7 ? * *", /"60" isn't a valid second/],
    ["0 0 7 32 * ?", /"32" isn't a valid day of the month/],
    ["0 0 7 ? 13 *", /"13" isn't a valid month/],
    ["0 0 7 ? * 0", /"0" isn't a valid day of the week; the range is 1 to 7/],
    ["0 0 7 ? * 8", /"8" isn't a valid day of the week; the range is 1 to 7/],
    ["0 7 * * 8", /"8" isn't a valid day of the week; the range is 0 to 7/],
    ["0 0 7 ? * MONDAY", /"MONDAY" isn't a valid day of the week/],
    ["0 0 7 ? * ?", /not for both/],
    ["0 0 7 1 * MON", /replace one of them with \?/],
    ["0 7 1 * MON", /replace one of them with \?/],
    ["? 0 7 ? * *", /"\?" isn't a valid second/],
    ["*/0 * * * * ?", /step/],
    ["0 0/99 * * * ?", /step/],
    ["0 0 7 L-3 * ?", /isn't a valid day/],
    ["0 0 7 ? * * 1999", /never runs again/],
    ["0 0 7 31 2 ?", /never runs again/],
    ["0 0 7 ? * * 2030-2028", /is reversed/],
    ["0 0 7 ? * MON,", /"" isn't a valid day of the week/],
    ["0 0 7; ? * *", /isn't a valid hour/],
  ];
  for (const [cron, reason] of refused) {
    it(`${JSON.stringify(cron)} is rejected: ${reason.source}`, () => {
      const reading = readSchedule(cron, "Europe/Berlin");
      assert.deepEqual([reading.valid, !reading.valid && reading.field], [false, "cron"]);
      assert.match(reading.valid ? "" : String(reading.reason), reason);
    });
  }

  it("are rejected in an invalid time zone", () => {
    for (const timeZone of ["", "Mars/Base", "+01:00", "Europe/Berlin ", "CEST+1", "Europe\\Berlin"]) {
      const reading = readSchedule("0 0 7 ? * *", timeZone);
      assert.deepEqual([reading.valid, !reading.valid && reading.field], [false, "timeZone"], timeZone);
    }
    for (const timeZone of ["UTC", "GMT", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "Asia/Calcutta"]) {
      assert.equal(readSchedule("0 0 7 ? * *", timeZone).valid, true, timeZone);
    }
  });

  it("of a crontab run on the crontab's days, by an independent calculation", () => {
    const day = fc.integer({ min: 0, max: 7 });
    fc.assert(
      fc.property(fc.uniqueArray(day, { minLength: 1 }), fc.nat(59), fc.nat(23), (days, minute, hour) => {
        const found = schedule(`${minute} ${hour} * * ${days.join(",")}`, "UTC");
        const wanted = new Set(days.map((one) => one % 7));
        const expected: string[] = [];
        for (let at = Date.UTC(2026, 10, 21, hour, minute); expected.length < 8; at += 86_400_000) {
          if (at > from.getTime() && wanted.has(new Date(at).getUTCDay())) {
            expected.push(new Date(at).toISOString());
          }
        }
        const found8 = found.nextRuns(8, from).map((time) => time.toISOString());
        assert.deepEqual(found8, expected);
        assert.deepEqual(schedule(found.cron, "UTC").nextRuns(8, from), found.nextRuns(8, from), found.cron);
      }),
      { numRuns: 200 },
    );
  });

  it("skip a run whose time doesn't exist, and name it, but run once if the clocks are put back", () => {
    const runs = (cron: string, timeZone: string, from: string) =>
      schedule(cron, timeZone)
        .upcoming(3, new Date(from))
        .map(({ at, isSkipped }) => `${at.toISOString().slice(0, 16)}${isSkipped ? " skipped" : ""}`);
    assert.deepEqual(runs("0 30 2 ? * *", "Europe/Berlin", "2027-03-27T12:00:00Z"), [
      "2027-03-28T01:00 skipped",
      "2027-03-29T00:30",
      "2027-03-30T00:30",
      "2027-03-31T00:30",
    ]);
    assert.deepEqual(
      schedule("0 30 2 ? * *", "Europe/Berlin")
        .nextRuns(1, new Date("2027-03-27T12:00:00Z"))
        .map((time) => time.toISOString()),
      ["2027-03-29T00:30:00.000Z"],
    );
    assert.deepEqual(runs("0 30 2 ? * *", "Europe/Berlin", "2027-10-30T12:00:00Z"), [
      "2027-10-31T00:30",
      "2027-11-01T01:30",
      "2027-11-02T01:30",
    ]);
    assert.deepEqual(runs("0 */30 * ? * *", "Europe/Berlin", "2027-03-28T00:10:00Z"), [
      "2027-03-28T00:30",
      "2027-03-28T01:00",
      "2027-03-28T01:30",
    ]);
    // The last Sunday of March, at a time that never exists.
    assert.equal(
      runs("0 30 2 ? 3 1L", "Europe/Berlin", "2027-01-01T00:00:00Z").every((run) => / skipped$/.test(run)),
      true,
    );
  });

  it("are parsed from any text without an exception", () => {
    const part = fc.constantFrom("*", "?", "0", "7", "L", "W", "#", "/", "-", ",", " ", "MON", "1-5", "*/5", "é", "\n");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(part, { maxLength: 20 }).map((all) => all.join("")),
          fc.array(part, { minLength: 5, maxLength: 7 }).map((all) => all.join(" ")),
        ),
        (cron) => {
          const reading = readSchedule(cron, "UTC");
          if (reading.valid) {
            assert.equal(readSchedule(reading.schedule.cron, "UTC").valid, true, "what is sent can't be read again");
          } else {
            assert.notEqual(reading.reason, "");
          }
        },
      ),
      { numRuns: 600 },
    );
  });
});
