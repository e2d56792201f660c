import assert from "node:assert/strict";
import { PromptAcknowledgments } from "../../../../src/api/http/prompt-acknowledgments.ts";

describe("prompt acknowledgments", () => {
  const taken = (acknowledgments: PromptAcknowledgments, count: number, now: number): number =>
    Array.from({ length: count }, () => acknowledgments.take(now)).filter(Boolean).length;

  it("are bounded for each second", () => {
    const acknowledgments = new PromptAcknowledgments(() => true);
    assert.equal(taken(acknowledgments, 150, 5000), 150);
    assert.equal(taken(acknowledgments, 150, 5999), 50);
    assert.equal(taken(acknowledgments, 1000, 6000), 200);
  });

  it("are not used up by data that nobody awaits", () => {
    let isAwaited = false;
    const acknowledgments = new PromptAcknowledgments(() => isAwaited);
    assert.equal(taken(acknowledgments, 1000, 0), 0);
    isAwaited = true;
    assert.equal(taken(acknowledgments, 1000, 0), 200);
  });
});
