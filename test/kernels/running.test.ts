import assert from "node:assert/strict";
import { createTransport } from "../../src/api/http/transport.ts";
import { frameCodes } from "../../src/api/http/web-socket-frames.ts";
import type { CommMessage } from "../../src/api/kernels/connection/comms.ts";
import type { KernelConnection, KernelEvent } from "../../src/api/kernels/connection/connection.ts";
import { filterSentFrames } from "../harness/sent-frames.ts";
import { suspendProcess } from "../harness/suspend-process.ts";
import { until } from "../harness/until.ts";
import { untilInterrupted } from "../harness/until-interrupted.ts";
import { Cell, type KernelRig, MemoryJournal, run, startRig } from "./rig.ts";

describe("Running cells", function () {
  this.timeout(180_000);
  let rig: KernelRig;
  let connection: KernelConnection;

  before(async () => {
    rig = await startRig();
    connection = await rig.connect(await rig.startKernel());
  });
  after(async () => await rig.stop());

  it("delivers streams, results, displays, and errors in order", async () => {
    const cell = await run(
      connection,
      [
        "import sys",
        'print("a")',
        'print("b", file=sys.stderr)',
        'handle = display("one", display_id="d")',
        'handle.update("two")',
        "from IPython.display import clear_output",
        "clear_output(wait=True)",
        "print('c')",
        "1 + 1",
      ].join("\n"),
    );
    assert.equal(cell.text(), "a\nc\n");
    assert.equal(cell.text("stderr"), "b\n");
    assert.equal(cell.of("display")[0]?.displayId, "d");
    assert.deepEqual(cell.of("updateDisplay")[0]?.bundle.data, { "text/plain": "'two'" });
    assert.deepEqual(cell.of("clearOutput")[0], { type: "clearOutput", wait: true });
    assert.deepEqual(cell.of("result")[0]?.bundle.data, { "text/plain": "2" });
    assert.deepEqual(cell.of("ended")[0]?.outcome, { type: "ok" });
    assert.equal(cell.of("ended")[0]?.executionCount, cell.of("started")[0]?.executionCount);
    assert.deepEqual([cell.types()[0], cell.types().at(-1)], ["busy", "ended"]);
  });

  it("records a cell before it is sent, and sends it once, even while the connection opens", async () => {
    const journal = new MemoryJournal();
    const kernelId = await rig.startKernel();
    const opening = await rig.connect(kernelId, {
      journal: {
        read: (id) => journal.read(id),
        remove: (id) => journal.remove(id),
        append: (id, entries, deliveredId) => journal.append(id, entries, deliveredId),
        replace: async (id, written) => {
          // Longer than the connection takes to open.
          await opening.ready();
          await journal.replace(id, written);
        },
      },
    });
    const cell = new Cell("import builtins\nbuiltins.runs = getattr(builtins, 'runs', 0) + 1");
    const [execution] = await opening.execute([cell.request()]);
    assert.equal(journal.stored.get(kernelId)?.entries[0]?.messageId, execution?.entry.messageId);
    await execution?.ended;
    assert.equal((await run(opening, "print(builtins.runs)")).text(), "1\n");
    await until("the journal", () => journal.stored.get(kernelId)?.entries[0]?.isFinished === true);
  });

  it("accepts a cell just below the server's limit, and doesn't send one above it", async () => {
    const megabyte = 1024 * 1024;
    const codeOf = (megabytes: number): string => `data = '${"x".repeat(megabytes * megabyte)}'\nprint(len(data))`;
    const opened: number[] = [];
    const subscription = connection.onState(({ type }) => void (type === "connected" ? opened.push(0) : undefined));
    assert.match((await run(connection, codeOf(11))).of("error")[0]?.value ?? "", /11 MB is too large.*10 MB/);
    assert.equal((await run(connection, codeOf(9.9))).text(), `${Math.floor(9.9 * megabyte)}\n`);
    subscription.dispose();
    assert.deepEqual(opened, []);
  });

  it("sends all cells at once, and runs none after a failure", async () => {
    const cells = ["print(1)", "1 / 0", "print(3)"].map((code) => new Cell(code));
    const executions = await connection.execute(cells.map((cell, index) => cell.request(index)));
    const outcomes = await Promise.all(executions.map(({ ended }) => ended));
    assert.deepEqual(
      outcomes.map(({ type }) => type),
      ["ok", "error", "aborted"],
    );
    assert.equal(cells[1]?.of("error")[0]?.name, "ZeroDivisionError");
    assert.equal(cells[2]?.text(), "");
  });

  it("runs no cell after a failure, even if it reaches the kernel after the failure", async () => {
    // The server takes longer to hand on the second cell than the kernel takes to fail.
    const late = `${"# long\n".repeat(700_000)}print('ran')`;
    const cells = [new Cell("1 / 0"), new Cell(late), new Cell("print('ran')")];
    const executions = await connection.execute(cells.map((cell, index) => cell.request(index)));
    const outcomes = await Promise.all(executions.map(({ ended }) => ended));
    assert.deepEqual(
      outcomes.map(({ type }) => type),
      ["error", "aborted", "aborted"],
    );
    assert.deepEqual([cells[1]?.text(), cells[2]?.text()], ["", ""]);
    assert.equal((await run(connection, "print('next')")).text(), "next\n");
  });

  it("continues after a failure on request", async () => {
    const cells = ["1 / 0", "print(2)"].map((code) => new Cell(code));
    const executions = await connection.execute(cells.map((cell) => ({ ...cell.request(), stopOnError: false })));
    await Promise.all(executions.map(({ ended }) => ended));
    assert.equal(cells[1]?.text(), "2\n");
  });

  it("asks for input, and for a password", async () => {
    const cell = new Cell('import getpass\nprint(input("Name? ") + getpass.getpass("Key? "))');
    const [execution] = await connection.execute([cell.request()]);
    await until("the question", () => cell.of("inputRequest").length === 1);
    const [{ id = "", ...asked } = {}] = cell.of("inputRequest");
    assert.deepEqual(asked, { type: "inputRequest", prompt: "Name? ", password: false });
    assert.notEqual(id, "");
    connection.sendInputReply(execution?.entry.messageId ?? "", "Ada ");
    await until("the second question", () => cell.of("inputRequest").length === 2);
    assert.equal(cell.of("inputRequest")[1]?.password, true);
    connection.sendInputReply(execution?.entry.messageId ?? "", "key");
    await execution?.ended;
    assert.equal(cell.text(), "Ada key\n");
  });

  it("shows the late output of a thread in the cell that started it", async () => {
    const first = await run(
      connection,
      [
        "import threading",
        "go = threading.Event()",
        "def late():",
        "    go.wait(20)",
        "    print('late', flush=True)",
        "import contextvars",
        "threading.Thread(target=contextvars.copy_context().run, args=(late,)).start()",
      ].join("\n"),
    );
    const second = await run(connection, "go.set()\nimport time\ntime.sleep(0.2)\nprint('second')");
    await until("the late output", () => first.text().endsWith("\n"));
    assert.equal(first.text(), "late\n");
    assert.equal(second.text(), "second\n");
    // In parts if the kernel is busy.
    const types = first.types();
    assert.deepEqual([...new Set(types.slice(types.indexOf("ended")))], ["ended", "stream"]);
  });

  it("interrupts the running cell, and drops queued ones", async () => {
    const cells = [`print('runs', flush=True)\n${untilInterrupted}`, "print(2)", "print(3)"].map(
      (code) => new Cell(code),
    );
    const executions = await connection.execute(cells.map((cell) => cell.request()));
    await until("the first output", () => cells[0]?.text() !== "");
    await connection.interrupt();
    const outcomes = await Promise.all(executions.map(({ ended }) => ended));
    assert.deepEqual(
      outcomes.map(({ type }) => type),
      ["error", "aborted", "aborted"],
    );
    assert.equal(cells[0]?.of("error")[0]?.name, "KeyboardInterrupt");
  });

  it("also drops queued cells if the running cell survives the interrupt", async () => {
    const stubborn = `try:\n    print('runs', flush=True)\n    ${untilInterrupted}\nexcept KeyboardInterrupt:\n    pass`;
    const cells = [new Cell(stubborn), new Cell(untilInterrupted), new Cell("print('after')")];
    const executions = await connection.execute(cells.map((cell) => cell.request()));
    await until("the first output", () => cells[0]?.text() !== "");
    await connection.interrupt();
    const outcomes = await Promise.all(executions.map(({ ended }) => ended));
    assert.deepEqual(
      outcomes.map(({ type }) => type),
      ["ok", "error", "aborted"],
    );
    assert.equal(cells[2]?.text(), "");
  });

  it("sends comm messages in both directions, with buffers", async () => {
    const received: CommMessage[] = [];
    const listening = connection.onComm((message) => received.push(message));
    await run(
      connection,
      [
        "from comm import create_comm",
        "c = create_comm(target_name='test', data={'a': 1}, buffers=[b'xyz'])",
        "c.on_msg(lambda m: c.send({'echo': m['content']['data']['b']}, buffers=[bytes(x) for x in m['buffers']]))",
      ].join("\n"),
    );
    await until("the comm", () => received.length === 1);
    const [open] = received;
    assert.deepEqual([open?.type, open?.targetName, open?.data], ["open", "test", { a: 1 }]);
    assert.deepEqual(Buffer.from(open?.buffers[0] ?? []).toString(), "xyz");
    const commId = open?.commId ?? "";
    connection.sendComm({
      type: "message",
      commId,
      targetName: undefined,
      data: { b: 2 },
      metadata: {},
      buffers: [Buffer.from("123")],
    });
    await until("the echo", () => received.length === 2);
    assert.deepEqual(received[1]?.data, { echo: 2 });
    assert.equal(Buffer.from(received[1]?.buffers[0] ?? []).toString(), "123");
    listening.dispose();
  });

  it("leaves no trace in the user's namespace and history", async () => {
    await run(connection, "visible = 1");
    const cell = await run(
      connection,
      [
        "import json",
        "names = sorted(n for n in globals() if 'workbench' in n.lower() or n in ('install', 'was_there', 'n'))",
        "print(json.dumps([names, [i for i in In if 'recorder' in i.lower() and 'json.dumps' not in i]]))",
      ].join("\n"),
    );
    assert.equal(cell.text(), "[[], []]\n");
  });

  it("ends pending cells when the kernel restarts, and runs cells again", async () => {
    const events: KernelEvent[] = [];
    const listening = connection.onKernel((event) => events.push(event));
    const cell = new Cell("print('runs', flush=True)\nimport time\ntime.sleep(60)");
    const [execution] = await connection.execute([cell.request(), new Cell("print(2)").request()]);
    await until("the first output", () => cell.text() !== "");
    await connection.restart();
    assert.deepEqual(await execution?.ended, { type: "kernelEnded" });
    const [restart, ...more] = events.filter((event) => event.type === "restarted");
    assert.ok(restart !== undefined && more.length === 0 && !restart.isAutomatic);
    // The server interrupts the kernel before it ends it. If the kernel still replies, it has aborted the second cell.
    assert.ok([1, 2].includes(restart.running.length), JSON.stringify(restart.running));
    assert.equal(restart.running[0]?.cellIndex, 0);
    assert.equal((await run(connection, "print('again')")).text(), "again\n");
    listening.dispose();
  });

  it("reports that the kernel's process exited, with the running cells, and continues with the new one", async () => {
    const events: KernelEvent[] = [];
    const listening = connection.onKernel((event) => events.push(event));
    const cell = await run(connection, "import os\nos._exit(1)");
    assert.deepEqual(cell.of("ended")[0]?.outcome, { type: "kernelEnded" });
    const restart = events.find(({ type }) => type === "restarted");
    assert.ok(restart?.type === "restarted" && restart.isAutomatic && restart.running.length === 1);
    assert.equal((await run(connection, "print('again')")).text(), "again\n");
    listening.dispose();
  });

  it("reports that someone shut down the kernel", async () => {
    const kernelId = await rig.startKernel();
    const journal = new MemoryJournal();
    const other = await rig.connect(kernelId, { journal });
    await run(other, "1");
    await rig.server.shutDown(kernelId);
    await until("the end", () => other.state.type === "kernelDead");
    await until("an empty journal", () => !journal.stored.has(kernelId));
    const cell = await run(other, "1");
    assert.deepEqual(cell.of("ended")[0]?.outcome, { type: "kernelEnded" });
  });

  it("reports that the server culled the kernel", async () => {
    const culling = await startRig([
      ...["--MappingKernelManager.cull_idle_timeout=1", "--MappingKernelManager.cull_interval=1"],
      "--MappingKernelManager.cull_connected=True",
    ]);
    try {
      const culled = await culling.connect(await culling.startKernel());
      const ends: unknown[] = [];
      culled.onKernel((event) => event.type === "ended" && ends.push(event.end));
      await until("the end", () => culled.state.type === "kernelDead");
      // The kernel reports it before it ends, or the server does afterward.
      assert.ok(ends.length === 1 && (ends[0] === "shutDown" || ends[0] === "gone"), String(ends));
    } finally {
      await culling.stop();
    }
  });

  it("reports that the server killed a kernel that couldn't report it", async () => {
    const kernelId = await rig.startKernel();
    const hung = await rig.connect(kernelId);
    const reports: string[] = [];
    hung.onKernel((event) => {
      if (event.type !== "activity") reports.push(event.type === "ended" ? event.end : event.type);
    });
    await suspendProcess(Number((await run(hung, "import os; print(os.getpid())")).text()));
    const cell = new Cell("1");
    const [execution] = await hung.execute([cell.request()]);
    // The server asks it to end, waits in vain, and kills it. Its socket stays open.
    await rig.server.shutDown(kernelId);
    await execution?.ended;
    assert.deepEqual(cell.of("ended")[0]?.outcome, { type: "kernelEnded" });
    assert.deepEqual([hung.state.type, ...reports], ["kernelDead", "gone"]);
  });

  it("follows the activity of another client", async () => {
    const kernelId = await rig.startKernel();
    const [mine, theirs] = [await rig.connect(kernelId), await rig.connect(kernelId)];
    await run(mine, "1");
    const codes: string[] = [];
    let output = "";
    mine.onForeign(({ code, events }) => {
      if (code !== undefined) codes.push(code);
      // A busy kernel can send a line in parts.
      for (const event of events) output += event.type === "stream" ? event.text : "";
    });
    await run(theirs, "print('theirs')");
    await until("their output", () => output.endsWith("\n"));
    assert.deepEqual([codes, output], [["print('theirs')"], "theirs\n"]);
  });

  it("acknowledges what arrives from the moment a cell is sent until its end, and nothing else", async () => {
    const kernelId = await rig.startKernel();
    const theirs = await rig.connect(kernelId);
    let pongs = 0;
    const transport = filterSentFrames(createTransport(), (code) => {
      pongs += code === frameCodes.pong ? 1 : 0;
      return true;
    });
    const client = rig.client(rig.token, transport);
    const mine = await rig.connect(kernelId, { client: async () => client });
    await run(mine, "1");
    // The control channel replies in order: nothing from the beginning of the connection is awaited any longer.
    await mine.request("control", "kernel_info_request", {});
    pongs = 0;
    let output = "";
    mine.onForeign(({ events }) => {
      for (const event of events) output += event.type === "stream" ? event.text : "";
    });
    await run(theirs, "print('theirs')");
    await until("their output", () => output.endsWith("\n"));
    assert.equal(pongs, 0);
    await run(mine, "print('mine')");
    // One for each of the few messages, or fewer if some arrive together.
    assert.ok(pongs >= 1 && pongs <= 20, `${pongs} pongs`);
  });

  it("runs a kernel other than Python", async () => {
    const bash = await rig.connect(await rig.startKernel("bash"));
    const { languageName } = await bash.ready();
    assert.equal(languageName, "bash");
    const cell = await run(bash, "echo hello; ls nowhere-at-all");
    assert.match(cell.text() + cell.text("stderr"), /hello/);
  });

  it("shows the kernels, the sessions, and the working directory of a notebook", async () => {
    const support = await rig.server.support();
    assert.ok(support.type === "available");
    assert.equal(support.defaultName, "python3");
    assert.ok(
      support.specs.some(
        ({ name, language, logoFile }) => name === "python3" && language === "python" && logoFile !== undefined,
      ),
    );
    const logos = await Promise.all(
      ["python3", "bash"].map(async (name) => {
        const spec = support.specs.find((candidate) => candidate.name === name);
        return spec === undefined ? undefined : await rig.server.logo(spec, AbortSignal.timeout(60_000));
      }),
    );
    // The logo for Bash is an SVG.
    assert.deepEqual([Buffer.from(logos[0] ?? []).toString("latin1", 1, 4), logos[1]], ["PNG", undefined]);
    const sessions = await rig.server.sessions();
    const [session] = sessions;
    assert.ok(session?.kernel !== undefined);
    const moved = await rig.server.moveSession(session.id, "renamed.ipynb");
    assert.deepEqual([moved.path, moved.kernel?.id], ["renamed.ipynb", session.kernel.id]);
    assert.equal(await rig.server.kernel("00000000-0000-0000-0000-000000000000"), undefined);
    await rig.server.endSession(session.id);
    assert.equal(await rig.server.kernel(session.kernel.id), undefined);
  });
});
