// The moments at which a connection breaks: the running cells, their progress, and what the kernel does meanwhile.

export interface Moment {
  readonly name: string;
  /** Python code of the cells that run together, after a prelude with `gate`, `mark`, and `lines`. */
  readonly codes: readonly string[];
  /** The output of each of them. */
  readonly expected: readonly string[];
  /** True if the cells are run only after the connection is gone. */
  readonly isRunWhileAway: boolean;
  /** The file that shows the progress of the cells before the connection breaks, and the output up to then. */
  readonly reached: { readonly mark: string; readonly text: string } | undefined;
  readonly asksForInput: boolean;
  /** The gate that opens while no client is connected, and the mark that shows the effect. */
  readonly away: { readonly gate: string; readonly mark: string; readonly isEnd: boolean } | undefined;
  /** The gate that opens when the connection is restored. */
  readonly back: string | undefined;
}

const floodLines = 400;
const floodWidth = 10_000;

const nothing = { isRunWhileAway: false, asksForInput: false, away: undefined, back: undefined, reached: undefined };

export const moments: readonly Moment[] = [
  {
    ...nothing,
    name: "before sending",
    codes: ["lines(0, 5)"],
    expected: [numbered(0, 5)],
    isRunWhileAway: true,
  },
  {
    ...nothing,
    name: "queued",
    codes: ["lines(0, 1)\ngate('a')", "lines(1, 2)\nmark('done')"],
    expected: [numbered(0, 1), numbered(1, 2)],
    reached: { mark: "a", text: numbered(0, 1) },
    away: { gate: "a", mark: "done", isEnd: true },
  },
  {
    ...nothing,
    name: "running with output",
    codes: ["lines(0, 5)\ngate('a')\nlines(5, 10)\ngate('b')\nlines(10, 15)"],
    expected: [numbered(0, 15)],
    reached: { mark: "a", text: numbered(0, 5) },
    away: { gate: "a", mark: "b", isEnd: false },
    back: "b",
  },
  {
    ...nothing,
    name: "waiting for input",
    codes: ["lines(0, 1)\nprint('Hello ' + input('Name? '))"],
    expected: [`${numbered(0, 1)}Hello Ada\n`],
    asksForInput: true,
  },
  {
    ...nothing,
    name: "finished while disconnected",
    codes: ["lines(0, 5)\ngate('a')\nlines(5, 10)\nmark('done')"],
    expected: [numbered(0, 10)],
    reached: { mark: "a", text: numbered(0, 5) },
    away: { gate: "a", mark: "done", isEnd: true },
  },
  {
    ...nothing,
    name: "flood while disconnected",
    codes: [
      `lines(0, 1)\ngate('a')\nfor i in range(${floodLines}): print(str(i) + 'x' * ${floodWidth}, flush=True)\nmark('done')`,
    ],
    expected: [
      numbered(0, 1) + Array.from({ length: floodLines }, (_, i) => `${i}${"x".repeat(floodWidth)}\n`).join(""),
    ],
    reached: { mark: "a", text: numbered(0, 1) },
    away: { gate: "a", mark: "done", isEnd: true },
  },
];

function numbered(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join("");
}

/** The name of the file that gets one character each time the cell runs. */
export function runsFile(prefix: string, index: number): string {
  return `${prefix}-runs-${index}`;
}

export function markFile(prefix: string, mark: string): string {
  return `${prefix}-${mark}`;
}

export function gateFile(prefix: string, gate: string): string {
  return `${prefix}-${gate}-open`;
}

/** A cell's complete code. Marks and gates are files next to the notebook, whose names begin with `prefix`. */
export function codeOf(code: string, prefix: string, index: number): string {
  return `
import os, time
def mark(name):
    open('${prefix}-' + name, 'w').close()
def gate(name):
    mark(name)
    while not os.path.exists('${prefix}-' + name + '-open'):
        time.sleep(0.02)
def lines(start, end):
    for i in range(start, end):
        print('line', i, flush=True)
with open('${runsFile(prefix, index)}', 'a') as runs:
    runs.write('1')
${code}
`;
}
