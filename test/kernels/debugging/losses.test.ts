// What ends a debug session from outside, with real kernels.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../src/api/clock.ts";
import { KernelDebugger } from "../../../src/api/debugging/kernel-debugger.ts";
import type { KernelConnection } from "../../../src/api/kernels/connection/connection.ts";
import type { ExecutionOutcome } from "../../../src/api/kernels/executions/executions.ts";
import { PersonalTime } from "../../harness/personal-time.ts";
import { until } from "../../harness/until.ts";
import { Cell, type KernelRig, run, startRig } from "../rig.ts";
import { Editor } from "./editor.ts";

/** Prints the process ID of debugpy's adapter, which isn't a child of the kernel. */
const findAdapter = `
import pathlib
port = str(get_ipython().kernel.debugger.debugpy_client.debugpy_port)
for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
    try: words = path.read_text().split(chr(0))
    except OSError: continue
    if "--for-server" in words and port in words: print(path.parent.name)
`;

for (const release of ["current", "older"] as const) {
  describe(`losing a debugged ${release} kernel`, function () {
    this.timeout(60_000);
    let rig: KernelRig;
    let connection: KernelConnection;

    before(async () => {
      rig = await startRig([], { release, debugger: true });
      connection = await rig.connect(await rig.startKernel());
    });
    after(() => rig.stop());

    /** Runs a cell until it stops at its second line. `ended` resolves with its outcome. */
    async function stopped(code = "a = 1\nb = 2\nprint(a + b)", clock?: Clock) {
      const editor = new Editor(connection, { one: code }, clock === undefined ? {} : { clock });
      await editor.start({ one: [{ line: 2 }] });
      const cell = new Cell(code);
      const [execution] = await connection.execute([cell.request()]);
      const ended = execution?.ended ?? Promise.reject<ExecutionOutcome>(new Error("nothing runs"));
      assert.deepEqual(await editor.stop(), ["breakpoint", "<module> one:2"]);
      return { editor, cell, ended };
    }

    async function reasonOf(editor: Editor): Promise<string> {
      const end = await until("the session ends", () => editor.end);
      assert.equal(editor.events.at(-1)?.event, "terminated");
      assert.equal((await editor.ask("threads")).success, false);
      return end.type === "lost" ? String(end.reason) : end.type;
    }

    it("ends with a sentence when the kernel dies while it is stopped, and the cell ends, too", async () => {
      const process = Number((await run(connection, "import os\nprint(os.getpid())")).text());
      const { editor, ended } = await stopped();
      globalThis.process.kill(process, "SIGKILL");
      assert.equal(await reasonOf(editor), "The debugger has stopped because the kernel was restarted.");
      assert.deepEqual(await ended, { type: "kernelEnded" });
      assert.equal((await run(connection, "print(1)")).text(), "1\n");
    });

    it("ends with a sentence when the kernel is restarted while it is stopped", async () => {
      const { editor, ended } = await stopped();
      await connection.restart();
      assert.equal(await reasonOf(editor), "The debugger has stopped because the kernel was restarted.");
      assert.deepEqual(await ended, { type: "kernelEnded" });
      assert.equal((await run(connection, "print(1)")).text(), "1\n");
    });

    it("ends with a sentence when the kernel is shut down while it is stopped", async () => {
      const kernelId = await rig.startKernel();
      const own = await rig.connect(kernelId);
      const editor = new Editor(own, { one: "a = 1\nb = 2" });
      await editor.start({ one: [{ line: 2 }] });
      await own.execute([new Cell("a = 1\nb = 2").request()]);
      await editor.stop();
      await rig.server.shutDown(kernelId);
      assert.equal(await reasonOf(editor), "The debugger has stopped because the kernel has ended.");
    });

    it("lets the code go on when another window takes the kernel over while it is stopped", async () => {
      const { editor, cell, ended } = await stopped();
      editor.session.end({ type: "lost", reason: "Taken over.", isReachable: true });
      assert.equal(await reasonOf(editor), "Taken over.");
      assert.deepEqual(await ended, { type: "ok" });
      assert.equal(cell.text(), "3\n");
    });

    it("is debugged by another window although this one has stopped it, and says so in this one", async () => {
      const { editor, cell, ended } = await stopped();
      const other = new Editor(await rig.connect(connection.kernelId), { two: "c = 3\nd = 4" });
      await other.start({ two: [{ line: 2 }] });
      const taken = "The debugger has stopped because another window or program has ended it.";
      assert.equal(await reasonOf(editor), taken);
      assert.deepEqual(await ended, { type: "ok" });
      assert.equal(cell.text(), "3\n");
      const next = await connection.execute([new Cell("c = 3\nd = 4").request()]);
      assert.deepEqual(await other.stop(), ["breakpoint", "<module> two:2"]);
      await other.body("disconnect");
      await next[0]?.ended;
    });

    it("interrupts what it evaluates when it ends, and lets the code go on", async () => {
      const clock = new PersonalTime();
      const { editor, cell, ended } = await stopped(undefined, clock);
      const frameId = await editor.frame();
      const expression = "__import__('pathlib').Path('began').touch() or __import__('time').sleep(3600)";
      const evaluated = editor.ask("evaluate", { expression, frameId, context: "repl" });
      await until("the evaluation begins", () => existsSync(join(rig.root, "began")));
      const end = editor.body("disconnect");
      await setImmediate();
      clock.pass(1000);
      await end;
      assert.equal((await evaluated).success, false);
      assert.deepEqual(await ended, { type: "ok" });
      assert.equal(cell.text(), "3\n");
    });

    it("ends with a sentence when the debugger doesn't reply anymore, also the next time", async () => {
      const own = await rig.connect(await rig.startKernel());
      const cells = { one: "a = 1\nb = 2" };
      const clock = new PersonalTime();
      const editor = new Editor(own, cells, { clock });
      await editor.start({ one: [{ line: 2 }] });
      const adapter = Number((await run(own, findAdapter)).text());
      await own.execute([new Cell(cells.one).request()]);
      await editor.stop();
      globalThis.process.kill(adapter, "SIGKILL");
      const step = editor.ask("next", { threadId: 1 });
      await setImmediate();
      clock.pass(60_000);
      const silent = "The debugger has stopped because it doesn't reply. Restart the kernel, then try again.";
      assert.equal(await reasonOf(editor), silent);
      await step;

      const next = new Editor(own, cells, { clock });
      const start = next.ask("initialize");
      await until("it ends the earlier session", () => {
        clock.pass(20_000);
        return next.end;
      });
      assert.equal(await reasonOf(next), silent);
      assert.equal((await start).success, false);
      await own.restart();
      const last = new Editor(own, cells);
      await last.start({ one: [{ line: 2 }] });
      await last.body("disconnect");
    });

    it("finds the stop that it has missed while the connection was lost", async () => {
      const code = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)\nb = 2";
      const editor = new Editor(connection, { one: code });
      await editor.start({ one: [{ line: 3 }] });
      const cell = new Cell(code);
      const [execution] = await connection.execute([cell.request()]);
      await until("the cell runs", () => cell.types().includes("started") || undefined);
      rig.proxy.refuse();
      rig.proxy.cut();
      await until("the connection is lost", () => connection.state.type !== "connected" || undefined);
      await writeFile(join(rig.root, "go"), "");
      const beside = new KernelDebugger(await rig.connect(connection.kernelId, { client: async () => rig.direct }));
      await until("the stop", async () => (await beside.information())?.stoppedThreads?.length || undefined);
      rig.proxy.accept();
      assert.deepEqual(await editor.stop(), ["pause", "<module> one:3"]);
      await editor.body("continue", { threadId: 1 });
      await execution?.ended;
      await editor.body("disconnect");
    });

    it("keeps its place in a cell that is edited while it is stopped, and stops in the new code the next time", async () => {
      const { editor, cell, ended } = await stopped();
      const edited = "a = 10\n# new\nb = 2\nprint(a + b)";
      editor.cells = { ...editor.cells, edited };
      await editor.session.setBreakpoints("edited", [{ line: 3 }]);
      assert.deepEqual(await editor.step("next"), ["step", "<module> one:3"]);
      await editor.body("continue", { threadId: 1 });
      await ended;
      assert.equal(cell.text(), "3\n");
      const [again] = await connection.execute([new Cell(edited).request()]);
      assert.deepEqual(await editor.stop(), ["breakpoint", "<module> edited:3"]);
      await editor.body("continue", { threadId: 1 });
      await again?.ended;
      await editor.body("disconnect");
    });
  });
}
