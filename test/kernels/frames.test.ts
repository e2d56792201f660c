// Data frames for the data explorer, from the kernel of a notebook and from files of the workspace, on real Jupyter Servers.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attachProgram } from "../../src/api/companion/attach.ts";
import type { Companion } from "../../src/api/companion/companion.ts";
import { CompanionLostError, CompanionOperationError } from "../../src/api/companion/errors.ts";
import {
  copyFrameRows,
  type FrameView,
  frameCode,
  listFrames,
  openFrame,
  prepareFrameView,
  readFramePage,
  summarizeFrameColumn,
} from "../../src/api/companion/operations/frames.ts";
import { companionInformation } from "../../src/api/companion/operations/program.ts";
import { startCompanion } from "../../src/api/companion/start.ts";
import { silentLog } from "../../src/api/http/log.ts";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import { FrameSession } from "../../src/features/data-explorer/frame-session.ts";
import type { PanelMessage } from "../../src/features/data-explorer/messages.ts";
import { until } from "../harness/until.ts";
import { Cell, type KernelRig, run, startRig } from "./rig.ts";

const plain: FrameView = { filters: [], sorting: [], search: "" };
const rows = 1_000_000;
const made = [
  "import numpy as np, pandas as pd",
  `df = pd.DataFrame({f"c{column}": np.random.default_rng(column).normal(size=${rows}) for column in range(49)})`,
  `df["n"] = np.arange(${rows})`,
  "print(len(df))",
].join("\n");

function isOfKind(kind: string) {
  return (error: unknown): boolean => error instanceof CompanionOperationError && error.kind === kind;
}

