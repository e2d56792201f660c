import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem, type } from "node:os";
import { join } from "node:path";
import { entryLimit } from "../../scripts/build/bundle.ts";
import { packageLimit } from "../../scripts/build/package.ts";
import { projectDirectory } from "../../scripts/set-up/paths.ts";
import { type Action, actions } from "./actions.ts";
import { barChart } from "./charts.ts";
import type { Figures } from "./figures.ts";

/** What a run stood on. */
export interface Ground {
  readonly jupyterServer: string;
  readonly editor: string;
  readonly date: Date;
}

const words: Readonly<Record<Action, string>> = {
  openWindow: "open a window on a workspace",
  openFile: "open a text file",
  save: "save it",
  openNotebook: "open a notebook",
  saveNotebook: "save it",
  createFile: "create a file with content",
  createFolder: "create a folder",
  rename: "rename or move a file",
  copyFile: "copy a file",
  deleteTree: "delete a tree of 105 items",
  expandFolder: "expand a folder",
};

/** How many requests each may send, and what other extensions send on the same server. */
const atMost: Readonly<Record<Action, number>> = {
  openWindow: 2,
  openFile: 1,
  save: 2,
  openNotebook: 1,
  saveNotebook: 2,
  createFile: 3,
  createFolder: 2,
  rename: 2,
  copyFile: 2,
  deleteTree: 1,
  expandFolder: 1,
};
const peers: Readonly<Partial<Record<Action, string>>> = {
  save: "3 to 4",
  createFile: "5 to 6",
  copyFile: "6 to 7",
  deleteTree: "218",
};

const documents = join(projectDirectory, "docs");
const charts = join(documents, "benchmarks");

/** Writes `docs/benchmarks.md` and its charts. */
export async function writeReport(figures: Required<Figures>, ground: Ground): Promise<string> {
  await mkdir(charts, { recursive: true });
  const page = join(documents, "benchmarks.md");
  await writeFile(join(charts, "requests.svg"), requestsChart(figures));
  await writeFile(join(charts, "seconds.svg"), secondsChart(figures));
  await writeFile(join(charts, "transfers.svg"), transfersChart(figures));
  await writeFile(join(charts, "kernels.svg"), kernelsChart(figures));
  await writeFile(page, `${(await sections(figures, ground)).join("\n\n")}\n`);
  return page;
}

