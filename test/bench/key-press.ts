import { writeFile } from "node:fs/promises";
import { constants, loadavg, setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { openJupyterWindow, pythonNotebook } from "../ui/jupyter-window.ts";
import { openWorkspaceFolder } from "../ui/tenant-window.ts";

/** Milliseconds from a key press in a text editor to the frame that shows it, while a cell next to it prints 50 MB. */
export interface KeyPressFigures {
  readonly median: number;
  /** 95 of 100 key presses were shown within this time. */
  readonly max: number;
  readonly longest: number;
  readonly presses: number;
  /** The same in the same window while the cell runs and prints nothing. */
  readonly quiet: Pick<KeyPressFigures, "median" | "max">;
  /** The average number of programs that needed a processor during the last minute, at the end. */
  readonly load: number;
}

const floods = 3;
/** The output begins when the file `go` exists. */
const flood = [
  "import os, time",
  "while not os.path.exists('go'): time.sleep(0.02)",
  "os.remove('go')",
  "for i in range(5000): print('x' * 9_999)",
].join("\n");
/** Milliseconds between two key presses of a fast typist. */
const cadence = 80;
/** Number of key presses before each flood. */
const quietPresses = 25;
/** If a flood lasts longer, its cell has failed. */
const maxPresses = 3000;

/**
 * Runs in the window: measures each key press until the active text editor has been drawn again. A message that is
 * posted while a frame is drawn arrives after it. A key that is pressed before the last one was drawn counts together
 * with that one.
 */
const takeTimes = `(() => {
  const times = [];
  globalThis.keyPressTimes = times;
  let pressed;
  const channel = new MessageChannel();
  channel.port1.onmessage = ({ data }) => times.push(performance.now() - data);
  document.addEventListener("keydown", ({ timeStamp }) => { pressed ??= timeStamp; }, true);
  const lines = document.querySelector(".editor-group-container.active .editor-instance .view-lines");
  new MutationObserver(() => {
    if (pressed !== undefined) channel.port2.postMessage(pressed);
    pressed = undefined;
  }).observe(lines, { subtree: true, childList: true, characterData: true });
})()`;

/** Types next to a notebook in a real window while its cell prints 50 MB. The server's rate limit is off. */
export async function measureKeyPress(say: (line: string) => void): Promise<KeyPressFigures> {
  say("key presses beside 50 MB of stdout");
  const window = await openJupyterWindow({
    files: { "flood.ipynb": pythonNotebook([flood]), "notes.txt": "" },
    serverArguments: ["--ZMQChannelsWebsocketConnection.limit_rate=False"],
  });
  try {
    // Usually, the server and its kernel run on another machine, and take no time from the window.
    setPriority(window.jupyter.pid, constants.priority.PRIORITY_LOW);
    const { root, workbench } = window;
    const { page } = workbench;
    await openWorkspaceFolder(window, "Sales forecasting");
    await workbench.explorer.openFile("flood.ipynb");
    const editor = await workbench.editors.notebook("flood.ipynb");
    await editor.waitForKernel(/Python 3/);
    await workbench.runCommand("View: Split Editor Right");
    await workbench.explorer.openFile("notes.txt");
    await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
    const notes = await workbench.editors.text("notes.txt");
    // Without a graphics card, each frame of the editor's progress bars takes 12 ms of a processor, 50 times a second.
    await page.addStyleTag({ content: "* { animation: none !important; }" });
    await page.evaluate(takeTimes);
    const [quiet, flooded]: [number[], number[]] = [[], []];
    for (let round = 0; round < floods; round += 1) {
      await editor.runAll();
      await editor.waitForRunning(0);
      await notes.focus();
      quiet.push(...(await timesUntil(page, async (presses) => presses === quietPresses)));
      await writeFile(join(root, "go"), "");
      flooded.push(...(await timesUntil(page, () => editor.hasSucceeded(0))));
    }
    if (flooded.length < 20) throw new Error(`only ${flooded.length} key presses were drawn while the cell ran.`);
    const { longest, ...usual } = figuresOf(flooded);
    const { median, max } = figuresOf(quiet);
    return { ...usual, longest, presses: flooded.length, quiet: { median, max }, load: loadavg()[0] ?? 0 };
  } finally {
    await window.close();
  }
}

/** Types until something has happened, and returns the times of the key presses. */
async function timesUntil(page: Page, isOver: (presses: number) => Promise<boolean>): Promise<readonly number[]> {
  await page.evaluate("keyPressTimes.length = 0");
  for (let presses = 0; !(await isOver(presses)); presses += 1) {
    if (presses === maxPresses) throw new Error(`the cell has not ended after ${presses} key presses.`);
    await page.keyboard.press("x");
    await delay(cadence);
  }
  return page.evaluate<number[]>("keyPressTimes");
}

function figuresOf(times: readonly number[]): Pick<KeyPressFigures, "median" | "max" | "longest"> {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { median: at(0.5), max: at(0.95), longest: at(1) };
}
