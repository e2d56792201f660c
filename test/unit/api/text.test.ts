import assert from "node:assert/strict";
import fc from "fast-check";
import { shortened, withoutEnding, withoutOuter } from "../../../src/api/text.ts";

describe("texts", () => {
  it("are trimmed of a repeated character only at their ends", () => {
    assert.equal(withoutEnding("//a//b//", "/"), "//a//b");
    assert.equal(withoutOuter("//a//b//", "/"), "a//b");
    assert.deepEqual([withoutEnding("///", "/"), withoutOuter("///", "/"), withoutOuter("", "/")], ["", "", ""]);
  });

  it("show both ends and their length if they are too long", () => {
    assert.equal(shortened("0123456789", 10), "0123456789");
    assert.equal(shortened("0123456789a", 10), "01234…6789a (11 characters)");
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 100 }), fc.integer({ min: 2, max: 40 }), (text, max) => {
        const shown = shortened(text, max);
        assert.ok(text.length <= max ? shown === text : shown.length <= max + 30 && shown.isWellFormed(), shown);
      }),
    );
  });
});