async function sections(figures: Required<Figures>, ground: Ground): Promise<readonly string[]> {
  const { size, start, memory, transfers, listing, mainJob, kernels, keyPress } = figures;
  const { version }: { readonly version: string } = JSON.parse(
    await readFile(join(projectDirectory, "package.json"), "utf8"),
  );
  const [processor] = cpus();
  return [
    "# Benchmarks",
    "Written by `npm run bench`; `npm run bench -- --json` prints the figures for scripts, `npm run bench -- size` (or `start`, `memory`, `transfers`, `listing`, `actions`, `main-job`, `kernels`) one part. Tests assert only the request counts.",
    table(
      ["", ""],
      [
        ["extension", version],
        ["date", ground.date.toISOString().slice(0, 10)],
        ["machine", `${cpus().length} cores, ${processor?.model.trim() ?? type()}, ${gigabytes(totalmem())} memory`],
        ["system", `${type()}, Node ${process.versions.node}, editor ${ground.editor}`],
        ["content server", `Jupyter Server ${ground.jupyterServer} on the same machine`],
      ],
    ),
    "## Requests and time per action",
    "Counted and timed in a real editor, its workspace folder open, with a proxy in between that delays each request by one round trip. Times end when the editor has finished the action; for the window, they span the first request to the end of the last. Watch requests are not counted, and neither is the request for the list of kernels, which a workspace's first notebook sends once. The last column is what other extensions were measured to send on the same server.",
    actionsTable(figures),
    "![Requests of each action](benchmarks/requests.svg)",
    "![Seconds of each action](benchmarks/seconds.svg)",
    "## The main job in a window",
    `In a real editor in the browser, with the content server on the same machine; medians of ${mainJob.windows} windows, each in a new browser profile. The editor's own work, such as its start and the reload for another folder, is part of each figure.`,
    table(
      ["", "seconds"],
      [
        ["from the editor's address to the rows of the Workspaces view", mainJob.firstRows.toFixed(1)],
        ["open a workspace, until the Explorer shows its files", mainJob.openWorkspace.toFixed(1)],
        ["open a notebook, until its cells are drawn", mainJob.openNotebook.toFixed(2)],
        ["save it, until its tab is no longer marked as unsaved", mainJob.saveNotebook.toFixed(2)],
      ],
    ),
    "## Large files",
    "Opened and saved through the extension's file system in plain Node, alternating with a plain loop of the HTTP library that moves the same bytes over the same endpoint; medians of five. From 4 MB, a file that was listed is read as raw bytes. Above 16 MB, it is saved in chunks of 8 MiB: one check of the file, one of its checkpoints, the chunks to a temporary name, one more check, two renames, and two requests that empty and remove the replaced file. The ratio of 100 MB should be 1.5 at most. Another extension was measured to write 50 MB in 2.6 s and to read them in 2.9 s, with 300 MB of memory.",
    table(
      ["", "requests", "seconds", "plain loop", "ratio", "memory at its peak"],
      transfers.map((one) => [
        `${one.action} ${one.bytes / 1e6} MB`,
        String(one.requests),
        one.seconds.toFixed(3),
        one.plainSeconds.toFixed(3),
        one.ratio.toFixed(2),
        `+${Math.round(one.peakBytes / 1e6)} MB`,
      ]),
    ),
    "![Seconds of large files](benchmarks/transfers.svg)",
    "## Trees and folders",
    `A tree of ${listing.folders} folders at ${listing.roundTrip} ms round trip, five requests in flight: ${listing.seconds.toFixed(1)} s, where ${listing.limitSeconds.toFixed(1)} s (folders / 5 × round trip) is the theoretical minimum. Ratio: ${listing.ratio.toFixed(2)}, at most 1.15. Its server is the sample tenant's, in a process of its own: how long a server works on a folder counts for any client.`,
    `A folder of ${memory.nodes} files, listed and the status of each asked for: ${memory.seconds.toFixed(2)} s, requests: ${memory.requests}, and ${(memory.bytes / 1e6).toFixed(1)} MB of memory (${Math.round(memory.bytes / memory.nodes)} bytes for each).`,
    "## Kernels",
    `Cells on a real kernel, in turn with a plain WebSocket loop that parses each message and keeps nothing; the server's rate limit is off, the recorder in the kernel is on. From sending a cell to its first output: ${kernels.firstOutputRatio.toFixed(2)} of the loop, ${kernels.firstOutputExtraMilliseconds.toFixed(1)} ms beyond it (at most 1.15 and 60 ms). 50 MB of stdout: ${kernels.stdoutSeconds.toFixed(1)} s, ${kernels.stdoutRatio.toFixed(2)} of the loop (at most 1.3). The client code is ${kilobytes(kernels.clientBytes)} (at most 80 KB) and loads with the first kernel. A notebook is connected to a running kernel with ${kernels.connectRequests} requests and ${kernels.connectSockets} socket.`,
    `A key press in a text editor beside the notebook, in a real window without the editor's animations (there is no graphics card to draw them), while 50 MB of stdout stream from a cell: 95 of 100 presses were drawn within ${keyPress.most.toFixed(0)} ms (at most 100 ms); median ${keyPress.median.toFixed(0)} ms, longest ${keyPress.longest.toFixed(0)} ms, ${keyPress.presses} presses. In the same window, while the cell prints nothing: 95 of 100 within ${keyPress.quiet.most.toFixed(0)} ms, median ${keyPress.quiet.median.toFixed(0)} ms. The load of the machine was ${keyPress.load.toFixed(1)} on ${cpus().length} cores.`,
    "![Kernels, in percent of each limit](benchmarks/kernels.svg)",
    "## The extension",
    table(
      ["", "", "limit"],
      [
        ["entry and what it loads", kilobytes(size.entryBytes), kilobytes(entryLimit)],
        ["package (.vsix)", kilobytes(size.vsixBytes), kilobytes(packageLimit)],
        [
          "load and activate",
          `${start.load.toFixed(1)} + ${start.activate.toFixed(1)} ms (medians of ${start.processes} processes)`,
          "30 ms",
        ],
      ],
    ),
  ];
}

