import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { endProcess } from "../../test/harness/end-process.ts";
import { findFiles } from "../find-files.ts";
import { projectDirectory, resultsDirectory } from "../set-up/paths.ts";
import { failure, fileNameOf, type Outcome, outcomeOf, runName } from "./outcome.ts";

const minutes = 60_000;
/**
 * Time limits of a test, and of a layer or one of its files. No test asserts a time: the limits only end what hangs, also
 * on a machine that is ten times as slow as an idle one.
 */
export const maxTestMs = 15 * minutes;
export const maxLayerMs = 45 * minutes;
export const tooLong = `it did not end within ${maxLayerMs / minutes} minutes`;
/** How long a process may take to end after its last test: if it takes longer, it left something open. */
export const patienceAfterTheEnd = 1 * minutes;
/** A process whose tests ended, but that didn't end. */
export const leftOpen = "its tests ended, but they left something running";

/** The module that sets the seed of random tests. */
export const randomSeed = "./test/harness/random-seed.ts";

interface MochaRun {
  /** Some of the layer's files, from the repository's root. */
  readonly only?: readonly string[];
  /** The name of its log in `test-results/`. */
  readonly name?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs `test/LAYER/**\/*.test.ts`, or some of these files, with mocha in a separate Node process; the output goes to
 * the console and to `test-results/LAYER.log`.
 */
export async function runMochaLayer(
  layer: string,
  mochaArguments: readonly string[],
  { only, name = runName(layer, only), environment }: MochaRun = {},
): Promise<Outcome> {
  const all = await findFiles(join(projectDirectory, "test", layer), ".test.ts");
  const files = all
    .map((file) => relative(projectDirectory, file))
    .filter((file) => only === undefined || only.includes(file));
  if (files.length === 0) return failure(layer, `there is no such test in test/${layer}/`);
  const totalsFile = await freshTotalsFile(layer);
  const log = createWriteStream(join(resultsDirectory, `${name}.log`));
  const child = spawn(
    process.execPath,
    [
      join(projectDirectory, "node_modules", "mocha", "bin", "mocha.js"),
      ...["--reporter", join(projectDirectory, "test", "harness", "totals-reporter.ts")],
      ...["--require", randomSeed],
      ...["--forbid-only", "--forbid-pending", "--timeout", String(maxTestMs)],
      ...mochaArguments,
      ...files,
    ],
    {
      cwd: projectDirectory,
      env: {
        ...process.env,
        ...environment,
        PLATFORM_WORKBENCH_TOTALS: totalsFile,
        ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}),
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  child.stdout.on("data", (chunk: Buffer) => {
    process.stdout.write(chunk);
    log.write(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    log.write(chunk);
  });

  const code = await new Promise<number | "left-open" | "time-limit">((resolve) => {
    let endedAt: number | undefined;
    const started = Date.now();
    const watch = setInterval(async () => {
      endedAt ??= (await readTotals(totalsFile)) === undefined ? undefined : Date.now();
      if (endedAt !== undefined && Date.now() - endedAt > patienceAfterTheEnd) settle("left-open");
      else if (Date.now() - started > maxLayerMs) settle("time-limit");
    }, 1000);
    const settle = (value: number | "left-open" | "time-limit"): void => {
      clearInterval(watch);
      resolve(value);
    };
    child.on("error", () => settle(-1));
    child.on("close", (exitCode) => settle(exitCode ?? -1));
  });
  if (typeof code === "string") await endProcess(child);
  await new Promise<void>((resolve) => log.end(resolve));

  const totals = await readTotals(totalsFile);
  if (code === "time-limit") return withFailure(layer, totals, tooLong);
  if (code === "left-open") return withFailure(layer, totals, leftOpen);
  return judge(layer, totals, code);
}

/** The layer's outcome from its totals and its exit code, which must be consistent. */
export function judge(layer: string, totals: Outcome | undefined, code: number): Outcome {
  if (totals === undefined) return failure(layer, `it ended (exit code ${code}) before its tests did`);
  if (totals.passed + totals.failed === 0) return failure(layer, "it ran no test");
  if (code !== 0 && totals.failed === 0)
    return withFailure(layer, totals, `exit code ${code} though every test passed`);
  return totals;
}

function withFailure(layer: string, totals: Outcome | undefined, reason: string): Outcome {
  const { failures } = failure(layer, reason);
  return {
    passed: totals?.passed ?? 0,
    failed: (totals?.failed ?? 0) + 1,
    failures: [...(totals?.failures ?? []), ...failures],
  };
}

/** An absolute path for a layer's totals. Removes the file of an earlier run. */
export async function freshTotalsFile(layer: string): Promise<string> {
  const path = join(resultsDirectory, "totals", `${fileNameOf(layer)}-${process.pid}.json`);
  await mkdir(join(resultsDirectory, "totals"), { recursive: true });
  await rm(path, { force: true });
  return path;
}

export async function readTotals(path: string): Promise<Outcome | undefined> {
  try {
    return outcomeOf(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}
