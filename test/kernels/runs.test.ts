import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod/mini";
import { ready } from "../../scripts/set-up/part.ts";
import { projectDirectory } from "../../scripts/set-up/paths.ts";
import { pythonEnvironment } from "../../scripts/set-up/python-environment.ts";
import type { KernelSpec } from "../../src/api/kernels/models.ts";
import { type RunRequest, type StartedRun, startRun } from "../../src/api/runs/notebook-run.ts";
import { type KnownRecords, listRuns } from "../../src/api/runs/run-list.ts";
import { type RunRecord, runRecord, runState } from "../../src/api/runs/run-record.ts";
import { WordedError } from "../../src/api/worded-error.ts";
import type { RunServices } from "../../src/features/runs/run-services.ts";
import { RunWindow } from "../../src/features/runs/run-window.ts";
import { uriOf } from "../../src/tenants/workspace-uri.ts";
import { StandInMemento } from "../harness/editor-stand-in/memory.ts";
import { editor } from "../harness/editor-stand-in/vscode.ts";
import { until } from "../harness/until.ts";
import { type KernelRig, startRig } from "./rig.ts";

const notebook = (...sources: readonly string[]): string =>
  JSON.stringify({
    cells: sources.map((source, index) => ({
      cell_type: "code",
      id: `cell-${index}`,
      metadata: index === 0 ? { tags: ["parameters"] } : {},
      source,
      execution_count: null,
      outputs: [],
    })),
    metadata: { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } },
    nbformat: 4,
    nbformat_minor: 5,
  });

/** A server may interrupt a kernel before it ends it. */
const stopped = /^(lost|canceled)$/;

const executed = z.looseObject({
  cells: z.array(
    z.looseObject({ source: z.string(), outputs: z.array(z.looseObject({ text: z.optional(z.string()) })) }),
  ),
});

