// A separate Node process, started with --expose-gc: works with files and a kernel through the extension's code for some
// minutes, and prints its resources at the start and at the end as JSON. Takes orders from the parent process over IPC.
import "../../harness/editor-stand-in/register.ts";
import { EventEmitter } from "node:events";
import { Socket } from "node:net";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { queryObjects } from "node:v8";
import type { NotebookDocument } from "vscode";
import { Client } from "../../../src/api/client/client.ts";
import { NotebookToken } from "../../../src/api/http/credentials.ts";
import { dialects } from "../../../src/api/http/dialects.ts";
import { singleUserLimits } from "../../../src/api/http/response-limits.ts";
import { createTransport } from "../../../src/api/http/transport.ts";
import { openKernelConnection } from "../../../src/api/kernels/connection/open-connection.ts";
import { noJournal } from "../../../src/api/kernels/executions/execution-journal.ts";
import { KernelServer } from "../../../src/api/kernels/kernel-server.ts";
import { StandInCell, StandInController } from "../../harness/editor-stand-in/notebook-cell.ts";
import { listenerCount } from "../../harness/editor-stand-in/vscode.ts";
import { until } from "../../harness/until.ts";
import type { SoakFigures, SoakResources } from "./soak.ts";

const [contentUrl, token, minutes] = process.argv.slice(2);
if (contentUrl === undefined || token === undefined || minutes === undefined) throw new Error("name a server");

const { FilesClient } = await import("../../faults/client.ts");
const { CellRuns } = await import("../../../src/features/kernels/cells/cell-runs.ts");

const transport = createTransport();
const base = new URL(contentUrl);
const files = await FilesClient.connect({ origin: base.origin, prefix: base.pathname, token }, { transport });
const client = new Client(
  {
    kind: "notebook",
    base,
    dialect: dialects.documented,
    limits: singleUserLimits,
    credential: new NotebookToken(base.origin, token),
  },
  transport,
);
const session = await new KernelServer(async () => client).openSession("soak.ipynb", {
  type: "new",
  specName: "python3",
});
if (session.kernel === undefined) throw new Error("there is no kernel");
const connection = await openKernelConnection({
  client: async () => client,
  kernelId: session.kernel.id,
  journal: noJournal,
  recorder: "on",
});
const controller = new StandInController();
const runs = new CellRuns({ uri: undefined } as unknown as NotebookDocument, {
  controller: controller.asController,
  outputDirectory: files.storage.fsPath,
  onError: (error) => {
    throw error;
  },
});
/** The cells of one notebook, which run one after the other, again and again. */
const cells = Array.from({ length: 20 }, (_, index) => new StandInCell(index));
const counts = { rounds: 0, failedSaves: 0, failedReads: 0, missingOutputs: 0 };
let warnings = 0;
process.on("warning", ({ name }) => {
  warnings += name === "MaxListenersExceededWarning" ? 1 : 0;
});

/** Repeats what a cut connection has broken. */
async function persist<T>(work: () => PromiseLike<T>, onFailure: () => void): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 20) throw error;
      onFailure();
      await delay(200);
    }
  }
}

async function expand(): Promise<void> {
  const read = async (path: string): Promise<void> => {
    const entries = await persist(
      () => files.files.readDirectory(files.uri(path)),
      () => (counts.failedReads += 1),
    );
    await Promise.all(
      entries.map(([name]) =>
        persist(
          () => files.files.stat(files.uri(path === "" ? name : `${path}/${name}`)),
          () => (counts.failedReads += 1),
        ),
      ),
    );
  };
  files.refresh();
  await read("");
  await read("data");
}

async function editAndSave(round: number): Promise<void> {
  for (const path of ["notes.md", "book.ipynb"]) {
    await persist(
      async () => {
        const before = await files.files.readFile(files.uri(path));
        const text = Buffer.from(before)
          .toString()
          .replace(/edit \d+/u, `edit ${round}`);
        const options = { create: false, overwrite: true };
        await files.files.writeFile(files.uri(path), Buffer.from(text), options);
      },
      () => (counts.failedSaves += 1),
    );
  }
}

async function runCell(round: number): Promise<void> {
  const cell = cells[round % cells.length];
  const run = cell === undefined ? undefined : runs.open(cell.asCell, { recordsTimes: false });
  if (cell === undefined || run === undefined) throw new Error("the cell doesn't run");
  const code = `print(${round}, "x" * 1000)`;
  const [execution] = await connection.execute([{ code, cellId: `c${cell.index}`, cellIndex: cell.index, sink: run }]);
  run.messageId = execution?.entry.messageId;
  await execution?.ended;
  await until("the end of the cell", () => run.isEnded && cell.executionSummary !== undefined);
  counts.missingOutputs += cell.texts.join("").startsWith(`${round} `) ? 0 : 1;
  controller.written.length = 0;
}

async function collected(): Promise<number> {
  // What a collection finalizes is collected by the next one.
  for (let last = Infinity; ; ) {
    globalThis.gc?.();
    await nextTurn();
    const { heapUsed } = process.memoryUsage();
    if (heapUsed > last * 0.999) return heapUsed;
    last = heapUsed;
  }
}

async function resources(): Promise<SoakResources> {
  await expand();
  // Responses and timers of the last round end within this time.
  await delay(12_000);
  const heapBytes = await collected();
  const active = process.getActiveResourcesInfo();
  const ofType = (type: string): number => active.filter((name) => name === type).length;
  return {
    heapBytes,
    rssBytes: process.memoryUsage().rss,
    sockets: ofType("TCPSocketWrap"),
    timers: ofType("Timeout"),
    socketObjects: queryObjects(Socket, { format: "count" }),
    emitters: queryObjects(EventEmitter, { format: "count" }),
    abortSignals: queryObjects(AbortSignal, { format: "count" }),
    listeners: listenerCount(),
  };
}

async function round(): Promise<void> {
  counts.rounds += 1;
  await expand();
  await editAndSave(counts.rounds);
  await runCell(counts.rounds);
  await delay(100);
}

const watch = files.files.watch(files.uri("data"), { recursive: false, excludes: [] });
// Code that loads on first use, and caches that fill, are not part of what grows.
while (counts.rounds < 60) await round();
process.send?.("cut");
while (counts.rounds < 80) await round();
const start = await resources();
process.send?.("begin");
const end = performance.now() + Number(minutes) * 60_000;
const heaps: number[] = [];
let next = performance.now();
while (performance.now() < end) {
  await round();
  if (performance.now() > next) {
    heaps.push(await collected());
    next = performance.now() + 60_000;
  }
}
const figures: SoakFigures = { ...counts, warnings, start, end: await resources(), heapBytesByMinute: heaps };
watch.dispose();
connection.dispose();
files.dispose();
await transport.close();
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
