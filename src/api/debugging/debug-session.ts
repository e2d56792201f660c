import type { Clock } from "../clock.ts";
import { errorMessage } from "../error-message.ts";
import type { Subscription } from "../kernels/connection/connection.ts";
import { isIPython } from "../kernels/protocol/kernel-features.ts";
import type { Fields } from "../kernels/wire/kernel-message.ts";
import { fieldsOf, stringField } from "../kernels/wire/message-codec.ts";
import { lazy } from "../lazy.ts";
import { phrase } from "../phrase.ts";
import { cellHash } from "./cell-hash.ts";
import type { DebugEvent, DebugOutput, DebugRequest, DebugResult } from "./debug-message.ts";
import { capabilities, framesOf, maxFrames, withList } from "./debug-results.ts";
import type { EditorSources } from "./editor-sources.ts";
import { type DebuggedConnection, DebuggerError, KernelDebugger } from "./kernel-debugger.ts";
import { LineRun } from "./line-run.ts";
import { Pause } from "./pause.ts";
import { type ServerLayout, serverPath, serverSource } from "./server-paths.ts";
import {
  failure,
  resuming,
  type SessionEffect,
  type SessionEnd,
  type SessionInput,
  SessionMachine,
} from "./session-machine.ts";

interface DebugSessionOptions {
  readonly connection: DebuggedConnection;
  readonly sources: EditorSources;
  /** The content path of the notebook if it exists on the server, and the folder in which the kernel started. */
  readonly path: string;
  readonly folder: string;
  readonly justMyCode: boolean;
  /** The address of the cell that is run by line. Only its lines stop, and no breakpoints. */
  readonly lineByLine?: string | undefined;
  /** True if the kernel ends with the session, so that its debugger needs no end. */
  readonly ownsKernel: boolean;
  readonly onOutput: (output: DebugOutput) => void;
  /** For the limits of replies. Default: the system clock. */
  readonly clock?: Clock;
  /** Called once the breakpoints are set. */
  readonly onConfigured: () => void;
  readonly onEnd: (end: SessionEnd) => void;
}

/** Events that editors can show. Others are about the debugger itself. */
const shownEvents: ReadonlySet<string> = new Set([
  ...["breakpoint", "continued", "initialized", "output", "stopped", "thread"],
]);
/** The editor asks late for what a quick step has left behind. */
const endedPause = phrase`The code has continued since then.`;
/** Threads of the kernel, which run no code of the user. */
const kernelThreads = /^(?:IPythonHistorySavingThread|Thread-\d+ \(_watch_pipe_fd\)|Thread-1)$/;

/** A session with a kernel's debugger: performs what its machine decides, and translates sources. */
export class DebugSession {
  readonly #options: DebugSessionOptions;
  readonly #machine = new SessionMachine();
  readonly #debugger: KernelDebugger;
  readonly #subscriptions: readonly Subscription[];
  #layout: ServerLayout = { roots: [], cellPrefix: "", cellSuffix: "" };
  readonly #lines: LineRun | undefined;
  readonly #pause: Pause;
  #seed = 0;
  #excluded: readonly string[] = [];

