import assert from "node:assert/strict";
import { designQuery, filterFromText, filterText } from "../../../../src/features/designs/design-filter.ts";

const usual = { search: "", deleted: false, withPermission: "ADMIN", direction: "desc" } as const;

describe("the filter of app designs", () => {
  it("is empty for the default list, which has the defaults of the API description", () => {
    assert.equal(filterText(usual), "");
    assert.deepEqual(filterFromText(""), usual);
    assert.deepEqual(designQuery(""), usual);
  });

  it("stores the options, and requests them from the platform", () => {
    const filter = { search: 'a "board"', deleted: true, withPermission: "READ", direction: "asc" } as const;
    assert.deepEqual(filterFromText(filterText(filter)), filter);
    assert.deepEqual(designQuery(filterText(filter)), filter);
    const one = filterText({ ...usual, direction: "asc" });
    assert.notEqual(one, "");
    assert.deepEqual(filterFromText(one), { ...usual, direction: "asc" });
  });

  it("treats any other text as a part of the name", () => {
    for (const text of ["board", "{broken", '{"withPermission":"OWNER"}', "7"]) {
      assert.deepEqual(filterFromText(text), { ...usual, search: text });
    }
  });
});
