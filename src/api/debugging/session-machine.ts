import { phrase, type Text } from "../phrase.ts";
import type { DebugEvent, DebugOutput, DebugRequest, DebugResult } from "./debug-message.ts";

/** Why a session ended. `detached`: the user stopped debugging. `finished`: the code that was debugged has ended. */
export type SessionEnd =
  | { readonly type: "detached" | "finished" }
  /**
   * The kernel or its debugger ended, or another window took it over. The reason is a sentence. `isReachable`: the kernel
   * still exists, and its code must not stay stopped. Default false.
   */
  | { readonly type: "lost"; readonly reason: Text; readonly isReachable?: boolean };

/** `unknown`: the connection was lost, and the kernel's state is asked for after reconnecting. */
export type SessionState =
  | { readonly type: "starting" | "running" | "unknown" | "disconnecting" }
  | { readonly type: "stopped"; readonly threadId: number }
  | { readonly type: "ended"; readonly end: SessionEnd };

export type SessionInput =
  | { readonly type: "request"; readonly request: DebugRequest }
  | { readonly type: "performed"; readonly request: DebugRequest; readonly result: DebugResult }
  | { readonly type: "event"; readonly event: DebugEvent }
  | { readonly type: "linkLost" | "linked" }
  /** The state after reconnecting. Undefined if the kernel has no debugger running. */
  | { readonly type: "asked"; readonly stoppedThreads: readonly number[] | undefined }
  | { readonly type: "ended"; readonly end: SessionEnd };

export type SessionEffect =
  /** Send a request to the kernel. Respond with `performed`. */
  | { readonly type: "perform"; readonly request: DebugRequest }
  /** Send a message to the editor. */
  | { readonly type: "send"; readonly output: DebugOutput }
  /** Ask for the debugger's state. Respond with `asked`. */
  | { readonly type: "ask" }
  /** Release everything. `detach`: whether the kernel's debugger still runs for this session. */
  | { readonly type: "close"; readonly detach: boolean; readonly end: SessionEnd };

/** Requests after whose reply the program runs. */
export const resuming: ReadonlySet<string> = new Set(["continue", "next", "stepIn", "stepOut"]);
/** Requests that an end fulfills. */
const ending: ReadonlySet<string> = new Set([...resuming, "disconnect", "pause", "terminate"]);
/** Requests that a running kernel's debugger would answer late or not at all. */
const forStopped: ReadonlySet<string> = new Set([
  ...["stackTrace", "scopes", "variables", "evaluate", "exceptionInfo", "setVariable", "setExpression"],
  ...["completions", "stepInTargets", "continue", "next", "stepIn", "stepOut"],
]);
/** Events about threads, which must not overtake the response to the request that caused them. */
const ordered: ReadonlySet<string> = new Set(["stopped", "continued"]);

/**
 * The state of a debug session. Takes one input, and returns what to do, in order. ipykernel matches replies to requests
 * by their order, so one request is performed at a time; only `disconnect` doesn't wait.
 */
export class SessionMachine {
  #state: SessionState = { type: "starting" };
  #performing: DebugRequest | undefined;
  /** What is performed, an end included. */
  readonly #unanswered = new Set<DebugRequest>();
  readonly #waiting: DebugRequest[] = [];
  readonly #held: DebugEvent[] = [];
  #effects: SessionEffect[] = [];

  get state(): SessionState {
    return this.#state;
  }

  handle(input: SessionInput): readonly SessionEffect[] {
    this.#effects = [];
    if (this.#state.type === "ended") {
      if (input.type === "request") {
        this.#respond(input.request, failure(phrase`The debugger has ended.`));
      }
      return this.#effects;
    }
    this.#take(input);
    return this.#effects;
  }

  #take(input: SessionInput): void {
    switch (input.type) {
      case "request":
        this.#request(input.request);
        break;
      case "performed":
        this.#performed(input.request, input.result);
        break;
      case "event":
        if (ordered.has(input.event.event) && this.#performing !== undefined) {
          this.#held.push(input.event);
        } else {
          this.#event(input.event);
        }
        break;
      case "linkLost":
        if (["running", "stopped", "unknown"].includes(this.#state.type)) {
          this.#state = { type: "unknown" };
          this.#held.length = 0;
        }
        break;
      case "linked":
        if (this.#state.type === "unknown") {
          this.#effects.push({ type: "ask" });
        }
        break;
      case "asked":
        this.#asked(input.stoppedThreads);
        break;
      case "ended":
        this.#end(input.end, true);
        break;
    }
  }

