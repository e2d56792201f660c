import { type ChildProcess, spawn } from "node:child_process";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endProcess } from "../../test/harness/end-process.ts";
import type { WorkerRequest, WorkerResponse } from "../../test/harness/mocha-worker.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { judge, leftOpen, maxLayerMs, maxTestMs, patienceAfterTheEnd, tooLong } from "./mocha-layer.ts";
import { failure, heading, type Outcome, outcomeOf, sumOf } from "./outcome.ts";

export interface MochaWorkerOptions {
  readonly name: string;
  /** Absolute paths of modules that it loads first. Their root hooks run once, around all of its files. */
  readonly modules: readonly string[];
  /** The absolute path of the file for its output. */
  readonly logFile: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Milliseconds that its process may take to end. */
  readonly patience?: number;
}

interface WorkerProcess {
  readonly child: ChildProcess;
  /** What it prints. */
  readonly log: FileHandle;
  readonly exited: Promise<Exit>;
  /** The last file that it ran, from the project's root; empty if it ran none. */
  lastFile: string;
}

interface Exit {
  readonly kind: "exit";
  /** -1 if the process did not start, or was ended by a signal. */
  readonly code: number;
}

const program = join(projectDirectory, "test", "harness", "mocha-worker.ts");
const nothing = sumOf([]);

/**
 * Runs test files with mocha, one after the other, in one process, so that what they share, such as an editor, starts
 * once. If the process ends, the next file starts another one.
 */
export class MochaWorker {
  readonly #options: MochaWorkerOptions;
  #process: WorkerProcess | undefined;
  /** Bytes of the log. */
  #printed = 0;

  constructor(options: MochaWorkerOptions) {
    this.#options = options;
  }

  /** Runs a file, given by its absolute path, and prints its output. Also fails if the process ended after the last one. */
  async run(file: string): Promise<Outcome> {
    const lost = await this.#reportLost();
    this.#process ??= await this.#start();
    const current = this.#process;
    const title = relative(projectDirectory, file);
    const end = await within<WorkerResponse | Exit>(maxLayerMs, [ask(current, { kind: "run", file }), current.exited]);
    current.lastFile = title;
    await this.#print(title);
    if (end.kind === "totals") {
      const totals = outcomeOf(end.totals);
      return sumOf([lost, judge(title, totals, totals?.failed === 0 ? 0 : 1)]);
    }
    await this.#drop(current);
    return sumOf([lost, end.kind === "exit" ? judge(title, undefined, end.code) : failure(title, tooLong)]);
  }

  /** Ends the process. It fails if it left something open or ended with an error; otherwise, the outcome is empty. */
  async end(): Promise<Outcome> {
    const lost = await this.#reportLost();
    const current = this.#process;
    if (current === undefined) return lost;
    const { name, patience = patienceAfterTheEnd } = this.#options;
    // The root hooks may take as long as they need.
    const ending = await within<WorkerResponse | Exit>(maxLayerMs, [ask(current, { kind: "end" }), current.exited]);
    const end = ending.kind === "ended" ? await within(patience, [current.exited]) : ending;
    await this.#print(name);
    await this.#drop(current);
    if (end.kind !== "exit") return failure(name, leftOpen);
    return end.code === 0 ? nothing : failure(name, `its process ended with exit code ${end.code}`);
  }

  /** A failure if the process has ended since the last file; otherwise, nothing. */
  async #reportLost(): Promise<Outcome> {
    const current = this.#process;
    if (current === undefined || !hasExited(current.child)) return nothing;
    const { name } = this.#options;
    const { code } = await current.exited;
    await this.#print(name);
    await this.#drop(current);
    return failure(name, `its process ended (exit code ${code}) after ${current.lastFile}`);
  }

  /** Ends the process if it is still running. */
  async #drop({ child, log }: WorkerProcess): Promise<void> {
    this.#process = undefined;
    await endProcess(child);
    await log.close();
  }

  async #start(): Promise<WorkerProcess> {
    const { modules, logFile, environment } = this.#options;
    await mkdir(dirname(logFile), { recursive: true });
    const log = await open(logFile, "a+");
    // A file, not a pipe: what a test file printed is there when its totals arrive.
    const child = spawn(process.execPath, [program, String(maxTestMs), ...modules], {
      cwd: projectDirectory,
      env: { ...process.env, ...environment },
      stdio: ["ignore", log.fd, log.fd, "ipc"],
    });
    const exited = new Promise<Exit>((resolve) => {
      const settle = (code: number | null): void => resolve({ kind: "exit", code: code ?? -1 });
      child.on("error", () => settle(-1));
      child.on("exit", settle);
    });
    return { child, log, exited, lastFile: "" };
  }

  /** Prints what is new in the log, below a heading. */
  async #print(title: string): Promise<void> {
    if (this.#process === undefined) return;
    const { log } = this.#process;
    const length = (await log.stat()).size - this.#printed;
    const { buffer } = await log.read(Buffer.alloc(length), 0, length, this.#printed);
    this.#printed += length;
    if (length > 0) heading(title);
    process.stdout.write(buffer);
  }
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The answer to a request. There is none if the process ends first. */
function ask({ child }: WorkerProcess, request: WorkerRequest): Promise<WorkerResponse> {
  const responded = new Promise<WorkerResponse>((resolve) => child.once("message", resolve));
  // If the process has just ended, its exit is the answer.
  if (child.connected) child.send(request, () => {});
  return responded;
}

/** The first value, or `late` after this many milliseconds. */
async function within<Value>(
  milliseconds: number,
  events: readonly Promise<Value>[],
): Promise<Value | { readonly kind: "late" }> {
  const limit = new AbortController();
  const late = delay(milliseconds, { kind: "late" } as const, { signal: limit.signal });
  late.catch(() => {});
  try {
    return await Promise.race([...events, late]);
  } finally {
    limit.abort();
  }
}
