import assert from "node:assert/strict";
import fc from "fast-check";
import { executionLook, struckThrough, timerOf, triggerState } from "../../../../src/features/workflows/words.ts";
import { english as translate } from "../../ui/translate.ts";

describe("labels of workflows", () => {
  // Proves 3: COMPLETED, IN_PROGRESS, CANCELLED, and FAILED
  it("show every state of an execution with an icon and a word, including unknown ones", () => {
    const looks = ["COMPLETED", "FAILED", "CANCELLED", "CANCELED", "IN_PROGRESS", "NOT_STARTED", null].map((status) =>
      executionLook(status, translate),
    );
    assert.deepEqual(
      looks.map(({ word }) => word),
      ["Completed", "Failed", "Canceled", "Canceled", "In Progress", "Not Started", "Not Started"],
    );
    assert.equal(new Set(looks.map(({ icon }) => icon)).size, 5);
    assert.deepEqual(executionLook("WAITING_FOR_RAIN", translate), {
      icon: "question",
      color: undefined,
      word: "Waiting for rain",
    });
  });

  it("identify a trigger that was deleted, or that doesn't start anything", () => {
    assert.equal(triggerState({ deletedAt: null, active: true }), "active");
    assert.equal(triggerState({ deletedAt: undefined, active: false }), "inactive");
    assert.equal(triggerState({ deletedAt: 1_763_484_125_000, active: false }), "deleted");
    assert.equal(triggerState({ deletedAt: "2025-11-02T09:12:44Z", active: true }), "deleted");
  });

  it("strike through text without separating letters from their accents", () => {
    assert.equal(struckThrough("Old"), "O\u0336l\u0336d\u0336");
    assert.equal(struckThrough("e\u0301"), "e\u0301\u0336");
    fc.assert(
      fc.property(
        fc.string(),
        (text) => struckThrough(text).replaceAll("\u0336", "") === text.replaceAll("\u0336", ""),
      ),
    );
  });

  it("describe a timer by its cron expression and zone", () => {
    assert.deepEqual(timerOf({ metadata: { type: "TIMER", cron: "0 0 7 ? * *", timeZone: "UTC" } }), {
      cron: "0 0 7 ? * *",
      timeZone: "UTC",
    });
    assert.equal(timerOf({ metadata: { type: "MANUAL" } }), undefined);
  });
});
