import assert from "node:assert/strict";
import { runName } from "../../../scripts/tests/outcome.ts";

describe("the name of a run", () => {
  it("contains its layer and its files, and is a valid file name", () => {
    assert.equal(runName("unit"), "unit");
    assert.equal(runName("ui", ["test/ui/pages.test.ts"]), "ui-pages");
    const many = Array.from({ length: 400 }, (_, index) => `test/unit/some/folder/subject-${index}.test.ts`);
    assert.equal(runName("unit", many), "unit-subject-0-subject-1-subject-2-subject-3-and-396-more");
  });
});
