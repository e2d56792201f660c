import assert from "node:assert/strict";
import { constantWords, sentenceWords } from "../../../../src/ui/format/labels.ts";

describe("the platform's constants", () => {
  it("read as words", () => {
    assert.equal(constantWords("COMPLETED_WITH_WARNINGS"), "completed with warnings");
    assert.equal(sentenceWords("PAGE_ACCESS_REQUESTED"), "Page access requested");
    assert.equal(sentenceWords(""), "");
    assert.equal(sentenceWords("API"), "API");
    assert.equal(constantWords("KPI_CARD"), "KPI card");
    assert.equal(sentenceWords("RAPID"), "Rapid");
  });
});
