import { type ChildProcess, spawn } from "node:child_process";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endProcess } from "../../test/harness/end-process.ts";
import type { FileRequest } from "../../test/harness/mocha-worker.ts";
import { projectDirectory } from "../set-up/paths.ts";
import { judge, leftOpen, longestLayer, longestTest, patienceAfterTheEnd, tooLong } from "./mocha-layer.ts";
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
  readonly ended: Promise<Ended>;
}

interface Answer {
  readonly kind: "totals";
  /** Undefined if the message isn't an outcome. */
  readonly totals: Outcome | undefined;
}

interface Ended {
  readonly kind: "ended";
  /** -1 if the process did not start, or was ended by a signal. */
  readonly exitCode: number;
}

const program = join(projectDirectory, "test", "harness", "mocha-worker.ts");

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

  /** Runs a file, given by its absolute path, and prints its output. */
  async run(file: string): Promise<Outcome> {
    this.#process ??= await this.#start();
    const { child, log, ended } = this.#process;
    const request: FileRequest = { file };
    const answered = new Promise<unknown>((resolve) => child.once("message", resolve));
    if (child.connected) child.send(request);
    const totals = answered.then((value): Answer => ({ kind: "totals", totals: outcomeOf(value) }));
    const end = await within<Answer | Ended>(longestLayer, [totals, ended]);
    if (end.kind === "late") await endProcess(child);
    const title = relative(projectDirectory, file);
    heading(title);
    await this.#print(log);
    if (end.kind === "totals") return judge(title, end.totals, end.totals?.failed === 0 ? 0 : 1);
    this.#process = undefined;
    await log.close();
    return end.kind === "late" ? failure(title, tooLong) : judge(title, undefined, end.exitCode);
  }

  /** Ends the process. It fails if it left something open or ended with an error; otherwise, the outcome is empty. */
  async end(): Promise<Outcome> {
    if (this.#process === undefined) return sumOf([]);
    const { name, patience = patienceAfterTheEnd } = this.#options;
    const { child, log, ended } = this.#process;
    if (child.connected) child.disconnect();
    const end = await within(patience, [ended]);
    if (end.kind === "late") await endProcess(child);
    await this.#print(log);
    this.#process = undefined;
    await log.close();
    if (end.kind === "late") return failure(name, leftOpen);
    return end.exitCode === 0 ? sumOf([]) : failure(name, `its process ended with exit code ${end.exitCode}`);
  }

  async #start(): Promise<WorkerProcess> {
    const { modules, logFile, environment } = this.#options;
    await mkdir(dirname(logFile), { recursive: true });
    const log = await open(logFile, "a+");
    // A file, not a pipe: what a test file printed is there when its totals arrive.
    const child = spawn(process.execPath, [program, String(longestTest), ...modules], {
      cwd: projectDirectory,
      env: { ...process.env, ...environment },
      stdio: ["ignore", log.fd, log.fd, "ipc"],
    });
    const ended = new Promise<Ended>((resolve) => {
      const settle = (code: number | null): void => resolve({ kind: "ended", exitCode: code ?? -1 });
      child.on("error", () => settle(-1));
      child.on("exit", settle);
    });
    return { child, log, ended };
  }

  async #print(log: FileHandle): Promise<void> {
    const { size } = await log.stat();
    const length = size - this.#printed;
    const { buffer } = await log.read(Buffer.alloc(length), 0, length, this.#printed);
    this.#printed = size;
    process.stdout.write(buffer);
  }
}

/** The first event, or `late` after this many milliseconds. */
async function within<Event>(
  milliseconds: number,
  events: readonly Promise<Event>[],
): Promise<Event | { readonly kind: "late" }> {
  const limit = new AbortController();
  const late = delay(milliseconds, { kind: "late" } as const, { signal: limit.signal });
  late.catch(() => {});
  try {
    return await Promise.race([...events, late]);
  } finally {
    limit.abort();
  }
}
