import assert from "node:assert/strict";
import { dateFromText, isWithin, lastDaysUntil, textFromDate } from "../../../../src/ui/quick-input/typed-dates.ts";

describe("typed dates", () => {
  it("are days and times in this machine's zone; a day without a time is its first or last moment", () => {
    assert.equal(dateFromText("2026-11-18", "start")?.getTime(), new Date(2026, 10, 18).getTime());
    assert.equal(dateFromText(" 2026-11-18 ", "end")?.getTime(), new Date(2026, 10, 19).getTime() - 1);
    assert.equal(dateFromText("2026-1-2 7:30", "start")?.getTime(), new Date(2026, 0, 2, 7, 30).getTime());
    assert.equal(dateFromText("2026-01-02T07:30", "end")?.getTime(), new Date(2026, 0, 2, 7, 31).getTime() - 1);
  });

  it("are undefined for other text, and for a time that doesn't exist", () => {
    for (const text of [
      "",
      "yesterday",
      "2026-02-30",
      "2026-13-01",
      "2026-01-01 24:00",
      "2026-01-01 07:60",
      "18.11.2026",
    ]) {
      assert.equal(dateFromText(text, "start"), undefined, text);
    }
  });

  it("survive a round trip", () => {
    const date = dateFromText("2026-11-18 07:30", "start");
    assert.equal(textFromDate(date?.toISOString()), "2026-11-18 07:30");
    assert.equal(textFromDate(undefined), "");
  });

  it("show whether a time is within them, including both ends", () => {
    const now = new Date(2026, 10, 18, 15, 0);
    const week = lastDaysUntil(now, 7);
    assert.equal(isWithin(new Date(2026, 10, 12).toISOString(), week), true);
    assert.equal(isWithin(new Date(2026, 10, 11, 23, 59).getTime(), week), false);
    const day = { from: "2026-11-18T00:00:00Z", to: "2026-11-18T12:00:00Z" };
    assert.deepEqual(
      ["2026-11-18T12:00:00Z", "2026-11-18T12:00:01Z", "nonsense", null].map((time) => isWithin(time, day)),
      [true, false, false, false],
    );
    assert.equal(isWithin(null, {}), true);
    assert.equal(isWithin(null, day), false);
    assert.equal(isWithin(String(Date.parse("2026-11-18T06:00:00Z")), day), true);
  });
});
