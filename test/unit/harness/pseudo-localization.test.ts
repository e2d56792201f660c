import assert from "node:assert/strict";
import { plainWords, pseudoLocalized } from "../../harness/pseudo-localization.ts";

const noData = (): boolean => false;

describe("pseudo-localization", () => {
  it("doubles vowels, and leaves placeholders, icons, links, and code as they are", () => {
    assert.equal(
      pseudoLocalized("$(sync~spin) Open [{0}](command:a.open), or set `a.b`."),
      "\uFF3B$(sync~spin) Opeen [{0}](command:a.open), oor seet `a.b`.\uFF3D",
    );
  });

  it("finds the words that nobody has translated, beside data and names in capitals", () => {
    const text = `${pseudoLocalized("Kernel of {0}").replace("{0}", "Sales")} is running, 8 GB of RAM`;
    assert.deepEqual(plainWords(text, noData), ["Sales", "running"]);
    assert.deepEqual(
      plainWords(text, (word) => word === "sales"),
      ["running"],
    );
  });
});
