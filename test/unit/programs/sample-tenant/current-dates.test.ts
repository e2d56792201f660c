import assert from "node:assert/strict";
import { withCurrentDates } from "../../../../src/programs/sample-tenant/seed/current-dates.ts";

describe("dates of the sample data", () => {
  const now = new Date("2027-03-01T12:00:00.000Z");

  it("are as old now as they were when the data was written", () => {
    const data = { last: "2025-11-18T16:42:05Z", before: ["2025-11-17T16:42:05.000Z"], number: 1_763_484_125_000 };
    assert.deepEqual(withCurrentDates(data, now), {
      last: "2027-03-01T10:30:00Z",
      before: ["2027-02-28T10:30:00.000Z"],
      number: Date.parse("2027-03-01T10:30:00Z"),
    });
  });

  it("are unchanged if they are already relative to now, like values that aren't times", () => {
    const data = { later: "2027-02-27T08:00:00.000Z", id: 481_516_234, text: "since 2025-11-18T16:42:05Z", none: null };
    assert.deepEqual(withCurrentDates(data, now), data);
  });
});
