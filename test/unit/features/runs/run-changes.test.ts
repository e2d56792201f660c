import assert from "node:assert/strict";
import { changesMarkdown } from "../../../../src/features/runs/run-changes.ts";

describe("the document with the changes between two runs", () => {
  it("escapes what notebooks contain", () => {
    const text = changesMarkdown("<a>.ipynb", "b|c.ipynb", [
      {
        cell: 1,
        code: "x | `y` <script>",
        change: { type: "numbers", numbers: [{ label: "a|b", before: "1", after: "2" }], hidden: 3 },
        pictures: 2,
      },
    ]);
    assert.doesNotMatch(text, /<a>/);
    assert.match(text, /`a\\\|b` \| `1` \| `2`/);
    assert.match(text, /`` ?x \\\| `y` <script>/);
    assert.match(text, /Code cells with other outputs: 1 of 1/);
    assert.match(text, /2 pictures have changed/);
  });
});
