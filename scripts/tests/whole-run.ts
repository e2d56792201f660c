// Everything at once, as CI runs it: the checks and every layer in processes of their own, several at the same time, for windows
// and servers wait more than they work. What has to be installed is installed meanwhile.
import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { findFiles } from "../find-files.ts";
import { type Part, ready } from "../set-up/part.ts";
import { projectDirectory, resultsDirectory } from "../set-up/paths.ts";
import { JobQueue } from "./job-queue.ts";
import type { Layer } from "./layers.ts";
import { failure, heading, type Outcome, runName } from "./outcome.ts";

/** What a layer, or a part of it, came to. */
export interface Report {
  readonly layer: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

interface Job {
  readonly layer: string;
  readonly parts: readonly Part<unknown>[];
  /** Some of the layer's files; all of them when left out. */
  readonly files?: readonly string[];
}

/** A report of a job, which can run again. */
interface JobReport extends Report {
  readonly job: Job;
}

/**
 * How many jobs run at the same time. A window waits for most of its time, a check or a layer without windows works; two cores
 * have enough to do with two windows and one of the others, and with three windows once those have ended.
 */
const windowLanes = 1;
/** Failed jobs that run again for what that tells: the more there are, the less. */
const mostDiagnoses = 3;

/** Runs everything; the build comes first, for windows show what was built. */
export async function runEverything(layers: Readonly<Record<string, Layer>>): Promise<readonly Report[]> {
  const named = Object.entries(layers);
  // What cannot be had fails in its layer.
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
  const lanes = [...Array.from({ length: windowLanes }, () => [windows]), [others, windows]];
  const ran = [build, ...(await Promise.all(lanes.map(runLane))).flat()];
  await Promise.all(installed.values());
  await diagnose(ran);
  return ran;
}

/** Runs the few failed jobs again, alone, for whoever looks for the cause. They still count as failed. */
async function diagnose(ran: readonly JobReport[]): Promise<void> {
  const failed = ran.filter(({ outcome }) => outcome.failed > 0);
  if (failed.length > mostDiagnoses) return;
  for (const { job } of failed) {
    const name = runName(job.layer, job.files);
    heading(`${name} failed; once more and alone, for the cause`);
    const { outcome } = await runJob(job);
    const came = outcome.failed === 0 ? "passes alone: look for what it takes for granted" : "fails alone, too";
    console.log(`${name} ${came}. It counts as failed.`);
  }
}

async function jobs(name: string, layer: Layer): Promise<readonly Job[]> {
  const { parts } = layer;
  if (layer.inFiles !== true) return [{ layer: name, parts }];
  const files = await findFiles(join(projectDirectory, "test", name), ".test.ts");
  const sized = await Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })));
  // The long ones first: a long one that comes last would run alone.
  sized.sort((a, b) => b.size - a.size);
  return sized.map(({ file }) => ({ layer: name, parts, files: [relative(projectDirectory, file)] }));
}

/** Takes the jobs of its queues, one queue after the other; a queue may be shared with other lanes. */
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