for (const release of ["current", "older"] as const) {
  describe(`runs of notebooks on the ${release} server`, () => {
    let rig: KernelRig;
    let spec: KernelSpec;
    const { signal } = new AbortController();

    before(async () => {
      rig = await startRig([], { release });
      const support = await rig.server.support();
      assert.ok(support.type === "available");
      spec = support.specs.find(({ language }) => language === "python") ?? assert.fail("no Python kernel");
    });
    after(() => rig?.stop());

    const place = (name: string): string => join(rig.root, name);
    const start = (name: string, request: Partial<RunRequest> = {}): Promise<StartedRun> =>
      startRun(
        async () => rig.direct,
        {
          path: `${name}.ipynb`,
          target: `${name} run.ipynb`,
          parameters: {},
          kernel: spec,
          programKernel: spec,
          ...request,
        },
        signal,
      );
    const textOf = (name: string): Promise<string> => readFile(place(`${name} run.ipynb`), "utf8");
    const contentOf = async (name: string): Promise<unknown> => JSON.parse(await textOf(name));
    const recordOf = async (name: string): Promise<RunRecord> =>
      runRecord(await contentOf(name)) ?? assert.fail("no record");
    const ended = (name: string, status: RunRecord["status"]): Promise<RunRecord> =>
      until(
        `the run ${name} to be ${status}`,
        async () => {
          // A run takes its name with an empty file.
          if ((await textOf(name)) === "") return undefined;
          const record = await recordOf(name);
          return record.status === status ? record : undefined;
        },
        { seconds: 120, interval: 100, seen: () => name },
      );
    const textsOf = async (name: string): Promise<readonly string[]> =>
      z
        .parse(executed, await contentOf(name))
        .cells.map(({ outputs }) => outputs.map(({ text = "" }) => text).join(""));
    const hasSession = async (name: string): Promise<boolean> =>
      (await rig.server.sessions()).some(({ path }) => path === `${name} run.ipynb`);

    it("run all cells with parameters, in the notebook's folder, without a client", async () => {
      await writeFile(
        place("good.ipynb"),
        notebook("months = 3", "import os\nprint(months, os.path.exists('good.ipynb'))", "months * 2"),
      );
      const { sessionId, kernelId } = await start("good", { parameters: { months: "12" } });
      const record = await ended("good", "succeeded");
      assert.deepEqual(
        [record.source, record.parameters, record.cell, record.cells],
        ["good.ipynb", { months: "12" }, 4, 4],
      );
      assert.ok((record.seconds ?? 0) > 0);
      assert.equal((await textsOf("good"))[2], "12 True\n");
      await until("the kernel to be idle", async () => (await rig.server.kernel(kernelId))?.executionState === "idle", {
        seconds: 60,
        interval: 100,
        seen: () => "",
      });
      await rig.server.endSession(sessionId);
      assert.deepEqual(
        (await readdir(rig.root)).filter((name) => name.includes("part")),
        [],
      );
    });

    it("stop at a cell that fails, and say why", async () => {
      await writeFile(place("bad.ipynb"), notebook("a = 0", "print('before')", "1 / a", "print('never')"));
      const { sessionId } = await start("bad");
      const record = await ended("bad", "failed");
      assert.deepEqual([record.cell, record.error], [3, "ZeroDivisionError: division by zero"]);
      assert.equal((await textsOf("bad"))[1], "before\n");
      await rig.server.endSession(sessionId);
    });

    it("keep what ran when they are canceled", async () => {
      await writeFile(
        place("long.ipynb"),
        notebook(
          "a = 1",
          "print('first')",
          "import time\nfrom pathlib import Path\nPath('sleeps').touch()\ntime.sleep(3000)",
        ),
      );
      const { sessionId, kernelId } = await start("long");
      await until("the last cell", async () => (await readdir(rig.root)).includes("sleeps"), {
        seconds: 120,
        interval: 100,
        seen: () => "",
      });
      assert.equal(await hasSession("long"), true);
      // The cells before it took no time.
      await until("the record to follow", async () => (await recordOf("long")).cell === 3 || undefined, {
        seconds: 60,
        interval: 100,
        seen: () => "",
      });
      assert.equal((await textsOf("long"))[1], "first\n");
      await rig.server.interrupt(kernelId);
      await ended("long", "canceled");
      assert.equal((await textsOf("long"))[1], "first\n");
      await rig.server.endSession(sessionId);
    });

    it("say that the kernel of the cells died, and are lost with their own", async () => {
      await writeFile(place("dies.ipynb"), notebook("a = 1", "import os\nos._exit(1)"));
      const died = await start("dies");
      assert.equal((await ended("dies", "failed")).error, "The kernel died.");
      await rig.server.endSession(died.sessionId);

      await writeFile(place("stops.ipynb"), notebook("a = 1", "import time\ntime.sleep(3000)"));
      const { sessionId } = await start("stops");
      await rig.server.endSession(sessionId);
      assert.match(runState(await recordOf("stops"), await hasSession("stops")), stopped);
    });

    it("are listed with their states, newest first, in any letter case, and read again only after a change", async () => {
      const names = ["listed 2026-11-28 07.00.IPYNB", "listed 2026-11-29 07.00.IPYNB"] as const;
      await writeFile(place("listed.IPYNB"), notebook("a = 1", "import time\ntime.sleep(3000)"));
      await writeFile(place("listed 2026-11-27 07.00.IPYNB"), notebook("a = 1"));
      const started = await Promise.all(
        names.map((target) => start("listed", { path: "listed.IPYNB", target, parameters: { a: "2" } })),
      );
      const [first, second] = started;
      const run = { status: "failed", source: "a", parameters: {}, cell: 1, cells: 1, error: "ValueError: no" };
      const output = { output_type: "stream", name: "stdout", text: "x".repeat(40_000_000) };
      await writeFile(
        place("listed 2026-11-26 07.00.IPYNB"),
        JSON.stringify({ metadata: { platform_workbench_run: run }, cells: [{ outputs: [output] }] }),
      );
      assert.ok(first !== undefined && second !== undefined);
      await rig.server.endSession(first.sessionId);
      const known: KnownRecords = new Map();
      const listed = await listRuns(rig.direct, "listed.IPYNB", known);
      assert.deepEqual(
        listed.map(({ path, session }) => [path, session?.id]),
        [
          [names[1], second.sessionId],
          [names[0], undefined],
          ["listed 2026-11-27 07.00.IPYNB", undefined],
          ["listed 2026-11-26 07.00.IPYNB", undefined],
        ],
      );
      assert.equal(listed[0]?.state, "running");
      assert.match(String(listed[1]?.state), stopped);
      assert.equal(listed[2]?.state, undefined);
      assert.deepEqual([listed[3]?.state, listed[3]?.record?.error], ["failed", "ValueError: no"]);
      assert.deepEqual(listed[0]?.record?.parameters, { a: "2" });
      await rig.server.endSession(second.sessionId);
      const [again] = await listRuns(rig.direct, "listed.IPYNB", known);
      assert.match(String(again?.state), stopped);
      assert.equal(known.get(names[0])?.record, listed[1]?.record);
    });

    it("are refused with a reason, and leave no session", async () => {
      await writeFile(place("old.ipynb"), JSON.stringify({ worksheets: [], nbformat: 3, metadata: {} }));
      const refused = async (work: Promise<unknown>, reason: RegExp): Promise<void> =>
        assert.rejects(work, (error: unknown) => {
          assert.ok(error instanceof WordedError, String(error));
          assert.match(error.message, reason);
          return true;
        });
      await refused(start("old"), /^Can't run old\.ipynb: the notebook has an old format/);
      await writeFile(place("parameters.ipynb"), notebook("a = 1"));
      await refused(start("parameters", { parameters: { a: "open('x')" } }), /open\('x'\) is no Python value/);
      await refused(start("nothing"), /^Can't run nothing\.ipynb: FileNotFoundError/);
      assert.equal(await hasSession("old"), false);
      assert.equal(await hasSession("nothing"), false);
    });
  });
}

describe("runs of a window", () => {
  let rig: KernelRig;
  let spec: KernelSpec;
  const state = new StandInMemento();
  const windows: RunWindow[] = [];

  before(async () => {
    rig = await startRig();
    const support = await rig.server.support();
    assert.ok(support.type === "available");
    spec = support.specs.find(({ language }) => language === "python") ?? assert.fail("no Python kernel");
  });
  after(async () => {
    for (const window of windows) window.dispose();
    await rig?.stop();
  });

  /** A new window with the state of the one before. */
  function openWindow(): RunWindow {
    const services = {
      connections: { content: async () => rig.direct },
      secrets: { onDidSignOut: () => ({ dispose: () => {} }) },
      log: { warn: (text: string) => assert.fail(text) },
      files: { refresh: () => {} },
      windowState: state,
      subscriptions: [],
    };
    const window = new RunWindow(services as unknown as RunServices, { isVisible: () => false, redraw: () => {} });
    windows.push(window);
    return window;
  }

  it("end in a later one, which says so and ends their kernel", async () => {
    const path = "window.ipynb";
    const target = "window 2026-11-29 07.00.ipynb";
    await writeFile(
      join(rig.root, path),
      notebook("a = 1", "import time\nfrom pathlib import Path\nwhile not Path('go').exists(): time.sleep(0.05)"),
    );
    const first = openWindow();
    const client = async () => rig.direct;
    const request = { path, target, parameters: {}, kernel: spec, programKernel: spec };
    await startRun(client, request, new AbortController().signal);
    first.add({ tenantId: "acme", workspaceId: "4f7c21aa", path: target });
    const [row] = await first.rowsOf(uriOf("acme", "4f7c21aa", path));
    assert.match(String(row?.description), /^(starting|code cell [12] of 2)$/);
    first.dispose();

    openWindow();
    await writeFile(join(rig.root, "go"), "");
    const message = await until(
      "the message about the end",
      async () => editor.messages.find(({ text }) => text.startsWith("The run of window.ipynb")),
      { seconds: 60, interval: 100, seen: () => "" },
    );
    assert.match(message.text, /^The run of window\.ipynb is done after /);
    assert.deepEqual(message.items, ["Open"]);
    assert.equal(
      (await rig.server.sessions()).some((session) => session.path === target),
      false,
    );
    assert.equal(state.get("notebookRuns"), undefined);
  });
});

/** Runs a cell, and reads nothing before it has displayed everything. */
const readsLate = `
import os, threading, time
from companion.notebook_run.cell_kernel import CellKernel

seen = []

def turn():
    while not os.path.exists("done"):
        time.sleep(0.01)

kernel = CellKernel(None)
cell = """
from pathlib import Path
for number in range(5000):
    display({"text/plain": str(number)}, raw=True)
Path("done").touch()
1 / 0
"""
try:
    problem = kernel.run(cell, lambda kind, content: seen.append((kind, content)), threading.Event(), turn)
finally:
    kernel.end()
numbers = [content["data"]["text/plain"] for kind, content in seen if kind == "display_data"]
print(problem, seen[-1][0], numbers == [str(number) for number in range(5000)])
`;

describe("the output of a cell that runs while the notebook is written", () => {
  it("is complete", async () => {
    const { python } = await ready(pythonEnvironment);
    const directory = await mkdtemp(join(tmpdir(), "run-output-"));
    try {
      const { stdout } = await promisify(execFile)(python, ["-c", readsLate], {
        cwd: directory,
        env: { ...process.env, PYTHONPATH: join(projectDirectory, "src"), PYTHONDONTWRITEBYTECODE: "1" },
      });
      assert.equal(stdout.trim(), "ZeroDivisionError: division by zero error True");
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
