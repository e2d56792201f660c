import assert from "node:assert/strict";
import { type MemoryLevel, nextMemoryLevel } from "../../../../src/api/resources/memory-level.ts";

describe("the level of a workspace's memory", () => {
  const levelsOf = (...shares: readonly number[]): readonly MemoryLevel[] => {
    let level: MemoryLevel = "normal";
    return shares.map((share) => {
      level = nextMemoryLevel(level, share);
      return level;
    });
  };

  it("rises at 80 and at 95 percent", () => {
    assert.deepEqual(levelsOf(0.799, 0.8, 0.949, 0.95, 1.2), ["normal", "warning", "warning", "critical", "critical"]);
    assert.deepEqual(levelsOf(0.96), ["critical"]);
  });

  it("falls only below 90 and below 75 percent, so that it doesn't alternate at a limit", () => {
    assert.deepEqual(levelsOf(0.95, 0.94, 0.95, 0.9, 0.899), [
      "critical",
      "critical",
      "critical",
      "critical",
      "warning",
    ]);
    assert.deepEqual(levelsOf(0.8, 0.79, 0.8, 0.75, 0.749, 0.79), [
      ...(["warning", "warning", "warning", "warning"] as const),
      ...(["normal", "normal"] as const),
    ]);
    assert.deepEqual(levelsOf(0.99, 0.1), ["critical", "normal"]);
    assert.deepEqual(levelsOf(0.99, 0.76), ["critical", "warning"]);
  });
});
