import assert from "node:assert/strict";
import { plainWords, pseudoLocalized } from "../../harness/pseudo-localization.ts";

const noData = (): boolean => false;

describe("pseudo-localization", () => {
  it("doubles vowels, and preserves placeholders, icons, links, and code", () => {
    assert.equal(
      pseudoLocalized("$(sync~spin) Open [{0}](command:a.open), or set `a.b`."),
      "\uFF3B$(sync~spin) Opeen [{0}](command:a.open), oor seet `a.b`.\uFF3D",
    );
  });

  it("finds untranslated words, except for data and names in capitals", () => {
    const text = `${pseudoLocalized("Kernel of {0}").replace("{0}", "Sales")} is running, 8 GB of RAM`;
    assert.deepEqual(plainWords(text, noData), ["Sales", "running"]);
    assert.deepEqual(
      plainWords(text, (word) => word === "sales"),
      ["running"],
    );
  });
});
