// Runs everything at once, as CI does: the checks and every layer in separate processes, several at the same time,
// because windows and servers mostly wait. Missing parts are installed meanwhile.
import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { findFiles } from "../find-files.ts";
import { type Part, ready } from "../set-up/part.ts";
import { projectDirectory, resultsDirectory, screenshotsVariable } from "../set-up/paths.ts";
import { JobQueue } from "./job-queue.ts";
import type { Layer } from "./layers.ts";
import { failure, heading, type Outcome, runName } from "./outcome.ts";

/** The result of a layer, or of a part of it. */
export interface Report {
  readonly layer: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

interface Job {
  readonly layer: string;
  readonly parts: readonly Part<unknown>[];
  /** Some of the layer's files; all by default. */
  readonly files?: readonly string[];
}

/** A report of a job, which can run again. */
interface JobReport extends Report {
  readonly job: Job;
}

/**
 * The number of windows at the same time once the other jobs are done. A window uses two thirds of a core on average, and
 * a job without windows half of one, so on two cores, two windows and two other jobs, or three windows, leave little unused.
 */
const windowLanes = 3;
/** Maximum number of failed jobs that run again for diagnosis: with many failures, a second run says little. */
const mostDiagnoses = 3;

/** Runs everything. The build comes first, because windows show its result. */
export async function runEverything(layers: Readonly<Record<string, Layer>>): Promise<readonly Report[]> {
  const named = Object.entries(layers);
  // A part that isn't available fails in its layer.
  const parts = new Set(named.flatMap(([, layer]) => layer.parts));
  const installed = new Map([...parts].map((part) => [part, ready(part).catch(() => undefined)] as const));
  const isReady = (job: Job): Promise<unknown> => Promise.all(job.parts.map((part) => installed.get(part)));
  const build = await runJob({ layer: "build", parts: [] });

  const of = async (kind: Layer["kind"]): Promise<readonly Job[]> =>
    (
      await Promise.all(named.filter(([, layer]) => layer.kind === kind).map(([name, layer]) => jobs(name, layer)))
    ).flat();
  const windows = new JobQueue(await of("window"), isReady);
  const others = new JobQueue(
    [...(await of("check")).filter(({ layer }) => layer !== "build"), ...(await of("plain"))],
    isReady,
  );
  const lanes = [...Array.from({ length: windowLanes - 1 }, () => [windows]), [others, windows], [others]];
  const ran = [build, ...(await Promise.all(lanes.map(runLane))).flat()];
  await Promise.all(installed.values());
  await diagnose(ran);
  return ran;
}

/** Runs the few failed jobs again, alone, to help find the cause. They still count as failed. */
async function diagnose(ran: readonly JobReport[]): Promise<void> {
  const failed = ran.filter(({ outcome }) => outcome.failed > 0);
  if (failed.length > mostDiagnoses) return;
  for (const { job } of failed) {
    const name = runName(job.layer, job.files);
    heading(`${name} failed; running it again, alone, to find the cause`);
    const { outcome } = await runJob(job);
    const came = outcome.failed === 0 ? "passes alone: look for something that it depends on" : "fails alone, too";
    console.log(`${name} ${came}. It counts as failed.`);
  }
}

async function jobs(name: string, layer: Layer): Promise<readonly Job[]> {
  const { parts } = layer;
  if (layer.inFiles !== true) return [{ layer: name, parts }];
  const files = await findFiles(join(projectDirectory, "test", name), ".test.ts");
  const sized = await Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })));
  return groupsOf(sized, windowLanes).map((group) => ({
    layer: name,
    parts,
    files: group.map(({ file }) => relative(projectDirectory, file)),
  }));
}

/**
 * Groups of files that run in one process, largest first. Each group is four fifths of what remains for each of the
 * lanes. Large groups start fewer processes and editors, and the small groups at the end let the lanes end at the same
 * time.
 */
export function groupsOf<File extends { readonly size: number }>(
  files: readonly File[],
  lanes: number,
): readonly (readonly File[])[] {
  const waiting = files.toSorted((a, b) => b.size - a.size);
  const groups: File[][] = [];
  while (waiting.length > 0) {
    const left = waiting.reduce((sum, { size }) => sum + size, 0);
    const group: File[] = [];
    for (let size = 0; size < (4 * left) / (5 * lanes); ) {
      const next = waiting.shift();
      if (next === undefined) break;
      group.push(next);
      size += next.size;
    }
    groups.push(group);
  }
  return groups;
}

/** Runs the jobs of its queues, one queue after the other; several lanes may share a queue. */
async function runLane(queues: readonly JobQueue<Job>[]): Promise<readonly JobReport[]> {
  const reports: JobReport[] = [];
  for (const queue of queues) {
    for (let job = await queue.next(); job !== undefined; job = await queue.next()) reports.push(await runJob(job));
  }
  return reports;
}

async function runJob(job: Job): Promise<JobReport> {
  return { ...(await timed(job.layer, () => runApart(job))), job };
}

/** Runs a job in a separate process; prints its output as a whole after it has ended. */
async function runApart(job: Job): Promise<Outcome> {
  const name = runName(job.layer, job.files);
  const reportFile = join(resultsDirectory, "reports", `${name}.json`);
  const printed: Buffer[] = [];
  const files = (job.files ?? []).map((file) => `--file=${file}`);
  const child = spawn(
    process.execPath,
    [...process.argv.slice(1, 2), job.layer, "--built", `--report=${reportFile}`, ...files],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, [screenshotsVariable]: "off" } },
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

/** Runs a layer and measures its duration. */
export async function timed(layer: string, run: () => Promise<Outcome>): Promise<Report> {
  const started = Date.now();
  const outcome = await run();
  return { layer, outcome, seconds: (Date.now() - started) / 1000 };
}
