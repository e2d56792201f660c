import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startJupyterServer } from "../../harness/jupyter-server.ts";
import { startSocketProxy } from "../../harness/socket-proxy.ts";

/** What a process holds after a collection. */
export interface SoakResources {
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** Active sockets and timers. */
  readonly sockets: number;
  readonly timers: number;
  /** Objects that aren't collected. */
  readonly socketObjects: number;
  readonly emitters: number;
  readonly abortSignals: number;
  /** Listeners of the editor's events. */
  readonly listeners: number;
}

export interface SoakFigures {
  readonly rounds: number;
  /** Attempts that failed because a connection was cut. They were repeated. */
  readonly failedSaves: number;
  readonly failedReads: number;
  /** Cells that did not show their output. */
  readonly missingOutputs: number;
  /** Warnings of Node that an emitter has too many listeners. */
  readonly warnings: number;
  readonly start: SoakResources;
  readonly end: SoakResources;
  readonly heapBytesByMinute: readonly number[];
}

/** Milliseconds between two cuts of all connections. */
const cutEvery = 15_000;

/**
 * Expands folders, edits, saves, and runs cells for some minutes, while all connections are cut every 15 seconds.
 * Compares what the process holds at the start and at the end.
 */
export async function soak(minutes: number, say: (line: string) => void): Promise<SoakFigures> {
  const root = await mkdtemp(join(tmpdir(), "platform-workbench-soak-"));
  const token = "token-of-the-bench";
  await mkdir(join(root, "data"));
  for (let file = 0; file < 50; file += 1) {
    await writeFile(join(root, "data", `${file}.csv`), "a,b\n");
  }
  await writeFile(join(root, "notes.md"), `edit 0\n${"text ".repeat(2_000)}\n`);
  const cell = { cell_type: "code", id: "a", metadata: {}, outputs: [], execution_count: null, source: "edit 0" };
  const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
  await writeFile(join(root, "book.ipynb"), JSON.stringify(notebook));
  const server = await startJupyterServer({ root, token });
  const proxy = await startSocketProxy(server.url);
  let cuts: NodeJS.Timeout | undefined;
  try {
    const child = spawn(
      process.execPath,
      ["--expose-gc", join(import.meta.dirname, "probe.ts"), proxy.url(server.url), token, String(minutes)],
      { stdio: ["ignore", "pipe", "inherit", "ipc"] },
    );
    child.on("message", (order) => {
      if (order === "begin") {
        say(`${minutes} minutes, with all connections cut every ${cutEvery / 1000} seconds`);
        cuts = setInterval(() => proxy.cut(), cutEvery);
      }
      proxy.cut();
    });
    let output = "";
    child.stdout?.on("data", (part: Buffer) => {
      output += part.toString();
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    if (code !== 0) throw new Error(`the soak ended with exit code ${String(code)}`);
    return JSON.parse(output.slice(output.lastIndexOf("\n{") + 1));
  } finally {
    clearInterval(cuts);
    await proxy.stop();
    await server.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