  #request(request: DebugRequest): void {
    if (request.command === "disconnect" || request.command === "terminate") {
      this.#state = { type: "disconnecting" };
      for (const other of this.#waiting.splice(0)) {
        this.#respond(other, failure(phrase`The debugger has ended.`));
      }
      this.#perform(request);
      return;
    }
    if (this.#state.type === "disconnecting") {
      this.#respond(request, failure(phrase`The debugger has ended.`));
      return;
    }
    this.#waiting.push(request);
    this.#next();
  }

  #next(): void {
    while (this.#performing === undefined) {
      const request = this.#waiting.shift();
      if (request === undefined) {
        return;
      }
      if (resuming.has(request.command) && this.#state.type === "running") {
        // A key pressed twice. debugpy replies to `continue` once something continues, and would hold up all that follow.
        this.#respond(request, { success: true });
      } else if (forStopped.has(request.command) && this.#state.type !== "stopped") {
        this.#respond(request, failure(phrase`The code isn't paused.`));
      } else {
        this.#performing = request;
        this.#perform(request);
      }
    }
  }

  #performed(request: DebugRequest, result: DebugResult): void {
    if (this.#state.type === "disconnecting") {
      this.#respond(request, result);
      if (request.command === "disconnect" || request.command === "terminate") {
        this.#end({ type: "detached" }, false);
      }
      return;
    }
    this.#performing = undefined;
    this.#respond(request, result);
    // A thread may stop before the start has ended, and a kernel whose connection was lost is asked.
    const isStarted = this.#state.type === "starting" && request.command === "configurationDone";
    const isResumed = this.#state.type === "stopped" && resuming.has(request.command);
    if (result.success && (isStarted || isResumed)) {
      this.#state = { type: "running" };
    } else if (!result.success && this.#state.type === "starting") {
      this.#end({ type: "finished" }, true);
      return;
    }
    this.#release();
    this.#next();
  }

  #release(): void {
    for (const event of this.#held.splice(0)) {
      this.#event(event);
    }
  }

  #event({ event, body }: DebugEvent): void {
    if (ordered.has(event) && this.#state.type === "disconnecting") {
      return;
    }
    if (event === "stopped") {
      this.#state = { type: "stopped", threadId: typeof body.threadId === "number" ? body.threadId : 1 };
    } else if (event === "continued" && this.#state.type === "stopped") {
      this.#state = { type: "running" };
    }
    this.#send(event, body);
  }

  #asked(stoppedThreads: readonly number[] | undefined): void {
    if (this.#state.type === "unknown") {
      // They are older, and nothing that continues the code is performed meanwhile.
      this.#release();
    }
    if (this.#state.type !== "unknown") {
      return;
    }
    if (stoppedThreads === undefined) {
      this.#end({ type: "lost", reason: phrase`The kernel's debugger ended while the connection was lost.` }, false);
      return;
    }
    const [threadId] = stoppedThreads;
    if (threadId === undefined) {
      this.#event({ event: "continued", body: { threadId: 1, allThreadsContinued: true } });
      this.#state = { type: "running" };
    } else {
      this.#event({ event: "stopped", body: { reason: "pause", threadId, allThreadsStopped: true } });
    }
  }

  #end(end: SessionEnd, detach: boolean): void {
    this.#state = { type: "ended", end };
    for (const request of [...this.#unanswered]) {
      // The code may end before the reply to the request that continued it.
      this.#respond(
        request,
        ending.has(request.command) ? { success: true } : failure(phrase`The debugger has ended.`),
      );
    }
    for (const request of this.#waiting.splice(0)) {
      this.#respond(request, failure(phrase`The debugger has ended.`));
    }
    if (end.type === "lost") {
      this.#send("output", { category: "important", output: `${end.reason}\n` });
    }
    this.#send("terminated", {});
    this.#effects.push({ type: "close", detach, end });
  }

  #perform(request: DebugRequest): void {
    this.#unanswered.add(request);
    this.#effects.push({ type: "perform", request });
  }

  #respond(request: DebugRequest, result: DebugResult): void {
    this.#unanswered.delete(request);
    this.#effects.push({ type: "send", output: { type: "response", request, result } });
  }

  #send(event: string, body: DebugEvent["body"]): void {
    this.#effects.push({ type: "send", output: { type: "event", event, body } });
  }
}

export function failure(reason: Text): DebugResult {
  return { success: false, message: String(reason) };
}
