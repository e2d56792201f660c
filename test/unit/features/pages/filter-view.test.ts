import assert from "node:assert/strict";
import * as z from "zod/mini";
import { wholeFilterView } from "../../../../src/api/catalogue/models/pages.ts";

describe("a saved filter view", () => {
  it("is sent back with all fields from the platform, including undescribed ones", () => {
    const told = {
      analyzerId: 7,
      name: "North only",
      scope: "PAGE",
      pageUrn: "12",
      segmentIds: ["one"],
      filters: [{ key: "region-1", column: "Region", operand: "IN", values: ["North"], affectedCardUrns: [3] }],
      dateTimeRange: { overrideDateRange: false, preset: "LAST_WEEK" },
    };
    assert.deepEqual(z.parse(wholeFilterView, told), told);
  });
});
