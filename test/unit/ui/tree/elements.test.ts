import assert from "node:assert/strict";
import { moreLabel } from "../../../../src/ui/tree/elements.ts";
import { english } from "../translate.ts";

describe("the Load More row", () => {
  it("counts the items", () => {
    assert.equal(moreLabel(50, 214, 50, english), "Load 50 More (50 of 214)");
    assert.equal(moreLabel(200, 214, 50, english), "Load 14 More (200 of 214)");
    assert.equal(moreLabel(50, undefined, 50, english), "Load 50 More (50 shown)");
  });
});
