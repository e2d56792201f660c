import { errorMessage } from "../error-message.ts";
import type { Subscription } from "../kernels/connection/connection.ts";
import { isIPython } from "../kernels/protocol/kernel-features.ts";
import type { Fields } from "../kernels/wire/kernel-message.ts";
import { fieldsOf, stringField } from "../kernels/wire/message-codec.ts";
import { phrase } from "../phrase.ts";
import { cellHash } from "./cell-hash.ts";
import type { DebugEvent, DebugOutput, DebugRequest, DebugResult } from "./debug-message.ts";
import { type DebuggedConnection, DebuggerError, KernelDebugger } from "./kernel-debugger.ts";
import { type ServerLayout, type ServerSource, serverPath, serverSource } from "./server-paths.ts";
import { failure, type SessionEffect, type SessionEnd, type SessionInput, SessionMachine } from "./session-machine.ts";

/** What the editor has for a source: the code of a cell, a file of the workspace, or one of a library on the server. */
export type EditorSource =
  | { readonly kind: "cell"; readonly code: string }
  | { readonly kind: "workspace" | "library"; readonly path: string };

/** The editor's sources, by the text of their addresses. */
export interface EditorSources {
  /** Undefined for a source that the kernel doesn't have. */
  find(address: string): EditorSource | undefined;
  /** The address and the name of a source on the server. `hashOf`: the hash of a cell's code, as in its file's name. */
  addressOf(
    source: ServerSource,
    hashOf: (code: string) => string,
  ): { readonly path: string; readonly name: string } | undefined;
}

interface DebugSessionOptions {
  readonly connection: DebuggedConnection;
  readonly sources: EditorSources;
  /** The content path of the notebook if it exists on the server, and the folder in which the kernel started. */
  readonly path: string;
  readonly folder: string;
  readonly justMyCode: boolean;
  readonly onOutput: (output: DebugOutput) => void;
  /** Called once the breakpoints are set. */
  readonly onConfigured: () => void;
  readonly onEnd: (end: SessionEnd) => void;
}

/** Maximum number of frames that are read of a thread. */
const maxFrames = 200;
/** Events that editors can show. Others are about the debugger itself. */
const shownEvents: ReadonlySet<string> = new Set([
  ...["breakpoint", "continued", "initialized", "output", "stopped", "thread"],
]);
/** Threads of the kernel, which run no code of the user. */
const kernelThreads = /^(?:IPythonHistorySavingThread|Thread-\d+ \(_watch_pipe_fd\)|Thread-1)$/;
/** What the debugger reports about itself that no editor has a use for. */
const ownCapabilities = ["supportsTerminateRequest", "supportsModulesRequest", "supportsGotoTargetsRequest"];

/** A session with a kernel's debugger: performs what its machine decides, and translates sources. */
export class DebugSession {
  readonly #options: DebugSessionOptions;
  readonly #machine = new SessionMachine();
  readonly #debugger: KernelDebugger;
  readonly #subscriptions: readonly Subscription[];
  #layout: ServerLayout = { roots: [], cellPrefix: "", cellSuffix: "" };
  #seed = 0;
  #excluded: readonly string[] = [];

