// Runs everything at once, as CI does: the checks and every layer in separate processes, several at the same time,
// because windows and servers mostly wait. Missing parts are installed meanwhile.
import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { findFiles } from "../find-files.ts";
import { type Part, ready } from "../set-up/part.ts";
import { projectDirectory, resultsDirectory, screenshotsVariable } from "../set-up/paths.ts";
import { JobQueue } from "./job-queue.ts";
import { cannotRun, type Layer } from "./layers.ts";
import { MochaWorker } from "./mocha-worker.ts";
import { failure, heading, type Outcome, runName } from "./outcome.ts";

/** The result of a layer, or of a part of it. */
export interface Report {
  readonly layer: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

interface Job {
  /** The name of the layer. */
  readonly layer: string;
  readonly parts: readonly Part<unknown>[];
  /** A single file of the layer, from the project's root, for a worker with these modules. Otherwise, the whole layer. */
  readonly file?: { readonly path: string; readonly modules: readonly string[] };
}

interface JobReport extends Report {
  /** Undefined for the end of a worker, which can't run again. */
  readonly job?: Job;
}

/**
 * The number of jobs at the same time, with and without windows. On average, a window uses two thirds of a core, and a job
 * without windows half of one, so on two cores, these leave little unused, also once the jobs without windows are done.
 */
const lanesOf = { windows: 3, others: 2 };
/** Maximum number of failed jobs that run again for diagnosis: with many failures, a second run says little. */
const maxDiagnoses = 3;

/** Jobs that a lane runs one after the other, with the same parts. */
type JobSeries = readonly [Job, ...Job[]];

/** Resolves when the parts of a job are installed. Rejects if one isn't available. */
type Preparation = (job: Job) => Promise<unknown>;

/** Nobody looks at the windows of a whole run. */
const environment = { [screenshotsVariable]: "off" };

/** Runs everything. Windows wait for the build, because they show its result. */
export async function runEverything(layers: Readonly<Record<string, Layer>>): Promise<readonly Report[]> {
  const named = Object.entries(layers);
  const parts = new Set(named.flatMap(([, layer]) => layer.parts));
  const installed = new Map([...parts].map((part) => [part, ready(part)] as const));
  // A part that isn't available fails in each job that needs it.
  void Promise.allSettled(installed.values());
  const prepare: Preparation = (job) => Promise.all(job.parts.map((part) => installed.get(part)));
  const build = runJob({ layer: "build", parts: [] });

  const of = async (kind: Layer["kind"]): Promise<readonly JobSeries[]> =>
    (
      await Promise.all(named.filter(([, layer]) => layer.kind === kind).map(([name, layer]) => jobs(name, layer)))
    ).flat();
  const prepareFirst = ([job]: JobSeries): Promise<unknown> => prepare(job);
  const windows = new JobQueue(await of("window"), (series) => Promise.all([build, prepareFirst(series)]));
  const others = new JobQueue(
    [...(await of("check")).filter(([{ layer }]) => layer !== "build"), ...(await of("plain"))],
    prepareFirst,
  );
  const lanes = [
    ...Array.from({ length: lanesOf.windows }, () => windows),
    ...Array.from({ length: lanesOf.others }, () => others),
  ];
  const reports = await Promise.all(lanes.map((queue, index) => runLane(queue, index + 1, prepare)));
  const ran = [await build, ...reports.flat()];
  await diagnose(ran);
  return ran;
}

/** Runs the few failed jobs again, alone, to help find the cause. They still count as failed. */
async function diagnose(ran: readonly JobReport[]): Promise<void> {
  const failed = ran.flatMap(({ job, outcome }) => (job !== undefined && outcome.failed > 0 ? [job] : []));
  if (failed.length > maxDiagnoses) return;
  for (const job of failed) {
    const name = nameOf(job);
    heading(`${name} failed; running it again, alone, to find the cause`);
    const { outcome } = await runJob(job);
    const came = outcome.failed === 0 ? "passes alone: look for something that it depends on" : "fails alone, too";
    console.log(`${name} ${came}. It counts as failed.`);
  }
}

async function jobs(name: string, { parts, workerModules: modules }: Layer): Promise<readonly JobSeries[]> {
  if (modules === undefined) return [[{ layer: name, parts }]];
  const directory = join(projectDirectory, "test", name);
  const paths = await findFiles(directory, ".test.ts");
  const sized = await Promise.all(paths.map(async (path) => ({ path, size: (await stat(path)).size })));
  // The files of a folder below share something.
  const shared = Map.groupBy(sized, ({ path }) => (dirname(path) === directory ? path : dirname(path)));
  const sizeOf = (files: typeof sized): number => files.reduce((sum, { size }) => sum + size, 0);
  // The largest first, so that the lanes end at the same time.
  return [...shared.values()]
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .flatMap((files) => {
      const [first, ...others] = files.map(
        ({ path }): Job => ({ layer: name, parts, file: { path: relative(projectDirectory, path), modules } }),
      );
      return first === undefined ? [] : [[first, ...others]];
    });
}

/** Runs the jobs of a queue, which lanes may share. */
async function runLane(
  queue: JobQueue<JobSeries>,
  number: number,
  prepare: Preparation,
): Promise<readonly JobReport[]> {
  const reports: JobReport[] = [];
  const workers = new Map<string, MochaWorker>();
  const run = async (job: Job): Promise<JobReport> => {
    const { layer, file } = job;
    if (file === undefined) return runJob(job);
    const name = `${layer}-lane-${number}`;
    const worker =
      workers.get(layer) ??
      new MochaWorker({ name, modules: file.modules, logFile: join(resultsDirectory, `${name}.log`), environment });
    workers.set(layer, worker);
    const runFile = (): Promise<Outcome> => worker.run(join(projectDirectory, file.path));
    const cannot = (error: unknown): Outcome => cannotRun(file.path, error);
    return { ...(await timed(layer, () => prepare(job).then(runFile).catch(cannot))), job };
  };
  for (let series = await queue.next(); series !== undefined; series = await queue.next()) {
    for (const job of series) reports.push(await run(job));
  }
  for (const [layer, worker] of workers) {
    reports.push(await timed(layer, () => worker.end()));
  }
  return reports;
}

async function runJob(job: Job): Promise<JobReport> {
  return { ...(await timed(job.layer, () => runApart(job))), job };
}

/** Runs a job in a separate process; prints its output as a whole after it has ended. */
async function runApart(job: Job): Promise<Outcome> {
  const name = nameOf(job);
  const reportFile = join(resultsDirectory, "reports", `${name}.json`);
  const printed: Buffer[] = [];
  const files = job.file === undefined ? [] : [`--file=${job.file.path}`];
  const child = spawn(
    process.execPath,
    [...process.argv.slice(1, 2), job.layer, "--built", `--report=${reportFile}`, ...files],
    { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } },
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

function nameOf({ layer, file }: Job): string {
  return runName(layer, file === undefined ? [] : [file.path]);
}

/** Runs a layer and measures its duration. */
export async function timed(layer: string, run: () => Promise<Outcome>): Promise<Report> {
  const started = Date.now();
  const outcome = await run();
  return { layer, outcome, seconds: (Date.now() - started) / 1000 };
}
