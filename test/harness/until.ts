import { setTimeout as delay } from "node:timers/promises";

/** Waits until a condition is true. After 120 seconds, fails with a description of the condition. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const limit = performance.now() + 120_000; !(await isSo()); await delay(10)) {
    if (performance.now() > limit) throw new Error(`timed out waiting until ${what}`);
  }
}
