import assert from "node:assert/strict";
import { constantWords, sentenceWords } from "../../../../src/ui/format/labels.ts";

describe("the platform's constants", () => {
  const english = (text: string): string => text;

  it("read as words", () => {
    assert.equal(constantWords("COMPLETED_WITH_WARNINGS", english), "completed with warnings");
    assert.equal(sentenceWords("PAGE_ACCESS_REQUESTED", english), "Page access requested");
    assert.equal(sentenceWords("", english), "");
    assert.equal(sentenceWords("API", english), "API");
    assert.equal(constantWords("KPI_CARD", english), "KPI card");
    assert.equal(sentenceWords("RAPID", english), "Rapid");
  });

  it("are translated as a whole", () => {
    const german = new Map([["completed with warnings", "mit Warnungen beendet"]]);
    const translate = (text: string): string => german.get(text) ?? text;
    assert.equal(sentenceWords("COMPLETED_WITH_WARNINGS", translate), "Mit Warnungen beendet");
    assert.equal(sentenceWords("UNKNOWN_TO_US", translate), "Unknown to us");
  });
});
