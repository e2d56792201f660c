import assert from "node:assert/strict";
import fc from "fast-check";
import { appliedEdits, type PlannedEdit } from "../../../../src/features/remote-search/replaced-edits.ts";

const edit = (start: number, end: number, text: string): PlannedEdit => ({ start, end, text });

function apply(before: string, edits: readonly PlannedEdit[]): string {
  return edits.reduceRight((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), before);
}

describe("the edits that were applied to a text", () => {
  const before = "old, old and old.";
  const edits = [edit(0, 3, "new"), edit(5, 8, "new"), edit(13, 16, "new")];

  it("are all, some, or none of them", () => {
    for (const applied of [edits, edits.slice(1), [edits[1] ?? edit(0, 0, "")], []]) {
      assert.deepEqual(appliedEdits(before, edits, apply(before, applied)), applied);
    }
  });

  it("are unknown if something else has changed the text", () => {
    for (const after of ["", "older, new and new.", "new, new and new", "new, new, new.", "x new, new and new."]) {
      assert.equal(appliedEdits(before, edits, after), undefined, after);
    }
  });

  it("lead to the text also if a replacement begins like what it replaces", () => {
    const letters = fc.constantFrom("a", "b");
    const replacement = fc.record({ text: fc.string({ unit: letters, maxLength: 3 }), isApplied: fc.boolean() });
    const texts = fc.string({ unit: letters, minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.array(replacement, { minLength: 4, maxLength: 4 }), (text, replacements) => {
        const all = replacements.map((one, index) => ({ ...edit(index * 3, index * 3 + 2, one.text), ...one }));
        const planned = all.map(({ isApplied: _, ...rest }) => rest);
        const after = apply(
          text,
          planned.filter((_, index) => all[index]?.isApplied),
        );
        const found = appliedEdits(text, planned, after);
        assert.equal(found && apply(text, found), after);
      }),
    );
  });
});
