import assert from "node:assert/strict";
import { absoluteDate, isoDate, relativeDate, runDate, runTime, timeToday } from "../../../../src/ui/format/dates.ts";

const now = Date.parse("2026-03-10T12:00:00Z");

describe("dates", () => {
  it("are ages in trees", () => {
    const ages: readonly (readonly [string, string])[] = [
      ["2026-03-10T11:59:31Z", "now"],
      ["2026-03-10T11:55:00Z", "5m ago"],
      ["2026-03-10T09:00:00Z", "3h ago"],
      ["2026-03-04T12:00:00Z", "6d ago"],
      ["2026-02-26T12:00:00Z", "1w ago"],
      ["2026-02-08T12:00:00Z", "1mo ago"],
      ["2025-03-11T12:00:00Z", "12mo ago"],
      ["2024-03-10T12:00:00Z", "2y ago"],
    ];
    for (const [time, age] of ages) {
      assert.equal(relativeDate(time, "en", now), age);
    }
  });

  it("in the future are shown as now", () => {
    assert.equal(relativeDate("2026-03-10T12:00:09Z", "en", now), "now");
  });

  it("are absolute with their zone in cards", () => {
    assert.equal(absoluteDate("2026-03-10T09:05:07Z", "en", "Europe/Berlin"), "Mar 10, 2026, 10:05 AM GMT+1");
  });

  it("of a timer are in the timer's zone, in the same format", () => {
    const time = new Date("2026-11-22T22:30:00Z");
    assert.equal(runTime(time, "Asia/Tokyo", "en", now), "Mon, Nov 23, 7:30 AM GMT+9");
    assert.equal(runTime(time, "UTC", "en", now), "Sun, Nov 22, 10:30 PM UTC");
  });

  it("of today can omit the day", () => {
    const moment = new Date(now);
    const [morning, before] = [new Date(moment), new Date(moment)];
    morning.setHours(7, 51);
    before.setDate(before.getDate() - 1);
    assert.equal(timeToday(morning.toISOString(), "en", now), "7:51 AM");
    assert.equal(timeToday(before.toISOString(), "en", now), undefined);
    assert.equal(timeToday(undefined, "en", now), undefined);
  });

  it("that are missing or invalid show nothing", () => {
    for (const time of [undefined, null, "", "soon"]) {
      assert.equal(relativeDate(time, "en", now), undefined);
      assert.equal(absoluteDate(time, "en"), undefined);
    }
  });

  it("are ISO 8601 whether the platform returns that or milliseconds", () => {
    for (const told of ["2026-03-10T12:00:00Z", now, String(now), "2026-03-10T12:00:00.000Z"]) {
      assert.equal(isoDate(told), "2026-03-10T12:00:00.000Z");
    }
    assert.deepEqual([null, undefined, "", "soon"].map(isoDate), [undefined, undefined, undefined, undefined]);
  });

  it("of runs in another year have their year, as seen in the time zone of the schedule", () => {
    const now = Date.parse("2026-12-31T23:30:00Z");
    const time = new Date("2027-01-01T06:30:00Z");
    const plain = (text: string) => text.replaceAll("\u202f", " ");
    assert.equal(plain(runTime(time, "Europe/Berlin", "en", now)), "Fri, Jan 1, 7:30 AM GMT+1");
    assert.equal(plain(runTime(time, "America/New_York", "en", now)), "Fri, Jan 1, 2027, 1:30 AM EST");
    assert.equal(runDate(time, "America/New_York", "en", now), "Fri, Jan 1, 2027");
  });
});