  constructor(options: DebugSessionOptions) {
    const { connection } = options;
    this.#options = options;
    this.#debugger = new KernelDebugger(connection);
    this.#subscriptions = [
      this.#debugger.onEvent((event) => this.#takeEvent(event)),
      connection.onState(({ type }) => this.#handle({ type: type === "connected" ? "linked" : "linkLost" })),
      connection.onKernel(({ type }) => {
        if (type === "restarted") {
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
    if (detach && end.type !== "lost") {
      void this.#detach();
    }
    this.#options.onEnd(end);
  }

  async #detach(): Promise<DebugResult> {
    return this.#debugger.ask("disconnect", { restart: false, terminateDebuggee: false });
  }

  #takeEvent({ event, body }: DebugEvent): void {
    if (!shownEvents.has(event) || body.category === "telemetry") {
      return;
    }
    if (event === "stopped" && body.reason === "step") {
      void this.#stepped({ event, body });
      return;
    }
    const { source: _source, ...others } = body;
    this.#handle({ type: "event", event: { event, body: event === "output" ? others : body } });
  }

  /** Lets the program continue if a step has left the user's code: the cell has ended, and the kernel's code runs. */
  async #stepped(event: DebugEvent): Promise<void> {
    const { threadId } = event.body;
    const result = await this.#debugger.ask("stackTrace", { threadId, startFrame: 0, levels: maxFrames });
    const frames = framesOf(result).map((frame) => this.#frame(frame));
    if (frames.length > 0 && frames.length < maxFrames && !frames.some(({ isOwn }) => isOwn)) {
      await this.#debugger.ask("continue", { threadId });
    } else {
      this.#handle({ type: "event", event });
    }
  }

  async #result(request: DebugRequest): Promise<DebugResult> {
    try {
      return await this.#ask(request.command, request.arguments ?? {});
    } catch (error) {
      return { success: false, message: errorMessage(error) };
    }
  }

  async #ask(command: string, parameters: Fields): Promise<DebugResult> {
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
      case "stackTrace":
        return this.#stackTrace(parameters);
      case "threads":
        return withList(await this.#debugger.ask(command), "threads", (thread) =>
          kernelThreads.test(stringField(thread.name)) && !this.#isStopped(thread) ? undefined : thread,
        );
      case "scopes":
        return withList(
          await this.#debugger.ask(command, parameters),
          "scopes",
          ({ source: _source, ...scope }) => scope,
        );
      default:
        return this.#debugger.ask(command, parameters);
    }
  }

  #isStopped({ id }: Fields): boolean {
    return this.state.type === "stopped" && this.state.threadId === id;
  }

  async #initialize(parameters: Fields): Promise<DebugResult> {
    const { connection, path, folder } = this.#options;
    const isPython = isIPython(await connection.ready());
    const prepared = isPython ? await this.#debugger.prepare(path, folder) : undefined;
    if (prepared?.hasDebugger !== true) {
      throw new DebuggerError(phrase`This kernel has no debugger. Python kernels have one if debugpy is installed.`);
    }
    const { roots, excluded } = prepared;
    const information = await this.#debugger.information();
    if (information === undefined) {
      return failure(phrase`The kernel's debugger doesn't reply.`);
    }
    if (information.isStarted) {
      // By an earlier window. The kernel has one debugger.
      await this.#detach();
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
    const path = await this.#kernelPath(stringField(fieldsOf(parameters.source).path));
    if (path === undefined) {
      const message = String(phrase`The kernel doesn't run this file.`);
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
    const result = await this.#debugger.ask("stackTrace", { threadId, startFrame: 0, levels: maxFrames });
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
    const isOwn = source?.kind === "cell" || source?.kind === "workspace";
    const hint = isOwn ? {} : { presentationHint: "deemphasize" };
    return { frame: address === undefined ? others : { ...others, source: { ...address, ...hint } }, isOwn };
  }
}

function framesOf(result: DebugResult): readonly Fields[] {
  const { stackFrames } = fieldsOf(result.success ? result.body : undefined);
  return (Array.isArray(stackFrames) ? stackFrames : []).slice(0, maxFrames).map(fieldsOf);
}

function capabilities(body: Fields): Fields {
  const filters = Array.isArray(body.exceptionBreakpointFilters) ? body.exceptionBreakpointFilters : [];
  return {
    ...body,
    ...Object.fromEntries(ownCapabilities.map((name) => [name, false])),
    supportTerminateDebuggee: false,
    // Python's interpreter never sees an exception of a cell unhandled, because IPython shows it.
    exceptionBreakpointFilters: filters.filter((filter) => fieldsOf(filter).filter !== "uncaught"),
  };
}

/** Changes the items of a list in a result, and leaves out those without a value. */
function withList(result: DebugResult, name: string, change: (item: Fields) => Fields | undefined): DebugResult {
  const body = fieldsOf(result.success ? result.body : undefined);
  const list = body[name];
  return result.success && Array.isArray(list)
    ? { success: true, body: { ...body, [name]: list.flatMap((item) => change(fieldsOf(item)) ?? []) } }
    : result;
}
