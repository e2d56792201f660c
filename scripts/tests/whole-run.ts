// Everything at once, as CI runs it: the checks, then every layer in a process of its own, several at the same time, for windows
// and servers wait more than they work.
import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { findFiles } from "../find-files.ts";
import { ready } from "../set-up/part.ts";
import { projectDirectory, resultsDirectory } from "../set-up/paths.ts";
import { type Layer, runLayer } from "./layers.ts";
import { failure, heading, type Outcome, runName } from "./outcome.ts";

/** What a layer, or a part of it, came to. */
export interface Report {
  readonly layer: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

interface Job {
  readonly layer: string;
  readonly kind: Layer["kind"];
  /** Some of the layer's files; all of them when left out. */
  readonly files?: readonly string[];
}

/** A report of a job, which can run again. */
interface JobReport extends Report {
  readonly job: Job;
}

const mostSecondRuns = 3;

/**
 * Layers that draw windows run two at a time, beside one of the others, and three at a time once those have ended: more would
 * only take the time from each other.
 */
const lanesOf = (windows: Job[], plain: Job[]): readonly (readonly Job[][])[] => [
  [windows],
  [windows],
  [plain, windows],
];

export async function runEverything(layers: Readonly<Record<string, Layer>>): Promise<readonly Report[]> {
  const reports: Report[] = [];
  const named = Object.entries(layers);
  for (const [name, layer] of named.filter(([, { kind }]) => kind === "check")) {
    heading(layer.title);
    reports.push(await timed(name, () => runLayer(layer)));
  }
  // Once, before several processes could do it at the same time; what cannot be had fails in its layer.
  for (const part of new Set(named.flatMap(([, { parts }]) => parts))) await ready(part).catch(() => {});
  const jobsOf = async (kind: Layer["kind"]): Promise<Job[]> =>
    (
      await Promise.all(named.filter(([, layer]) => layer.kind === kind).map(([name, layer]) => jobs(name, layer)))
    ).flat();
  const [windows, plain] = await Promise.all([jobsOf("window"), jobsOf("plain")]);
  const ran = await Promise.all(lanesOf(windows, plain).map(runLane));
  return [...reports, ...(await withSecondRuns(ran.flat()))];
}

/**
 * A window that shares two cores with two others may keep a person waiting for longer than a test waits. The few jobs of windows
 * that failed run once more, alone, and that counts; what failed at first is told at the end. Many failures are no accident.
 */
async function withSecondRuns(ran: readonly JobReport[]): Promise<readonly Report[]> {
  const unsteady = ran.filter(({ job, outcome }) => job.kind === "window" && outcome.failed > 0);
  if (unsteady.length > mostSecondRuns) return ran;
  const reports: Report[] = [];
  for (const report of ran) {
    reports.push(report);
    if (!unsteady.includes(report)) continue;
    heading(`${runName(report.job.layer, report.job.files)}, once more and alone`);
    const again = await timed(report.layer, () => runApart(report.job));
    const passes = again.outcome.failed === 0 ? report.outcome.failures : [];
    reports.splice(-1, 1, {
      layer: report.layer,
      outcome: { ...again.outcome, unsteady: passes },
      seconds: report.seconds + again.seconds,
    });
  }
  return reports;
}

async function jobs(name: string, layer: Layer): Promise<readonly Job[]> {
  const { kind } = layer;
  if (layer.inFiles !== true) return [{ layer: name, kind }];
  const files = await findFiles(join(projectDirectory, "test", name), ".test.ts");
  const sized = await Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })));
  // The long ones first: a long one that comes last would run alone.
  sized.sort((a, b) => b.size - a.size);
  return sized.map(({ file }) => ({ layer: name, kind, files: [relative(projectDirectory, file)] }));
}

/** Takes the jobs of its queues, one queue after the other; a queue may be shared with other lanes. */
async function runLane(queues: readonly Job[][]): Promise<readonly JobReport[]> {
  const reports: JobReport[] = [];
  for (const queue of queues) {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const next = job;
      reports.push({ ...(await timed(next.layer, () => runApart(next))), job: next });
    }
  }
  return reports;
}

/** Runs a job in a process of its own; what it printed comes when it has ended, in one piece. */
async function runApart(job: Job): Promise<Outcome> {
  const name = runName(job.layer, job.files);
  const reportFile = join(resultsDirectory, "reports", `${name}.json`);
  const printed: Buffer[] = [];
  const files = (job.files ?? []).map((file) => `--file=${file}`);
  const child = spawn(
    process.execPath,
    [...process.argv.slice(1, 2), job.layer, "--built", `--report=${reportFile}`, ...files],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
  const code = await new Promise<number>((resolve) => {
    child.on("error", () => resolve(-1));
    child.on("close", (exitCode) => resolve(exitCode ?? -1));
  });
  process.stdout.write(Buffer.concat(printed));
  try {
    const outcome: Outcome = JSON.parse(await readFile(reportFile, "utf8"));
    return outcome;
  } catch {
    return failure(name, `its process ended (exit code ${code}) without a report`);
  }
}

/** Runs a layer, and measures the time that it takes. */
export async function timed(layer: string, run: () => Promise<Outcome>): Promise<Report> {
  const started = Date.now();
  const outcome = await run();
  return { layer, outcome, seconds: (Date.now() - started) / 1000 };
}
