import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { projectDirectory } from "../set-up/paths.ts";

/**
 * The seed of all random tests of a run: the one in PLATFORM_WORKBENCH_SEED, else in CI one from the commit's files, so that
 * a run of a commit can be repeated, else a new one.
 */
export const randomSeed: number = Number(
  process.env.PLATFORM_WORKBENCH_SEED ?? (process.env.CI === undefined ? randomInt(2 ** 31) : seedOfFiles()),
);

function seedOfFiles(): number {
  try {
    const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { cwd: projectDirectory, encoding: "utf8" });
    return Number.parseInt(tree.slice(0, 7), 16);
  } catch {
    // Without git, each run tries something new.
    return randomInt(2 ** 31);
  }
}
