import { attachProgram } from "../../src/api/companion/attach.ts";
import { listVariables } from "../../src/api/companion/operations/variables.ts";
import { type KernelRig, run, startRig } from "../kernels/rig.ts";
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
}

const rounds = 9;
const names = "globals().update({f'name_{n:05}': ([n] * 10, n, 'text of ' + str(n))[n % 3] for n in range(10_000)})";
const page = { filter: "", sort: "name" as const, includesAll: false, offset: 0, count: 200 };

/** Measures the looks into a kernel on a real Jupyter Server. */
export async function measureLook(say: (line: string) => void): Promise<LookFigures> {
  const rig = await startRig();
  try {
    say("10,000 variables");
    return { variables: await measureVariables(rig) };
  } finally {
    await rig.stop();
  }
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

async function repeated(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < rounds; nth += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}
