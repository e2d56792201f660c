import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import fc from "fast-check";

/**
 * The seed of all random tests: from PLATFORM_WORKBENCH_SEED; otherwise, in CI, derived from the commit's files, so
 * that a run can be repeated; otherwise, a new one.
 */
export const randomSeed = Number(
  process.env.PLATFORM_WORKBENCH_SEED ??
    (process.env.CI === undefined ? undefined : seedOfFiles()) ??
    randomInt(2 ** 31),
);

// Otherwise texts and lists have 10 characters or items at most, also where a test gives a greater maximum.
fc.configureGlobal({ seed: randomSeed, defaultSizeToMaxWhenMaxSpecified: true });

/** Undefined if the files are not in git. */
function seedOfFiles(): number | undefined {
  try {
    const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { cwd: import.meta.dirname, encoding: "utf8" });
    return Number.parseInt(tree.slice(0, 7), 16);
  } catch {
    return undefined;
  }
}
