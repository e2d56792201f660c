import { attachProgram } from "../../src/api/companion/attach.ts";
import { openFrame, readFramePage } from "../../src/api/companion/operations/frames.ts";
import { listVariables } from "../../src/api/companion/operations/variables.ts";
import { KernelDebugger } from "../../src/api/debugging/kernel-debugger.ts";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import { Editor } from "../kernels/debugging/editor.ts";
import { Cell, type KernelRig, run, startRig } from "../kernels/rig.ts";
import { median } from "./statistics.ts";

/** What it takes to look into a kernel. Milliseconds, medians. `plain` is the plain way in the same run. */
export interface LookFigures {
  /**
   * The first page of 10,000 variables, of which a third each are lists, numbers, and texts. Plain: a cell with `%whos`,
   * which prints all of them.
   */
  readonly variables: {
    readonly firstPage: number;
    /** With a filter that fits ten of them. */
    readonly filtered: number;
    /** What the program's hooks add to each cell, from their start to their end. */
    readonly cell: { readonly with: number; readonly without: number };
    readonly plain: number;
  };
  /**
   * The first page, and one in the middle, of a frame with 10,000,000 rows and 50 columns: 100 rows of 20 columns. Plain: a cell
   * that prints the same part as CSV.
   */
  readonly frame: { readonly firstPage: number; readonly scrolled: number; readonly plain: number };
  /** A step over one line of a cell, until the session reports the stop. Plain: the same on the bare control channel. */
  readonly step: { readonly session: number; readonly plain: number };
}

const rounds = 9;
const names = "globals().update({f'name_{n:05}': ([n] * 10, n, 'text of ' + str(n))[n % 3] for n in range(10_000)})";
const frame = [
  "import numpy as np, pandas as pd",
  "random = np.random.default_rng(1)",
  "df = pd.DataFrame({f'c{n}': random.integers(0, 1000, 10_000_000, dtype='int16') for n in range(50)}, copy=False)",
].join("\n");
const page = { filter: "", sort: "name" as const, includesAll: false, offset: 0, count: 200 };

/** Measures the looks into a kernel on a real Jupyter Server. */
export async function measureLook(say: (line: string) => void): Promise<LookFigures> {
  const rig = await startRig();
  try {
    say("10,000 variables");
    const variables = await measureVariables(rig);
    say("a frame with 10,000,000 rows");
    const frame = await measureFrame(rig);
    say("steps in the debugger");
    return { variables, frame, step: await measureStep() };
  } finally {
    await rig.stop();
  }
}

async function measureStep(): Promise<LookFigures["step"]> {
  const rig = await startRig([], { debugger: true });
  try {
    const connection = await rig.connect(await rig.startKernel());
    const code = Array.from({ length: 3 * rounds }, (_, n) => `x = ${n}`).join("\n");
    const editor = new Editor(connection, { one: code });
    await editor.start({ one: [{ line: 1 }] });
    const first = editor.stopped();
    await connection.execute([new Cell(code).request()]);
    await first;
    const session = await repeated(async () => {
      const stop = editor.stopped();
      await editor.body("next", { threadId: 1 });
      await stop;
    });
    return { session, plain: await measurePlainSteps(connection, editor) };
  } finally {
    await rig.stop();
  }
}

async function measurePlainSteps(connection: KernelConnection, editor: Editor): Promise<number> {
  const bare = new KernelDebugger(connection);
  const times: number[] = [];
  for (let nth = 0; nth < rounds; nth += 1) {
    const stop = Promise.withResolvers<void>();
    const listener = bare.onEvent(({ event }) => (event === "stopped" ? stop.resolve() : undefined));
    // The session looks at the stop, too. The next step must not meet its requests.
    const seen = editor.stopped();
    const started = performance.now();
    await bare.ask("next", { threadId: 1 });
    await stop.promise;
    times.push(performance.now() - started);
    listener.dispose();
    await seen;
  }
  return median(times);
}

async function measureVariables(rig: KernelRig): Promise<LookFigures["variables"]> {
  const connection = await rig.connect(await rig.startKernel());
  await run(connection, names);
  const cell = (): Promise<number> => repeated(() => run(connection, "pass"));
  const without = await cell();
  const plain = await repeated(() => run(connection, "%whos"));
  const program = await attachProgram(connection);
  const firstPage = await repeated(() => program.request(listVariables, page));
  const filtered = await repeated(() => program.request(listVariables, { ...page, filter: "_0123" }));
  return { firstPage, filtered, cell: { with: await cell(), without }, plain };
}

async function measureFrame(rig: KernelRig): Promise<LookFigures["frame"]> {
  const connection = await rig.connect(await rig.startKernel());
  await run(connection, frame);
  const plain = await repeated(() => run(connection, "print(df.iloc[5_000_000:5_000_100, :20].to_csv())"));
  const program = await attachProgram(connection);
  const view = { filters: [], sorting: [], search: "" };
  const open = () => program.request(openFrame, { expression: "df", view });
  const read = (id: string, start: number) =>
    program.request(readFramePage, { id, view, start, stop: start + 100, firstColumn: 0, lastColumn: 20 });
  const firstPage = await repeated(async () => read((await open()).id, 0));
  const { id } = await open();
  let start = 0;
  const scrolled = await repeated(() => {
    start += 1_000_000;
    return read(id, start);
  });
  return { firstPage, scrolled, plain };
}

async function repeated(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < rounds; nth += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}
