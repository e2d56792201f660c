import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { ready } from "../../scripts/set-up/part.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import type { ContentClient } from "../../src/api/client/client.ts";
import type { Companion } from "../../src/api/companion/companion.ts";
import { completeNames, findDefinition } from "../../src/api/companion/operations/language.ts";
import { companionInformation } from "../../src/api/companion/operations/program.ts";
import { searchText } from "../../src/api/companion/operations/search.ts";
import { watchDirectories } from "../../src/api/companion/operations/watch.ts";
import { startCompanion } from "../../src/api/companion/start.ts";
import { inParallel } from "../../src/api/content-server/concurrency.ts";
import { readFileText } from "../../src/api/content-server/file-content.ts";
import { listRecursively } from "../../src/api/content-server/listing.ts";
import { silentLog } from "../../src/api/http/log.ts";
import { countedTransport } from "../harness/counted-transport.ts";
import { plainShell } from "../harness/jupyter-environment.ts";
import { type KernelRig, startRig } from "../kernels/rig.ts";
import { median } from "./statistics.ts";
import { measureTerminal, type TerminalFigures } from "./terminal.ts";
import { measureTunnel, type TunnelFigures } from "./tunnel.ts";

/** Milliseconds, medians of several runs where they are cheap. `plain` is the plain way in the same run. */
export interface WorkspaceFigures {
  /** A request of the companion that does nothing. */
  readonly roundTrip: number;
  /** `frame.` in a script that imports pandas. Plain: jedi in a process of its own. */
  readonly completion: { readonly first: number; readonly warm: number; readonly plain: PlainCompletion };
  /** The definition of `pd.read_csv`. */
  readonly definition: number;
  /** A text in 5,000 files. Plain: the contents API. */
  readonly search5000: { readonly all: number; readonly first: number; readonly plain: number };
  readonly search100000: { readonly all: number; readonly first: number };
  /** From a change of a file to its report. */
  readonly push: number;
  /** HTTP requests and messages of an idle window that watches, in `idleSeconds`. */
  readonly idleRequests: number;
  readonly terminal: TerminalFigures;
  readonly tunnel: TunnelFigures;
}

interface PlainCompletion {
  readonly first: number;
  readonly warm: number;
}

const rounds = 7;
const pushRounds = 3;
const pushPauseMs = 6000;
const idleSeconds = 10;
const perFolder = 100;
const script = [
  "import pandas as pd",
  "",
  "",
  "def load(path):",
  "    frame = pd.read_csv(path)",
  "    frame = frame.dropna()",
  "    frame.",
  "    return frame",
];
const listing = {
  ...{ folder: "", ignoreFolders: [], fileTypes: [], isRecursive: true, includesHidden: false },
  ...{ exclude: [], useIgnoreFiles: true },
};

/** Measures a workspace on a real Jupyter Server: language features, search, watching, a terminal, and a port. */
export async function measureWorkspace(say: (line: string) => void): Promise<WorkspaceFigures> {
  const rig = await startRig([plainShell], { terminals: true });
  const counted = countedTransport();
  const client = rig.client(rig.token, counted.transport);
  let companion: Companion | undefined;
  try {
    say("a terminal of the workspace");
    const terminal = await measureTerminal(rig);
    const { signal } = new AbortController();
    const started = await startCompanion({ client: async () => client, owner: "bench", signal, log: silentLog });
    companion = started.companion;
    const own = companion;
    const roundTrip = await repeated(() => own.request(companionInformation, {}));
    say("a forwarded port");
    const tunnel = await measureTunnel(own, rig.root);
    say("completion and definition");
    const completion = await measureCompletion(own, rig.root);
    const definition = await repeated(() => own.request(findDefinition, at(4, 18)));
    say("search in 5,000 files");
    await writeFiles(rig.root, "some", 5000);
    const search5000 = { ...(await measureSearch(own)), plain: await searchByContents(client) };
    say("search in 100,000 files");
    await writeFiles(rig.root, "many", 95_000);
    const search100000 = await measureSearch(own);
    say(`changes, and ${idleSeconds} idle seconds`);
    const push = await measurePush(own, rig);
    counted.take();
    await delay(idleSeconds * 1000);
    const { requests, operations } = counted.take();
    const idleRequests = requests.length + operations.length;
    return { roundTrip, completion, definition, search5000, search100000, push, idleRequests, terminal, tunnel };
  } finally {
    companion?.dispose();
    await rig.stop();
  }
}