function actionsTable({ actions: runs }: Required<Figures>): string {
  const trips = [...runs.keys()];
  const rows = actions.map((action) => [
    action === "saveNotebook" ? "save a notebook" : words[action],
    String(runs.get(0)?.[action].requests ?? ""),
    String(atMost[action]),
    ...trips.map((trip) => runs.get(trip)?.[action].seconds.toFixed(2) ?? ""),
    peers[action] ?? "",
  ]);
  return table(["", "requests", "at most", ...trips.map((trip) => `s at ${trip} ms`), "others"], rows);
}

function requestsChart({ actions: runs }: Required<Figures>): string {
  const groups = actions.map((action) => {
    const own = runs.get(0)?.[action].requests ?? 0;
    const others = Number(/\d+$/.exec(peers[action] ?? "")?.[0] ?? Number.NaN);
    const shown = Math.min(others, 12);
    const theirs = Number.isNaN(others)
      ? []
      : [{ value: shown, text: `${peers[action]}${others > 12 ? " (cut off)" : ""}` }];
    return { label: action, bars: [{ value: own, text: String(own) }, ...theirs] };
  });
  return barChart({ title: "Requests of each action", series: ["this extension", "others"], groups });
}

function secondsChart({ actions: runs }: Required<Figures>): string {
  const groups = actions.map((action) => ({
    label: action,
    bars: [...runs.values()].map((run) => ({
      value: run[action].seconds,
      text: `${run[action].seconds.toFixed(2)} s`,
    })),
  }));
  const series = [...runs.keys()].map((trip) => `${trip} ms round trip`);
  return barChart({ title: "Seconds of each action", series, groups });
}

function transfersChart({ transfers }: Required<Figures>): string {
  const groups = transfers.map((one) => ({
    label: `${one.action} ${one.bytes / 1e6} MB`,
    bars: [
      { value: one.seconds, text: `${one.seconds.toFixed(2)} s` },
      { value: one.plainSeconds, text: `${one.plainSeconds.toFixed(2)} s` },
    ],
  }));
  return barChart({ title: "Large files", series: ["this extension", "plain loop"], groups });
}

function kernelsChart({ kernels, keyPress }: Required<Figures>): string {
  const { firstOutputRatio, stdoutRatio, clientBytes, connectRequests } = kernels;
  const figures = [
    { label: "first output", share: firstOutputRatio / 1.15, text: `${firstOutputRatio.toFixed(2)} of a plain loop` },
    { label: "50 MB of stdout", share: stdoutRatio / 1.3, text: `${stdoutRatio.toFixed(2)} of a plain loop` },
    { label: "key press during a flood", share: keyPress.most / 100, text: `${keyPress.most.toFixed(0)} ms` },
    { label: "requests to connect", share: connectRequests / 3, text: String(connectRequests) },
    { label: "client", share: clientBytes / 80_000, text: kilobytes(clientBytes) },
  ];
  const groups = figures.map(({ label, share, text }) => ({ label, bars: [{ value: share * 100, text }] }));
  const line = { value: 100, text: "limit" };
  return barChart({ title: "Kernels, in percent of each limit", series: ["this extension"], groups, line });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

function gigabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 3)} GB`;
}
