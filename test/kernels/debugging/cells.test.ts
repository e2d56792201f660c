// Debug sessions with the debugger of real kernels.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { KernelConnection } from "../../../src/api/kernels/connection/connection.ts";
import { until } from "../../harness/until.ts";
import { Cell, type KernelRig, run, startRig } from "../rig.ts";
import { Editor } from "./editor.ts";

interface Shown {
  readonly name: string;
  readonly variablesReference: number;
}

const tool = "def add(x):\n    y = x + 1\n    return y\n";

for (const release of ["current", "older"] as const) {
  describe(`debugging with a ${release} kernel`, function () {
    this.timeout(60_000);
    let rig: KernelRig;
    let connection: KernelConnection;

    before(async () => {
      rig = await startRig([], { release, debugger: true });
      await writeFile(join(rig.root, "tool.py"), tool);
      connection = await rig.connect(await rig.startKernel());
    });
    after(() => rig.stop());

    async function execute(code: string): Promise<{ readonly cell: Cell; readonly ended: Promise<unknown> }> {
      const cell = new Cell(code);
      const [execution] = await connection.execute([cell.request()]);
      return { cell, ended: execution?.ended ?? Promise.reject(new Error("nothing runs")) };
    }

    it("asks the kernel once for the stack of each pause", async () => {
      const cells = { one: "import tool\nn = tool.add(1)\nn" };
      const asked: unknown[] = [];
      const counted = new Proxy(connection, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== "function") return value;
          if (name !== "request") return value.bind(target);
          return (...parameters: Parameters<KernelConnection["request"]>) => {
            asked.push(parameters[2].command);
            return target.request(...parameters);
          };
        },
      });
      const editor = new Editor(counted, cells);
      await editor.start({ one: [{ line: 2 }] });
      const { ended } = await execute(cells.one);
      const stacks = (): number => asked.splice(0).filter((command) => command === "stackTrace").length;
      assert.deepEqual(await editor.stop(), ["breakpoint", "<module> one:2"]);
      await editor.frame();
      assert.equal(stacks(), 1);
      assert.deepEqual(await editor.step("stepIn"), ["step", "add tool.py:2", "<module> one:2"]);
      await editor.frame();
      assert.equal(stacks(), 1);
      await editor.body("continue", { threadId: 1 });
      await ended;
      await editor.body("disconnect");
    });

    it("goes on if the editor asks for variables of an earlier pause", async () => {
      const cells = { one: "sizes = {'a': {'b': 1}}\nn = 1\nn = 2\nn = 3" };
      const editor = new Editor(connection, cells);
      await editor.start({ one: [{ line: 2 }] });
      const { ended } = await execute(cells.one);
      await editor.stop();
      const frameId = await editor.frame();
      const { scopes } = await editor.body("scopes", { frameId });
      const { variablesReference: locals } = scopes[0];
      const shown = async (reference: number): Promise<Readonly<Record<string, number>>> => {
        const { variables } = await editor.body("variables", { variablesReference: reference });
        return Object.fromEntries(variables.map((one: Shown) => [one.name, one.variablesReference]));
      };
      const { sizes = 0 } = await shown(locals);
      const { variablesReference: watched } = await editor.body("evaluate", { expression: "sizes", frameId });
      for (const reference of [sizes, watched]) assert.ok("'a'" in (await shown(reference)));
      await editor.step("next");
      const late = { success: false, message: "The code has continued since then." };
      // A frame that is paused again may keep its id.
      assert.deepEqual(await editor.ask("scopes", { frameId: 99_999 }), late);
      for (const reference of [locals, sizes, watched, 99_999]) {
        assert.deepEqual(await editor.ask("variables", { variablesReference: reference }), late);
      }
      assert.equal((await editor.variables()).n, "1");
      await editor.body("continue", { threadId: 1 });
      await ended;
      await editor.body("disconnect");
    });

    it("stops again if the keys for steps are pressed twice", async () => {
      const wait = "while not os.path.exists('further'): time.sleep(0.01)";
      const cells = { one: `import os, time\nn = 1\n${wait}\nn = 2\nn = 3` };
      const editor = new Editor(connection, cells);
      await editor.start({ one: [{ line: 2 }, { line: 4 }] });
      const { ended } = await execute(cells.one);
      await editor.stop();
      const pressed = ["continue", "continue", "next"].map((command) => editor.body(command, { threadId: 1 }));
      await Promise.all(pressed);
      await writeFile(join(rig.root, "further"), "");
      assert.deepEqual(await editor.stop(), ["breakpoint", "<module> one:4"]);
      await editor.body("continue", { threadId: 1 });
      await ended;
      await editor.body("disconnect");
    });

    it("stops also if a cleanup has deleted the folder for the code of cells", async () => {
      await run(connection, "import shutil, ipykernel.compiler as c; shutil.rmtree(c.get_tmp_directory(), True)");
      const cells = { one: "n = 1\nn = 2" };
      const editor = new Editor(connection, cells);
      await editor.start({ one: [{ line: 2 }] });
      const { ended } = await execute(cells.one);
      assert.deepEqual(await editor.stop(), ["breakpoint", "<module> one:2"]);
      await editor.body("continue", { threadId: 1 });
      await ended;
      await editor.body("disconnect");
    });

    it("stops in a cell and in a module, steps, and changes variables", async () => {
      const cells = { one: "\nimport tool\nn = 1\nfor i in range(3):\n    n = tool.add(n)\nprint(n)" };
      const editor = new Editor(connection, cells);
      await editor.start({
        one: [
          { line: 5, condition: "i == 1" },
          { line: 6, logMessage: "n is {n}" },
        ],
        "tool.py": [{ line: 3, hitCondition: "3" }],
      });
      const { cell, ended } = await execute(cells.one);
      assert.deepEqual(await editor.stop(), ["breakpoint", "<module> one:5"]);
      assert.deepEqual(await editor.step("stepIn"), ["step", "add tool.py:2", "<module> one:5"]);
      assert.deepEqual(await editor.step("next"), ["step", "add tool.py:3", "<module> one:5"]);
      const { x, y } = await editor.variables();
      assert.deepEqual({ x, y }, { x: "2", y: "3" });
      assert.deepEqual(await editor.step("stepOut"), ["step", "<module> one:5"]);
      const frameId = await editor.frame();
      assert.equal((await editor.body("evaluate", { expression: "n * 10", frameId, context: "watch" })).result, "20");
      assert.deepEqual(await editor.step("continue"), ["breakpoint", "add tool.py:3", "<module> one:5"]);
      const { scopes } = await editor.body("scopes", { frameId: await editor.frame() });
      const { variablesReference } = scopes[0];
      await editor.body("setVariable", { variablesReference, name: "y", value: "70" });
      await editor.body("continue", { threadId: 1 });
      await ended;
      assert.equal(cell.text(), "70\n");
      await until("the log", () => editor.events.some(({ body }) => body.output === "n is 70\n") || undefined);
      await editor.body("disconnect");
      assert.deepEqual(editor.end, { type: "detached" });
      assert.equal((await run(connection, "print(n)")).text(), "70\n");
    });

    it("steps into a library, and past the end of a cell", async () => {
      const cells = { one: "import textwrap\ntext = textwrap.dedent(' a')" };
      const editor = new Editor(connection, cells, { justMyCode: false });
      await editor.start({ one: [{ line: 2 }] });
      const { ended } = await execute(cells.one);
      await editor.stop();
      const [reason, top] = await editor.step("stepIn");
      assert.match(`${reason} ${top}`, /^step dedent \/.*textwrap\.py:\d+$/);
      assert.deepEqual(await editor.step("stepOut"), ["step", "<module> one:2"]);
      await editor.body("next", { threadId: 1 });
      await ended;
      await editor.body("disconnect");
    });

    it("stops at an exception that leaves the user's code", async () => {
      const cells = { one: "text = 'x'\nint(text)" };
      const editor = new Editor(connection, cells);
      await editor.start({}, ["userUnhandled"]);
      const { ended } = await execute(cells.one);
      const [reason, top] = await editor.stop();
      assert.equal(reason, "exception");
      assert.match(top ?? "", /^<module>.* one:2$/);
      assert.match((await editor.body("exceptionInfo", { threadId: 1 })).description, /invalid literal/);
      await editor.body("continue", { threadId: 1 });
      await ended;
      await editor.body("disconnect");
    });

    it("stops in a thread", async () => {
      const cells = {
        one: "import threading\ndef work():\n    inside = 1\nthread = threading.Thread(target=work, name='worker')\nthread.start()\nthread.join()",
      };
      const editor = new Editor(connection, cells);
      await editor.start({ one: [{ line: 3 }] });
      const { ended } = await execute(cells.one);
      assert.deepEqual(await editor.stop(), ["breakpoint", "work one:3"]);
      const { threads } = await editor.body("threads");
      assert.deepEqual(threads.map(({ name }: { name: string }) => name).sort(), ["MainThread", "worker"]);
      await editor.body("continue", { threadId: 1 });
      await ended;
      await editor.body("disconnect");
    });

    it("lets the code go on when debugging stops, and debugs again after an interrupt", async () => {
      const cells = { one: "a = 1\nb = 2", two: "c = 3\nd = 4" };
      const editor = new Editor(connection, cells);
      await editor.start({ one: [{ line: 2 }] });
      const first = await execute(cells.one);
      await editor.stop();
      await editor.body("disconnect");
      await first.ended;
      assert.equal((await run(connection, "print(b)")).text(), "2\n");

      const second = new Editor(connection, cells);
      await second.start({ two: [{ line: 2 }] });
      const interrupted = await execute(cells.two);
      await second.stop();
      await connection.interrupt();
      await interrupted.ended;
      assert.equal(interrupted.cell.of("error")[0]?.name, "KeyboardInterrupt");
      await second.body("disconnect");

      const third = new Editor(connection, cells);
      await third.start({ two: [{ line: 2 }] });
      const again = await execute(cells.two);
      assert.deepEqual(await third.stop(), ["breakpoint", "<module> two:2"]);
      await third.body("disconnect");
      await again.ended;
    });

    it("keeps the kernel from connecting to its debugger again when a session ends", async () => {
      // If it did and closed the connection at once, the debugger would never listen again.
      const client = "get_ipython().kernel.debugger.debugpy_client";
      const editor = new Editor(connection, { one: "a = 1" });
      await editor.start({});
      // The debugger closes the connection first. Then the socket says when it will connect again.
      await run(
        connection,
        [
          `import zmq, zmq.utils.monitor as monitor`,
          `_client = ${client}`,
          "_events = _client.debugpy_stream.socket.get_monitor_socket(zmq.EVENT_CONNECT_RETRIED)",
          "def _disconnect():",
          "    global _pause",
          "    _pause = monitor.recv_monitor_message(_events)['value']",
          "    type(_client).disconnect_tcp_socket(_client)",
          "_client.disconnect_tcp_socket = _disconnect",
        ].join("\n"),
      );
      await editor.body("disconnect");
      const restored = "del _client.disconnect_tcp_socket; _client.debugpy_stream.socket.disable_monitor()";
      const pause = Number((await run(connection, `print(_pause); ${restored}`)).text());
      assert.ok(pause >= 3_600_000, `${pause} ms`);
      const again = new Editor(connection, { one: "a = 1" });
      await again.start({});
      await again.body("disconnect");
    });

    it("runs a cell by line, without breakpoints and without entering functions", async () => {
      const lines = [
        "# a comment",
        "",
        "def twice(x):",
        "    return 2 * x",
        "",
        "n = 1",
        "for i in range(2):",
        "    n = twice(n)",
      ];
      const cells = { one: `${lines.join("\n")}\nprint(n)` };
      const editor = new Editor(connection, cells, { lineByLine: "one" });
      await editor.start({});
      const { breakpoints } = await editor.body("setBreakpoints", {
        source: { path: "one" },
        breakpoints: [{ line: 4 }],
      });
      assert.deepEqual(breakpoints, [{ verified: false, message: "Run by Line stops at each line." }]);
      const { cell, ended } = await execute(cells.one);
      const stops = [(await editor.stop()).join(" ")];
      for (const command of ["next", "next", "next", "stepIn", "next", "next", "next"]) {
        stops.push((await editor.step(command)).join(" "));
      }
      assert.deepEqual(
        stops,
        [3, 6, 7, 8, 7, 8, 7, 9].map((line) => `step <module> one:${line}`),
      );
      assert.equal((await editor.variables()).n, "4");
      await editor.body("next", { threadId: 1 });
      await ended;
      assert.equal(cell.text(), "4\n");
      await editor.body("disconnect");
    });

    it("survives a lost connection while it is stopped", async () => {
      const cells = { one: "a = 1\nb = 2\nprint(a + b)" };
      const editor = new Editor(connection, cells);
      await editor.start({ one: [{ line: 2 }] });
      const { cell, ended } = await execute(cells.one);
      await editor.stop();
      const states: string[] = [];
      const listener = connection.onState(({ type }) => states.push(type));
      rig.proxy.cut();
      // It may be connected again before anybody looks.
      await until("the connection is lost", () => states.some((type) => type !== "connected") || undefined);
      listener.dispose();
      assert.deepEqual(await editor.stop(), ["pause", "<module> one:2"]);
      assert.deepEqual(await editor.step("next"), ["step", "<module> one:3"]);
      await editor.body("continue", { threadId: 1 });
      await ended;
      assert.equal(cell.text(), "3\n");
      await editor.body("disconnect");
    });
  });
}
