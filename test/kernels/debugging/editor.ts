import assert from "node:assert/strict";
import type { DebugEvent, DebugOutput, DebugResult } from "../../../src/api/debugging/debug-message.ts";
import { DebugSession } from "../../../src/api/debugging/debug-session.ts";
import type { EditorSources } from "../../../src/api/debugging/editor-sources.ts";
import type { SessionEnd } from "../../../src/api/debugging/session-machine.ts";
import type { KernelConnection } from "../../../src/api/kernels/connection/connection.ts";
import { until } from "../../harness/until.ts";

/** The editor's side of a session, with cells by their names. */
export class Editor implements EditorSources {
  readonly session: DebugSession;
  readonly events: DebugEvent[] = [];
  cells: Readonly<Record<string, string>>;
  end: SessionEnd | undefined;
  isConfigured = false;
  #sequence = 0;
  #onStopped: (() => void) | undefined;
  readonly #replies = new Map<number, (result: DebugResult) => void>();

  constructor(
    connection: KernelConnection,
    cells: Readonly<Record<string, string>>,
    options: Partial<ConstructorParameters<typeof DebugSession>[0]> = {},
  ) {
    this.cells = cells;
    this.session = new DebugSession({
      connection,
      sources: this,
      path: "tool.py",
      folder: "",
      justMyCode: true,
      ownsKernel: false,
      onOutput: (output) => this.#take(output),
      onConfigured: () => {
        this.isConfigured = true;
      },
      onEnd: (end) => {
        this.end = end;
      },
      ...options,
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

  /** Resolves at the next stop, at once. */
  stopped(): Promise<void> {
    return new Promise((resolve) => {
      this.#onStopped = resolve;
    });
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
      if (output.event === "stopped") this.#onStopped?.();
    } else {
      this.#replies.get(output.request.seq)?.(output.result);
    }
  }
}
