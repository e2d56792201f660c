// Debug sessions with the debugger of real kernels.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DebugEvent, DebugOutput, DebugResult } from "../../src/api/debugging/debug-message.ts";
import { DebugSession, type EditorSources } from "../../src/api/debugging/debug-session.ts";
import type { SessionEnd } from "../../src/api/debugging/session-machine.ts";
import type { KernelConnection } from "../../src/api/kernels/connection/connection.ts";
import { until } from "../harness/until.ts";
import { Cell, type KernelRig, run, startRig } from "./rig.ts";

/** The editor's side of a session, with cells by their names. */
class Editor implements EditorSources {
  readonly session: DebugSession;
  readonly events: DebugEvent[] = [];
  readonly cells: Readonly<Record<string, string>>;
  end: SessionEnd | undefined;
  isConfigured = false;
  #sequence = 0;
  readonly #replies = new Map<number, (result: DebugResult) => void>();

  constructor(connection: KernelConnection, cells: Readonly<Record<string, string>>, justMyCode: boolean) {
    this.cells = cells;
    this.session = new DebugSession({
      connection,
      sources: this,
      path: "tool.py",
      folder: "",
      justMyCode,
      onOutput: (output) => this.#take(output),
      onConfigured: () => {
        this.isConfigured = true;
      },
      onEnd: (end) => {
        this.end = end;
      },
    });
  }

  find(address: string): ReturnType<EditorSources["find"]> {
    const code = this.cells[address];
    if (code !== undefined) return { kind: "cell", code };
    return address.startsWith("/") ? { kind: "library", path: address } : { kind: "workspace", path: address };
  }

  addressOf(...[source, hashOf]: Parameters<EditorSources["addressOf"]>): ReturnType<EditorSources["addressOf"]> {
    if (source.kind !== "cell") return { path: source.path, name: source.path };
    const name = Object.keys(this.cells).find((cell) => hashOf(this.cells[cell] ?? "") === source.hash);
    return name === undefined ? undefined : { path: name, name };
  }

  async ask(command: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<DebugResult> {
    this.#sequence += 1;
    const seq = this.#sequence;
    const reply = Promise.withResolvers<DebugResult>();
    this.#replies.set(seq, reply.resolve);
    this.session.request({ type: "request", seq, command, arguments: parameters });
    return await reply.promise;
  }

  /** The body of a reply that must be a success. */
  async body(command: string, parameters: Readonly<Record<string, unknown>> = {}) {
    const result = await this.ask(command, parameters);
    assert.ok(result.success, JSON.stringify(result));
    // biome-ignore lint/suspicious/noExplicitAny: the shapes of a protocol that the editor checks
    return (result.body ?? {}) as any;
  }

  async start(
    breakpoints: Readonly<Record<string, readonly object[]>>,
    filters: readonly string[] = [],
  ): Promise<void> {
    await this.body("initialize", { adapterID: "test", linesStartAt1: true, columnsStartAt1: true });
    await this.body("launch");
    assert.ok(this.events.some(({ event }) => event === "initialized"));
    for (const [path, lines] of Object.entries(breakpoints)) {
      await this.body("setBreakpoints", { source: { path }, breakpoints: lines });
    }
    await this.body("setExceptionBreakpoints", { filters });
    await this.body("configurationDone");
    assert.ok(this.isConfigured);
  }

  /** Where it stops next: the reason, then each frame as `name path:line`. */
  async stop(): Promise<readonly string[]> {
    const stopped = await until("the debugger stops", () => {
      const index = this.events.findIndex(({ event }) => event === "stopped");
      return index === -1 ? undefined : this.events.splice(0, index + 1).at(-1);
    });
    const { stackFrames } = await this.body("stackTrace", {
      threadId: stopped.body.threadId,
      startFrame: 0,
      levels: 20,
    });
    return [
      String(stopped.body.reason),
      ...stackFrames.map(
        ({ name, line, source }: { name: string; line: number; source?: { path: string } }) =>
          `${name} ${source?.path}:${line}`,
      ),
    ];
  }

  async step(command: string): Promise<readonly string[]> {
    await this.body(command, { threadId: 1 });
    return await this.stop();
  }

  async variables(): Promise<Readonly<Record<string, string>>> {
    const frame = await this.frame();
    const { scopes } = await this.body("scopes", { frameId: frame });
    const { variables } = await this.body("variables", { variablesReference: scopes[0].variablesReference });
    return Object.fromEntries(variables.map(({ name, value }: { name: string; value: string }) => [name, value]));
  }

  async frame(): Promise<number> {
    const { stackFrames } = await this.body("stackTrace", { threadId: 1, startFrame: 0, levels: 1 });
    return stackFrames[0].id;
  }

  #take(output: DebugOutput): void {
    if (output.type === "event") {
      this.events.push({ event: output.event, body: output.body });
    } else {
      this.#replies.get(output.request.seq)?.(output.result);
    }
  }
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

    it("stops in a cell and in a module, steps, and changes variables", async () => {
      const cells = { one: "\nimport tool\nn = 1\nfor i in range(3):\n    n = tool.add(n)\nprint(n)" };
      const editor = new Editor(connection, cells, true);
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
      const editor = new Editor(connection, cells, false);
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
      const editor = new Editor(connection, cells, true);
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
      const editor = new Editor(connection, cells, true);
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
      const editor = new Editor(connection, cells, true);
      await editor.start({ one: [{ line: 2 }] });
      const first = await execute(cells.one);
      await editor.stop();
      await editor.body("disconnect");
      await first.ended;
      assert.equal((await run(connection, "print(b)")).text(), "2\n");

      const second = new Editor(connection, cells, true);
      await second.start({ two: [{ line: 2 }] });
      const interrupted = await execute(cells.two);
      await second.stop();
      await connection.interrupt();
      await interrupted.ended;
      assert.equal(interrupted.cell.of("error")[0]?.name, "KeyboardInterrupt");
      await second.body("disconnect");

      const third = new Editor(connection, cells, true);
      await third.start({ two: [{ line: 2 }] });
      const again = await execute(cells.two);
      assert.deepEqual(await third.stop(), ["breakpoint", "<module> two:2"]);
      await third.body("disconnect");
      await again.ended;
    });

    it("survives a lost connection while it is stopped", async () => {
      const cells = { one: "a = 1\nb = 2\nprint(a + b)" };
      const editor = new Editor(connection, cells, true);
      await editor.start({ one: [{ line: 2 }] });
      const { cell, ended } = await execute(cells.one);
      await editor.stop();
      rig.proxy.cut();
      await until("the connection is lost", () => connection.state.type !== "connected" || undefined);
      assert.deepEqual(await editor.stop(), ["pause", "<module> one:2"]);
      assert.deepEqual(await editor.step("next"), ["step", "<module> one:3"]);
      await editor.body("continue", { threadId: 1 });
      await ended;
      assert.equal(cell.text(), "3\n");
      await editor.body("disconnect");
    });

    it("ends with a sentence when the kernel is restarted while it is stopped", async () => {
      const cells = { one: "a = 1\nb = 2" };
      const editor = new Editor(connection, cells, true);
      await editor.start({ one: [{ line: 2 }] });
      await execute(cells.one);
      await editor.stop();
      await connection.restart();
      const end = await until("the session ends", () => editor.end);
      assert.equal(
        end.type === "lost" && String(end.reason),
        "The debugger has stopped because the kernel was restarted.",
      );
      assert.equal(editor.events.at(-1)?.event, "terminated");
      assert.equal((await editor.ask("threads")).success, false);
      assert.equal((await run(connection, "print(1)")).text(), "1\n");
    });
  });
}