  constructor(options: DebugSessionOptions) {
    const { connection } = options;
    this.#options = options;
    this.#debugger = new KernelDebugger(connection, {
      clock: options.clock,
      onSilent: () => {
        const reason = options.ownsKernel
          ? phrase`The debugger has stopped because it doesn't reply. Try again.`
          : phrase`The debugger has stopped because it doesn't reply. Restart the kernel, then try again.`;
        this.end({ type: "lost", reason });
      },
    });
    this.#pause = new Pause((threadId) =>
      this.#debugger.ask("stackTrace", { threadId, startFrame: 0, levels: maxFrames }),
    );
    this.#lines = options.lineByLine === undefined ? undefined : this.#lineRun(options.lineByLine);
    this.#subscriptions = [
      this.#debugger.onEvent((event) => this.#takeEvent(event)),
      connection.onState(({ type }) => {
        // The code may continue and stop elsewhere without a word.
        this.#pause.end();
        this.#handle({ type: type === "connected" ? "linked" : "linkLost" });
      }),
      connection.onKernel(({ type }) => {
        if (options.ownsKernel && type !== "activity") {
          this.end({ type: "lost", reason: phrase`The debugger has stopped because the file's process has ended.` });
        } else if (type === "restarted") {
          this.end({ type: "lost", reason: phrase`The debugger has stopped because the kernel was restarted.` });
        } else if (type === "ended") {
          this.end({ type: "lost", reason: phrase`The debugger has stopped because the kernel has ended.` });
        }
      }),
    ];
  }

  get state(): SessionMachine["state"] {
    return this.#machine.state;
  }

  /** Takes a request of the editor. */
  request(request: DebugRequest): void {
    this.#handle({ type: "request", request });
  }

  /** Ends the session from outside. The kernel continues. */
  end(end: SessionEnd): void {
    this.#handle({ type: "ended", end });
  }

  /** The path on the server of a file of the workspace. */
  pathOf(contentPath: string): string | undefined {
    return serverPath(contentPath, this.#layout);
  }

  /** Sets breakpoints again for a source whose text has changed. */
  async setBreakpoints(address: string, breakpoints: readonly Fields[]): Promise<void> {
    if (this.state.type === "running" || this.state.type === "stopped") {
      await this.#setBreakpoints({ source: { path: address }, breakpoints });
    }
  }

  #handle(input: SessionInput): void {
    for (const effect of this.#machine.handle(input)) {
      this.#perform(effect);
    }
  }

  #perform(effect: SessionEffect): void {
    switch (effect.type) {
      case "perform": {
        const { request } = effect;
        void this.#result(request).then((result) => {
          this.#handle({ type: "performed", request, result });
          if (request.command === "configurationDone" && result.success) {
            this.#options.onConfigured();
          }
        });
        break;
      }
      case "send":
        this.#options.onOutput(effect.output);
        break;
      case "ask":
        void this.#debugger.information().then((information) =>
          this.#handle({
            type: "asked",
            stoppedThreads: information?.isStarted === true ? (information.stoppedThreads ?? []) : undefined,
          }),
        );
        break;
      case "close":
        this.#close(effect.detach, effect.end);
        break;
    }
  }

  #close(detach: boolean, end: SessionEnd): void {
    for (const subscription of this.#subscriptions) {
      subscription.dispose();
    }
    if (detach && (end.type !== "lost" || end.isReachable === true)) {
      void this.#detach();
    }
    this.#options.onEnd(end);
  }

  /** Lets the code continue without the debugger. Code that is about to end with its kernel must not. */
  async #detach(): Promise<DebugResult> {
    return this.#options.ownsKernel ? { success: true } : this.#disconnect();
  }

  async #disconnect(): Promise<DebugResult> {
    return this.#debugger.ask("disconnect", { restart: false, terminateDebuggee: false });
  }

  /** The kernel's debugger ended the session, which nobody in this window has asked for if it isn't ending. */
  async #terminated(): Promise<void> {
    const isActive = (): boolean => this.state.type === "running" || this.state.type === "stopped";
    // A kernel that ends, too, doesn't reply, and says so itself.
    if (isActive() && (await this.#debugger.information()) !== undefined && isActive()) {
      const reason = phrase`The debugger has stopped because another window or program has ended it.`;
      this.end({ type: "lost", reason });
    }
  }

  #takeEvent({ event, body }: DebugEvent): void {
    if (event === "terminated" && !this.#options.ownsKernel) {
      void this.#terminated();
      return;
    }
    if (!shownEvents.has(event) || body.category === "telemetry") {
      return;
    }
    if (event === "continued") {
      if (this.#pause.isLate(body.threadId)) {
        return;
      }
      this.#pause.end();
    } else if (event === "stopped") {
      this.#pause.begin(body.threadId);
    }
    if (
      event === "stopped" &&
      (body.reason === "step" || (this.#lines !== undefined && body.reason === "breakpoint"))
    ) {
      void this.#stepped({ event, body });
      return;
    }
    const { source: _source, ...others } = body;
    this.#handle({ type: "event", event: { event, body: event === "output" ? others : body } });
  }

  /** Shows a stop after a step. Lets the program continue if the step has left the user's code, or the lines to run. */
  async #stepped({ event, body }: DebugEvent): Promise<void> {
    const { threadId } = body;
    const before = this.#pause.endings;
    const frames = framesOf(await this.#pause.stack(threadId)).map((frame) => this.#frame(frame));
    if (this.#pause.endings !== before) {
      // Somebody interrupted it, or the connection was lost, and the kernel is asked.
      return;
    }
    if (this.#lines !== undefined) {
      const paths = frames.map(({ frame }) => stringField(fieldsOf(frame.source).path));
      const next = await this.#lines.next(paths);
      if (next !== undefined) {
        this.#pause.end();
        await this.#debugger.ask(next, { threadId });
        return;
      }
    } else if (frames.length > 0 && frames.length < maxFrames && !frames.some(({ isOwn }) => isOwn)) {
      // The cell has ended, and the kernel's code runs.
      this.#pause.end();
      await this.#debugger.ask("continue", { threadId });
      return;
    }
    this.#handle({ type: "event", event: { event, body: { ...body, reason: "step" } } });
  }

  async #result(request: DebugRequest): Promise<DebugResult> {
    try {
      return await this.#ask(request.command, request.arguments ?? {});
    } catch (error) {
      return { success: false, message: errorMessage(error) };
    }
  }

  async #ask(command: string, parameters: Fields): Promise<DebugResult> {
    if (resuming.has(command)) {
      this.#pause.end();
    }
    switch (command) {
      case "initialize":
        return this.#initialize(parameters);
      case "launch":
      case "attach":
        return this.#attach();
      case "disconnect":
      case "terminate":
        return this.#detach();
      case "setBreakpoints":
        return this.#setBreakpoints(parameters);
      case "configurationDone":
        await this.#lines?.begin();
        return this.#debugger.ask(command, parameters);
      case "stepIn":
        return this.#debugger.ask(this.#lines === undefined ? command : "next", parameters);
      case "stackTrace":
        return this.#stackTrace(parameters);
      case "threads":
        return withList(await this.#debugger.ask(command), "threads", (thread) =>
          kernelThreads.test(stringField(thread.name)) && !this.#isStopped(thread) ? undefined : thread,
        );
      case "scopes":
        return (await this.#pause.hasFrame(parameters.frameId))
          ? this.#pause.withReferences(
              withList(
                await this.#debugger.ask(command, parameters),
                "scopes",
                ({ source: _source, ...scope }) => scope,
              ),
            )
          : failure(endedPause);
      case "variables":
        return this.#pause.hasReference(parameters.variablesReference)
          ? this.#pause.withReferences(await this.#debugger.ask(command, parameters))
          : failure(endedPause);
      case "evaluate":
      case "setExpression":
      case "setVariable":
        return this.#pause.withReferences(await this.#debugger.ask(command, parameters));
      default:
        return this.#debugger.ask(command, parameters);
    }
  }

  #lineRun(address: string): LineRun {
    const source = this.#options.sources.find(address);
    // The cell may be edited meanwhile.
    const file = lazy(() => this.#kernelPath(address));
    return new LineRun(address, source?.kind === "cell" ? source.code : "", async (lines) => {
      const breakpoints = lines.map((line) => ({ line }));
      return this.#debugger.ask("setBreakpoints", { source: { path: await file() }, breakpoints });
    });
  }

  #isStopped({ id }: Fields): boolean {
    return this.state.type === "stopped" && this.state.threadId === id;
  }

  async #initialize(parameters: Fields): Promise<DebugResult> {
    const { connection, path, folder } = this.#options;
    const missing = phrase`This kernel has no debugger. Python kernels have one if debugpy is installed.`;
    if (!isIPython(await connection.ready())) {
      throw new DebuggerError(missing);
    }
    const information = await this.#debugger.information();
    if (information?.isStarted === true) {
      // By an earlier window, which may have left the kernel stopped. The kernel has one debugger.
      await this.#disconnect();
    }
    if (this.state.type === "ended") {
      return failure(phrase`The debugger has ended.`);
    }
    const { roots, excluded, hasDebugger } = await this.#debugger.prepare(path, folder);
    if (!hasDebugger) {
      throw new DebuggerError(missing);
    }
    if (information === undefined) {
      return failure(phrase`The kernel's debugger doesn't reply.`);
    }
    this.#layout = { roots, cellPrefix: information.tmpFilePrefix, cellSuffix: information.tmpFileSuffix };
    this.#seed = information.hashSeed;
    this.#excluded = excluded;
    const result = await this.#debugger.ask("initialize", { ...parameters, pathFormat: "path" });
    return result.success ? { success: true, body: capabilities(result.body ?? {}) } : result;
  }

  async #attach(): Promise<DebugResult> {
    const { justMyCode } = this.#options;
    const rules = this.#excluded.map((path) => ({ path, include: false }));
    const options = { justMyCode, rules, redirectOutput: false, subProcess: false, showReturnValue: true };
    const result = await this.#debugger.ask("attach", options);
    await this.#debugger.restore();
    return result;
  }

  async #setBreakpoints(parameters: Fields): Promise<DebugResult> {
    const asked = Array.isArray(parameters.breakpoints) ? parameters.breakpoints : [];
    const address = stringField(fieldsOf(parameters.source).path);
    const path = this.#lines === undefined ? await this.#kernelPath(address) : undefined;
    if (path === undefined) {
      const reason =
        this.#lines === undefined ? phrase`The kernel doesn't run this file.` : phrase`Run by Line stops at each line.`;
      const message = String(reason);
      return { success: true, body: { breakpoints: asked.map(() => ({ verified: false, message })) } };
    }
    const { sourceModified: _modified, ...others } = parameters;
    const result = await this.#debugger.ask("setBreakpoints", { ...others, source: { path } });
    return withList(result, "breakpoints", ({ source: _source, ...breakpoint }) => breakpoint);
  }

  /** The path on the server. A cell's code is written to its file first. */
  async #kernelPath(address: string): Promise<string | undefined> {
    const source = this.#options.sources.find(address);
    switch (source?.kind) {
      case undefined:
        return undefined;
      case "library":
        return source.path;
      case "workspace":
        return this.pathOf(source.path);
      case "cell": {
        const result = await this.#debugger.ask("dumpCell", { code: source.code });
        return result.success ? stringField(fieldsOf(result.body).sourcePath) || undefined : undefined;
      }
    }
  }

  /** The frames of the user's code and what it calls, without those of the kernel below them. */
  async #stackTrace({ threadId, startFrame, levels }: Fields): Promise<DebugResult> {
    const result = await this.#pause.stack(threadId);
    if (!result.success) {
      return result;
    }
    const frames = framesOf(result).map((frame) => this.#frame(frame));
    const last = frames.findLastIndex(({ isOwn }) => isOwn);
    const shown = frames.slice(0, last === -1 ? frames.length : last + 1).map(({ frame }) => frame);
    const start = typeof startFrame === "number" ? startFrame : 0;
    const end = typeof levels === "number" && levels > 0 ? start + levels : shown.length;
    return { success: true, body: { stackFrames: shown.slice(start, end), totalFrames: shown.length } };
  }

  /** `isOwn`: whether it is code of the workspace. */
  #frame(frame: Fields): { readonly frame: Fields; readonly isOwn: boolean } {
    const { source: _source, ...others } = frame;
    const source = serverSource(stringField(fieldsOf(frame.source).path), this.#layout);
    const hashOf = (code: string): string => String(cellHash(code, this.#seed));
    const address = source && this.#options.sources.addressOf(source, hashOf);
    // Code without a cell, such as that which runs a file, is nothing that a person could look at.
    const isOwn = source?.kind === "workspace" || (source?.kind === "cell" && address !== undefined);
    const hint = isOwn ? {} : { presentationHint: "deemphasize" };
    return { frame: address === undefined ? others : { ...others, source: { ...address, ...hint } }, isOwn };
  }
}
