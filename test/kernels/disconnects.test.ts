import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConnectionState } from "../../src/api/kernels/connection/connection-state.ts";
import { until } from "../harness/until.ts";
import { Cell, type KernelRig, MemoryJournal, run, startRig } from "./rig.ts";

/** Prints lines with pauses between them. After the tenth, it also runs this. */
function lines(count: number, pause: number, afterTenth = "pass"): string {
  const line = `    print('line', i, flush=True)\n    if i == 9:\n        ${afterTenth}\n    time.sleep(${pause})`;
  return `import os, time\nfor i in range(${count}):\n${line}`;
}

/** Code that creates a file, and code that waits for one. */
const make = (name: string): string => `open('${name}', 'w').close()`;
const waitFor = (name: string): string => `while not os.path.exists('${name}'): time.sleep(0.02)`;

function expected(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index}\n`).join("");
}

describe("Disconnects", function () {
  this.timeout(180_000);
  let rig: KernelRig;

  before(async () => {
    rig = await startRig();
  });
  after(async () => await rig.stop());
  afterEach(async () => {
    rig.proxy.accept();
    await Promise.all(["mark", "gate", "gate2"].map((name) => rm(join(rig.root, name), { force: true })));
  });
  const isMarked = (): boolean => existsSync(join(rig.root, "mark"));
  const openGate = (): Promise<void> => writeFile(join(rig.root, "gate"), "");

  for (const recorder of ["on", "off"] as const) {
    const outcome = recorder === "on" ? "loses no line" : "loses only what was on its way, and says so,";
    it(`${outcome} when the connection is cut, recorder ${recorder}`, async () => {
      const connection = await rig.connect(await rig.startKernel(), { recorder });
      await connection.ready();
      const states: ConnectionState["type"][] = [];
      connection.onState(({ type }) => states.push(type));
      const cell = new Cell(lines(20, 0.05, `${make("mark")}\n        ${waitFor("gate")}`));
      const [execution] = await connection.execute([cell.request()]);
      await until("some lines", () => cell.text().includes("line 4"));
      rig.proxy.refuse();
      rig.proxy.cut();
      await until("waiting", () => connection.state.type === "waiting");
      await until("lines that nobody got", isMarked);
      rig.proxy.accept();
      await until("connected", () => connection.state.type === "connected");
      await openGate();
      assert.deepEqual(await execution?.ended, { type: "ok" });
      if (recorder === "on") {
        assert.equal(cell.text(), expected(20));
      } else {
        const all = expected(20).split("\n");
        const came = cell.text().split("\n");
        assert.deepEqual(
          came,
          all.filter((line) => came.includes(line)),
        );
        assert.ok(came.length > 10 && cell.text().endsWith("line 19\n"), cell.text());
      }
      assert.ok(states.includes("waiting") && states.at(-1) === "connected");
      assert.equal(cell.of("gap").length, recorder === "on" ? 0 : 1);
      assert.equal(cell.of("ended").length, 1);
    });
  }

  it("recovers output that a half-open socket lost, in order", async () => {
    const connection = await rig.connect(await rig.startKernel(), {
      times: { ping: 300, firstPauseMs: 20, maxPauseMs: 100, handshake: 30_000, check: 500 },
    });
    await connection.ready();
    const cell = new Cell(lines(30, 0.1));
    const [execution] = await connection.execute([cell.request()]);
    await until("some lines", () => cell.text().includes("line 3"));
    rig.proxy.freeze();
    await execution?.ended;
    assert.equal(cell.text(), expected(30));
    assert.equal(cell.of("gap").length, 0);
  });

  it("reports that output may be missing if a half-open socket lost it and it wasn't recorded", async () => {
    const connection = await rig.connect(await rig.startKernel("bash"), {
      times: { ping: 300, firstPauseMs: 20, maxPauseMs: 100, handshake: 30_000, check: 500 },
    });
    await connection.ready();
    const cell = new Cell("for i in 1 2 3 4 5 6 7 8 9 10; do echo line $i; sleep 0.2; done");
    const [execution] = await connection.execute([cell.request()]);
    await until("some lines", () => cell.text().includes("line 2"));
    rig.proxy.freeze();
    await execution?.ended;
    assert.equal(cell.of("gap").length >= 1, true);
    assert.equal(cell.of("ended").length, 1);
  });

  it("recovers output that the server discarded because another client connected meanwhile", async () => {
    const kernelId = await rig.startKernel();
    const connection = await rig.connect(kernelId);
    await connection.ready();
    const cell = new Cell(lines(20, 0.05, make("mark")));
    const [execution] = await connection.execute([cell.request()]);
    await until("some lines", () => cell.text().includes("line 2"));
    rig.proxy.refuse();
    rig.proxy.cut();
    const other = await rig.connect(kernelId, { client: async () => rig.direct });
    await other.ready();
    await until("lines for the other client", isMarked);
    rig.proxy.accept();
    await execution?.ended;
    assert.equal(cell.text(), expected(20));
    assert.equal(cell.of("gap").length, 0);
  });

  it("delivers all of 6,000 displays and 10 MB of text that were published while disconnected", async () => {
    const connection = await rig.connect(await rig.startKernel());
    await connection.ready();
    const displays = new Cell("import time\ntime.sleep(0.3)\nfor i in range(6000): display(i)");
    const text = new Cell(`for i in range(1000): print(str(i) + 'x' * 10_000)\n${make("mark")}`);
    const executions = await connection.execute([displays.request(0), text.request(1)]);
    await until("the start", () => displays.types().includes("started"));
    rig.proxy.refuse();
    rig.proxy.cut();
    await until("waiting", () => connection.state.type === "waiting");
    await until("the end of the kernel's work", isMarked);
    rig.proxy.accept();
    await Promise.all(executions.map(({ ended }) => ended));
    assert.deepEqual([...displays.of("gap"), ...text.of("gap")], []);
    assert.equal(displays.of("display").length, 6000);
    assert.deepEqual(
      displays.of("display").map(({ bundle }) => bundle.data["text/plain"]),
      Array.from({ length: 6000 }, (_, i) => String(i)),
    );
    assert.equal(text.text(), Array.from({ length: 1000 }, (_, i) => `${i}${"x".repeat(10_000)}\n`).join(""));
  });

  it("recovers output that the server drops because of its rate limit", async () => {
    const connection = await rig.connect(await rig.startKernel());
    await connection.ready();
    const cell = await run(connection, "for i in range(2000): print(str(i) + 'x' * 10_000)");
    assert.equal(
      cell.text().length,
      Array.from({ length: 2000 }, (_, i) => `${i}`.length + 10_001).reduce((a, b) => a + b),
    );
    assert.equal(cell.text("stderr"), "");
    assert.deepEqual(cell.of("gap"), []);
  });

  it("reports that output is missing if the server drops it and it wasn't recorded", async () => {
    const connection = await rig.connect(await rig.startKernel(), { recorder: "off" });
    await connection.ready();
    const cell = await run(connection, "for i in range(2000): print(str(i) + 'x' * 10_000)");
    assert.equal(cell.text("stderr"), "");
    assert.deepEqual(cell.of("gap")[0]?.reason, { type: "rateLimit" });
  });

  it("shows an input request that was sent while disconnected", async () => {
    const connection = await rig.connect(await rig.startKernel());
    await connection.ready();
    const asks = `${waitFor("gate")}\n${make("mark")}\nprint(input('Name? '))`;
    const cell = new Cell(`import os, time\nprint('a', flush=True)\n${asks}`);
    const [execution] = await connection.execute([cell.request()]);
    await until("the output", () => cell.text() === "a\n");
    rig.proxy.refuse();
    rig.proxy.cut();
    await until("waiting", () => connection.state.type === "waiting");
    await openGate();
    await until("the kernel to ask", isMarked);
    rig.proxy.accept();
    await until("the question", () => cell.of("inputRequest").length === 1);
    connection.sendInputReply(execution?.entry.messageId ?? "", "Ada");
    await execution?.ended;
    // Depending on the moment, the recorder also delivers what this window has shown itself.
    const published = cell.of("stream").filter(({ echoOf }) => echoOf === undefined);
    assert.equal(published.map(({ text }) => text).join(""), "a\nAda\n");
  });

  it("sends what was queued without a connection once, and in order", async () => {
    const connection = await rig.connect(await rig.startKernel());
    await connection.ready();
    await run(connection, "runs = []");
    rig.proxy.refuse();
    rig.proxy.cut();
    await until("waiting", () => connection.state.type === "waiting");
    const executions = await connection.execute([1, 2, 3].map((n) => new Cell(`runs.append(${n})`).request(n)));
    assert.deepEqual(
      executions.map(({ phase }) => phase),
      ["queued", "queued", "queued"],
    );
    rig.proxy.accept();
    await Promise.all(executions.map(({ ended }) => ended));
    assert.equal((await run(connection, "print(runs)")).text(), "[1, 2, 3]\n");
  });

  it("reports that a cell was not received if its request was lost, and never sends it twice", async () => {
    const connection = await rig.connect(await rig.startKernel(), {
      times: { ping: 300, firstPauseMs: 20, maxPauseMs: 100, handshake: 30_000, check: 500 },
    });
    await connection.ready();
    await run(connection, "runs = []");
    rig.proxy.freeze();
    const cell = new Cell("runs.append(1)");
    const [execution] = await connection.execute([cell.request()]);
    assert.deepEqual(await execution?.ended, { type: "notReceived" });
    assert.equal((await run(connection, "print(runs)")).text(), "[]\n");
  });

  it("waits for a new token when the token is rejected, and the run continues", async () => {
    let token = rig.token;
    const connection = await rig.connect(await rig.startKernel(), { client: async () => rig.client(token) });
    await connection.ready();
    const cell = new Cell(lines(20, 0.05));
    const [execution] = await connection.execute([cell.request()]);
    await until("some lines", () => cell.text().includes("line 2"));
    token = "expired";
    rig.proxy.cut();
    await until("the rejection", () => connection.state.type === "credentialRejected");
    token = rig.token;
    connection.retry();
    await execution?.ended;
    assert.equal(cell.text(), expected(20));
  });

  it("reports that the kernel is gone after the connection broke, with the cells that were running", async () => {
    const kernelId = await rig.startKernel();
    const connection = await rig.connect(kernelId);
    await connection.ready();
    const cell = new Cell("print('runs', flush=True)\nimport time\ntime.sleep(60)");
    const [execution] = await connection.execute([cell.request()]);
    await until("the output", () => cell.text() !== "");
    const ended: unknown[] = [];
    connection.onKernel((event) => event.type === "ended" && ended.push([event.end, event.running.length]));
    rig.proxy.refuse();
    rig.proxy.cut();
    await rig.direct.call((await import("../../src/api/kernels/operations.ts")).shutDownKernel, { kernelId });
    rig.proxy.accept();
    assert.deepEqual(await execution?.ended, { type: "kernelEnded" });
    assert.deepEqual(ended, [["gone", 1]]);
    assert.deepEqual(cell.types().slice(-2), ["gap", "ended"]);
  });

  describe("after a reload of the window", () => {
    it("delivers all output of running, finished, and queued cells", async () => {
      const kernelId = await rig.startKernel();
      const journal = new MemoryJournal();
      const before = await rig.connect(kernelId, { journal });
      await before.ready();
      const codes = ["print('done')", lines(20, 0.05, make("mark")), "print('last')"];
      await before.execute(codes.map((code, index) => new Cell(code).request(index)));
      await until("the second cell", () => before.pending.length === 2);
      const stored = await until("the last message in the journal", () => {
        const current = journal.stored.get(kernelId);
        return current?.deliveredId === undefined ? undefined : current;
      });
      before.dispose();
      // What a window leaves that ends before it has written that the first cell has ended.
      const left = new MemoryJournal();
      const entries = stored.entries.map((entry) => ({ ...entry, isFinished: false }));
      await left.replace(kernelId, { ...stored, entries });
      await until("lines that nobody got", isMarked);
      const after = await rig.connect(kernelId, { journal: left });
      const cells = codes.map(() => new Cell());
      const executions = await after.resume(({ cellIndex }) => cells[cellIndex]);
      await Promise.all(executions.map(({ ended }) => ended));
      await until("the last cell", () => cells[2]?.text() === "last\n");
      assert.deepEqual(
        cells.map((cell) => cell.text()),
        ["done\n", expected(20), "last\n"],
      );
      assert.deepEqual(
        cells.map((cell) => cell.of("gap").length),
        [0, 0, 0],
      );
      assert.deepEqual(
        cells.map((cell) => cell.of("ended").length),
        [1, 1, 1],
      );
    });

    it("shows what the user entered in a cell that has ended, but no password", async () => {
      const kernelId = await rig.startKernel();
      const journal = new MemoryJournal();
      const before = await rig.connect(kernelId, { journal });
      await before.ready();
      const code = "print('name', input('Question? '))\nimport getpass\nprint(len(getpass.getpass('Key? ')))";
      const asking = new Cell(code);
      const [asked] = await before.execute(
        [asking, new Cell(`import os, time\n${waitFor("gate")}`)].map((cell, index) => cell.request(index)),
      );
      for (const [index, input] of ["42", "secret key"].entries()) {
        await until("the question", () => asking.of("inputRequest").length === index + 1);
        before.sendInputReply(asked?.entry.messageId ?? "", input);
      }
      await asked?.ended;
      assert.equal(asking.text(), "name 42\n10\n");
      before.dispose();
      const after = await rig.connect(kernelId, { journal });
      const shown = new Cell();
      const executions = await after.resume(({ cellIndex }) => (cellIndex === 0 ? shown : new Cell()));
      await until("the cell again", () => shown.of("ended").length === 1);
      assert.equal(shown.text(), "Question? 42\nname 42\nKey? ········\n10\n");
      assert.deepEqual(
        shown.of("stream").flatMap(({ echoOf }) => echoOf ?? []),
        asking.of("inputRequest").map(({ id }) => id),
      );
      await openGate();
      await Promise.all(executions.map(({ ended }) => ended));
    });

    for (const recorder of ["on", "off"] as const) {
      it(`delivers the late output of a thread whose cell had ended, and nothing twice, recorder ${recorder}`, async () => {
        const kernelId = await rig.startKernel();
        const journal = new MemoryJournal();
        const before = await rig.connect(kernelId, { journal, recorder });
        await before.ready();
        const work = `${lines(20, 0.05, waitFor("gate"))}\n${make("mark")}`;
        const body = work.split("\n").join("\n    ");
        const first = new Cell(`import threading\ndef talk():\n    ${body}\nthreading.Thread(target=talk).start()`);
        const [execution] = await before.execute([first.request()]);
        assert.deepEqual(await execution?.ended, { type: "ok" });
        // Nothing is on its way when the window closes.
        await until("the lines before the gate", () => first.text().endsWith("line 9\n"));
        before.dispose();
        await before.closed;
        await openGate();
        assert.deepEqual(
          journal.stored.get(kernelId)?.entries.map(({ isFinished }) => isFinished),
          [true],
        );
        await until("lines that nobody got", isMarked);
        const after = await rig.connect(kernelId, { journal, recorder });
        const second = new Cell();
        await after.resumeLateOutput(() => second);
        await until("the last line", () => second.text().endsWith("line 19\n"));
        assert.equal(first.text() + second.text(), expected(20));
        assert.deepEqual(second.of("gap"), []);
      });
    }

    it("delivers late output that was on its way when the window closed, and nothing twice", async () => {
      const kernelId = await rig.startKernel();
      const journal = new MemoryJournal();
      const before = await rig.connect(kernelId, { journal });
      await before.ready();
      const work = `${lines(20, 0.02, waitFor("gate"))}\n    if i == 14:\n        ${make("mark")}\n        ${waitFor("gate2")}`;
      const body = work.split("\n").join("\n    ");
      const first = new Cell(`import threading\ndef talk():\n    ${body}\nthreading.Thread(target=talk).start()`);
      const [execution] = await before.execute([first.request()]);
      assert.deepEqual(await execution?.ended, { type: "ok" });
      await until("the lines before the gate", () => first.text().endsWith("line 9\n"));
      // The server sends the next lines, but they don't arrive any more.
      rig.proxy.freezeSockets();
      await openGate();
      await until("lines that were sent", isMarked);
      before.dispose();
      await before.closed;
      await writeFile(join(rig.root, "gate2"), "");
      const after = await rig.connect(kernelId, { journal });
      const second = new Cell();
      await after.resumeLateOutput(() => second);
      await until("the last line", () => second.text().endsWith("line 19\n"));
      assert.equal(first.text() + second.text(), expected(20));
      assert.deepEqual(second.of("gap"), []);
      after.dispose();
      await after.closed;
      const third = new Cell();
      const last = await rig.connect(kernelId, { journal });
      await last.resumeLateOutput(() => third);
      assert.equal((await run(last, "print('fresh')")).text(), "fresh\n");
      assert.deepEqual(third.events, []);
    });

    it("delivers late output, and reports what may be missing, without a recorder", async () => {
      const kernelId = await rig.startKernel();
      const journal = new MemoryJournal();
      const before = await rig.connect(kernelId, { journal, recorder: "off" });
      await before.ready();
      const first = new Cell(lines(20, 0.05));
      await before.execute([first.request()]);
      await until("some lines", () => first.text().includes("line 2"));
      before.dispose();
      const after = await rig.connect(kernelId, { journal, recorder: "off" });
      await after.ready();
      const second = new Cell();
      const [execution] = await after.resume(() => second);
      const fresh = await run(after, "print('fresh')");
      assert.deepEqual([fresh.text(), fresh.of("ended")[0]?.outcome], ["fresh\n", { type: "ok" }]);
      assert.deepEqual(fresh.of("gap"), []);
      await execution?.ended;
      assert.equal(second.of("gap").length, 1);
      assert.ok((first.text() + second.text()).endsWith("line 19\n"));
      assert.equal(second.types().at(-1), "ended");
    });
  });
});