describe("data frames of a kernel", function () {
  this.timeout(180_000);
  let rig: KernelRig;
  let connection: KernelConnection;
  let program: Companion;

  before(async () => {
    rig = await startRig();
    connection = await rig.connect(await rig.startKernel());
    program = await attachProgram(connection);
  });
  after(() => rig.stop());

  it("are opened, read by pages, sorted, filtered, and summarized, also while a cell runs", async () => {
    await assert.rejects(program.request(openFrame, { expression: "df", view: plain }), isOfKind("gone"));
    assert.equal((await run(connection, made)).text(), `${rows}\n`);
    const { frames } = await program.request(listFrames, {});
    assert.deepEqual(frames, [{ expression: "df", kind: "pandas", rows, columns: 50 }]);
    const cell = new Cell("import time\nwhile True: time.sleep(0.01)");
    const [execution] = await connection.execute([cell.request()]);
    const { id, shown, columns } = await program.request(openFrame, { expression: "df", view: plain });
    assert.deepEqual([shown, columns.length, columns[49]?.category], [rows, 50, "number"]);
    const part = { start: 999_900, stop: rows, firstColumn: 40, lastColumn: 50 };
    const page = await program.request(readFramePage, { id, view: plain, ...part });
    assert.deepEqual([page.labels.at(-1), page.cells.at(-1)?.at(-1), page.cells.length], [["999999"], "999999", 10]);
    const view: FrameView = {
      filters: [{ column: 49, kind: "range", low: "5", high: "7" }],
      sorting: [{ column: 49, descending: true }],
      search: "",
    };
    assert.deepEqual(await program.request(prepareFrameView, { id, view }), { shown: 3 });
    const copied = await program.request(copyFrameRows, {
      id,
      view,
      start: 0,
      stop: 3,
      firstColumn: 49,
      lastColumn: 50,
    });
    assert.equal(copied.text, "n\n7\n6\n5\n");
    const summary = await program.request(summarizeFrameColumn, { id, view, column: 49 });
    assert.deepEqual([summary.rows, summary.low, summary.high, summary.distinct], [3, "5", "7", 3]);
    await connection.interrupt();
    await execution?.ended;
    const { code } = await program.request(frameCode, { id, view });
    assert.equal((await run(connection, `${code}\nprint(list(view["n"]))`)).text(), "[7, 6, 5]\n");
  });

  it("are opened after others were canceled whose code never ends, and show text that UTF-8 doesn't have", async () => {
    const cell = [
      "import threading, pandas as pd",
      "gate = threading.Event()",
      String.raw`texts = pd.DataFrame({"text": ["a\ud800b"]})`,
      "print(len(texts))",
    ];
    assert.equal((await run(connection, cell.join("\n"))).text(), "1\n");
    const abort = new AbortController();
    const hung = Array.from({ length: 16 }, () =>
      assert.rejects(
        program.request(openFrame, { expression: "gate.wait()", view: plain }, { signal: abort.signal }),
        (error) => error === abort.signal.reason,
      ),
    );
    await until("16 requests", async () => (await program.request(companionInformation, {})).running === 16);
    abort.abort();
    await Promise.all(hung);
    const { id } = await program.request(openFrame, { expression: "texts", view: plain });
    const part = { start: 0, stop: 1, firstColumn: 0, lastColumn: 1 };
    const { cells } = await program.request(readFramePage, { id, view: plain, ...part });
    assert.deepEqual(cells, [["a?b"]]);
    await run(connection, "gate.set()");
  });

  it("are read on after the network was cut while they were read, without another request of the user", async () => {
    const posted: PanelMessage[] = [];
    const session = new FrameSession({
      origin: { name: "df", parameters: { expression: "df" }, companion: async () => program },
      actions: [],
      runAction: () => {},
      post: (message) => void posted.push(message),
      copy: async () => {},
      warn: (text) => assert.fail(text),
    });
    const arrived = (type: PanelMessage["type"]): Promise<unknown> =>
      until(type, async () => posted.find((message) => message.type === type), {
        seconds: 60,
        interval: 50,
        seen: () => JSON.stringify(posted).slice(0, 500),
      });
    session.handle({ type: "open", view: plain });
    await arrived("opened");
    rig.proxy.refuse();
    rig.proxy.cut();
    session.handle({ type: "page", id: 1, view: plain, start: 0, stop: 100, firstColumn: 0, lastColumn: 20 });
    await until("the loss", () => connection.state.type !== "connected" || undefined, {
      seconds: 60,
      interval: 20,
      seen: () => connection.state.type,
    });
    // As Retry does.
    session.handle({ type: "connect" });
    session.handle({ type: "cancel", id: 1 });
    session.handle({ type: "page", id: 2, view: plain, start: 0, stop: 100, firstColumn: 0, lastColumn: 20 });
    rig.proxy.accept();
    await arrived("page");
    assert.deepEqual(
      posted.map((message) => ("id" in message ? [message.type, message.id] : [message.type])),
      [["opening"], ["opened"], ["page", 2]],
    );
    session.dispose();
  });

  it("are noticed when a cell changes them, and end with the kernel", async () => {
    const { id } = await program.request(openFrame, { expression: "df", view: plain });
    const part = { id, view: plain, start: 0, stop: 1, firstColumn: 0, lastColumn: 1 };
    await program.request(readFramePage, part);
    await run(connection, "df = df.iloc[:10]");
    await assert.rejects(program.request(readFramePage, part), isOfKind("changed"));
    assert.equal((await program.request(openFrame, { expression: "df", view: plain })).rows, 10);
    const waiting = program.request(openFrame, { expression: "__import__('time').sleep(600)", view: plain });
    const ended = assert.rejects(waiting, CompanionLostError);
    await connection.restart();
    await ended;
    const next = await attachProgram(connection);
    await assert.rejects(next.request(readFramePage, part), isOfKind("unknown"));
    await assert.rejects(next.request(openFrame, { expression: "df", view: plain }), isOfKind("gone"));
    // Nothing has imported pandas since.
    assert.equal((await run(connection, "import sys\nprint('pandas' in sys.modules)")).text(), "False\n");
  });

  it("can be files of the workspace", async () => {
    await writeFile(join(rig.root, "a.csv"), "x,y\n1,b\n2,a\n");
    const client = rig.client();
    const { signal } = new AbortController();
    const { companion } = await startCompanion({ client: async () => client, owner: "frames", signal, log: silentLog });
    try {
      const view: FrameView = { ...plain, sorting: [{ column: 1, descending: false }] };
      const { id, kind, shown } = await companion.request(openFrame, { path: "a.csv", view });
      assert.deepEqual([kind, shown], ["file", 2]);
      const { cells } = await companion.request(readFramePage, {
        id,
        view,
        start: 0,
        stop: 2,
        firstColumn: 0,
        lastColumn: 2,
      });
      assert.deepEqual(cells, [
        ["2", "1"],
        ["a", "b"],
      ]);
      await assert.rejects(companion.request(openFrame, { path: "b.csv", view }), isOfKind("noFile"));
    } finally {
      companion.dispose();
    }
  });
});
