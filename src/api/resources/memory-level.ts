/** How full the memory of a workspace is. */
export type MemoryLevel = "normal" | "warning" | "critical";

/** Shares of the limit at which a level begins, and below which it ends, so that it doesn't change all the time. */
const levels = [
  { level: "critical", begins: 0.95, ends: 0.9 },
  { level: "warning", begins: 0.8, ends: 0.75 },
] as const;

/** The level that follows the one before, for a share of the limit. */
export function nextMemoryLevel(before: MemoryLevel, share: number): MemoryLevel {
  for (const { level, begins, ends } of levels) {
    const isAtLeast = before === "critical" || before === level;
    if (share >= (isAtLeast ? ends : begins)) {
      return level;
    }
  }
  return "normal";
}