const milliseconds = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

async function repeated(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < rounds; nth += 1) times.push(await milliseconds(work));
  return median(times);
}

/** The script with a position in it. */
function at(line: number, character: number) {
  const document = { kind: "script" as const, path: "load.py", cells: [script.join("\n")] };
  return { document, position: { cell: 0, line, character } };
}

async function measureCompletion(companion: Companion, root: string): Promise<WorkspaceFigures["completion"]> {
  const place = at(6, 10);
  const plain = await completePlainly(root, place.position);
  // After the plain process, both have what jedi keeps on disk.
  const first = await milliseconds(() => companion.request(completeNames, place, { timeoutMs: 120_000 }));
  const warm = await repeated(() => companion.request(completeNames, place));
  return { first, warm, plain };
}

async function completePlainly(
  root: string,
  { line, character }: { readonly line: number; readonly character: number },
): Promise<PlainCompletion> {
  const { python } = await ready(pythonEnvironment);
  const program = [
    "import json, sys, time, jedi",
    "code = sys.stdin.read()",
    "times = []",
    `for _ in range(${rounds + 2}):`,
    "    started = time.perf_counter()",
    `    jedi.Script(code).complete(${line + 1}, ${character})`,
    "    times.append((time.perf_counter() - started) * 1000)",
    "print(json.dumps(times))",
  ].join("\n");
  // The first run fills what jedi keeps on disk.
  const run = async (): Promise<readonly number[]> => {
    const running = promisify(execFile)(python, ["-c", program], { cwd: root });
    running.child.stdin?.end(script.join("\n"));
    return JSON.parse((await running).stdout);
  };
  await run();
  const [first = Number.NaN, ...warm] = await run();
  return { first, warm: median(warm) };
}

async function writeFiles(root: string, name: string, count: number): Promise<void> {
  for (let folder = 0; folder < count / perFolder; folder += 1) {
    const directory = join(root, name, `folder-${folder}`);
    await mkdir(directory, { recursive: true });
    await Promise.all(
      Array.from({ length: perFolder }, (_, file) => {
        const text = `${"some words of a file\n".repeat(40)}${file === 0 && folder % 20 === 0 ? "needle\n" : ""}`;
        return writeFile(join(directory, `file-${file}.txt`), text);
      }),
    );
  }
}

async function measureSearch(companion: Companion): Promise<{ readonly all: number; readonly first: number }> {
  const query = { text: "needle", isCaseSensitive: true, isRegularExpression: false };
  const limits = { maxMatches: 2000, maxPerFile: 200, maxBytes: 2_000_000 };
  const firsts: number[] = [];
  const all = await repeated(async () => {
    const started = performance.now();
    let first: number | undefined;
    const onPush = ({ items }: { readonly items: readonly unknown[] }): void => {
      if (items.length > 0) first ??= performance.now() - started;
    };
    await companion.request(searchText, { ...listing, ...query, ...limits }, { onPush, timeoutMs: 300_000 });
    firsts.push(first ?? Number.NaN);
  });
  return { all, first: median(firsts) };
}

/** Lists all files, and reads each. */
async function searchByContents(client: ContentClient): Promise<number> {
  return await milliseconds(async () => {
    const files = (await listRecursively(client)).filter(({ type }) => type === "file");
    let found = 0;
    await inParallel(files, async ({ path }) => {
      const text = await readFileText(client, path ?? "");
      if (text?.includes("needle") === true) found += 1;
    });
    if (found === 0) throw new Error("nothing was found");
  });
}

async function measurePush(companion: Companion, rig: KernelRig): Promise<number> {
  let report = (): void => {};
  await companion.subscribe(
    watchDirectories,
    { directories: ["some/folder-0"] },
    { onPush: () => report(), onFailure: () => {} },
  );
  const times: number[] = [];
  for (let nth = 0; nth < pushRounds; nth += 1) {
    // A directory that changes all the time is reported less often.
    await delay(pushPauseMs);
    const reported = new Promise<void>((resolve) => {
      report = resolve;
    });
    const started = performance.now();
    await writeFile(join(rig.root, "some", "folder-0", `new-${nth}.txt`), "1");
    await reported;
    times.push(performance.now() - started);
  }
  return median(times);
}
