// Any order of requests, replies, events, and losses, against a model of a kernel.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { DebugRequest } from "../../../../src/api/debugging/debug-message.ts";
import { resuming, type SessionEffect, SessionMachine } from "../../../../src/api/debugging/session-machine.ts";

const commands = ["threads", "setBreakpoints", "variables", "pause", "next", "continue"] as const;
const action = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...commands) },
  { weight: 4, arbitrary: fc.constantFrom("reply", "fail", "replyBeforeEvent", "stops") },
  { weight: 2, arbitrary: fc.constantFrom("interrupt", "linkLost", "linked") },
  { weight: 1, arbitrary: fc.constantFrom("disconnect", "finished", "dies") },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

/** A kernel that handles one request at a time, and an editor that believes what it is told. */
class Model {
  readonly machine = new SessionMachine();
  readonly #queue: (DebugRequest | "ask")[] = [];
  readonly #responses = new Map<DebugRequest, number>();
  #isPaused = false;
  #isLinked = true;
  #shownPaused = false;
  #hasTerminated = false;

  /** Starts the session. `early`: whether a thread stops before the editor is ready. */
  constructor(early: boolean) {
    for (const command of ["initialize", "launch", "setBreakpoints", "configurationDone"]) {
      if (command === "configurationDone" && early) this.act("stops");
      this.act(command);
      this.act("reply");
    }
  }

  act(name: Action | string): void {
    switch (name) {
      case "reply":
      case "fail":
      case "replyBeforeEvent":
        this.#reply(name);
        break;
      case "stops":
        if (!this.#isPaused) this.#pause();
        break;
      case "interrupt":
        if (this.#isPaused) this.#resume();
        break;
      case "linkLost":
      case "linked":
        this.#isLinked = name === "linked";
        this.#take(this.machine.handle({ type: name }));
        break;
      case "finished":
        this.#take(this.machine.handle({ type: "ended", end: { type: "finished" } }));
        break;
      case "dies":
        this.#take(this.machine.handle({ type: "ended", end: { type: "lost", reason: "It died." } }));
        break;
      default: {
        const request = { type: "request" as const, seq: this.#responses.size + 1, command: name };
        this.#responses.set(request, 0);
        this.#take(this.machine.handle({ type: "request", request }));
      }
    }
  }

  /** Answers all, and compares what the editor shows with the kernel. */
  settle(): void {
    if (!this.#isLinked) this.act("linked");
    while (this.#queue.length > 0) this.act("reply");
    if (!this.#hasTerminated) {
      assert.equal(this.#shownPaused, this.#isPaused, "what the editor shows");
      assert.equal(this.machine.state.type, this.#isPaused ? "stopped" : "running");
      this.act("finished");
    }
    for (const [{ command }, count] of this.#responses) assert.equal(count, 1, `responses to ${command}`);
  }

  #pause(): void {
    this.#isPaused = true;
    this.#event("stopped");
  }

  #resume(): void {
    this.#isPaused = false;
    this.#event("continued");
  }

  #event(event: string): void {
    // What happens while the connection is lost is never heard of.
    if (this.#isLinked) this.#take(this.machine.handle({ type: "event", event: { event, body: { threadId: 1 } } }));
  }

  #reply(how: "reply" | "fail" | "replyBeforeEvent"): void {
    const request = this.#isLinked ? this.#queue.shift() : undefined;
    if (request === "ask") {
      this.#take(this.machine.handle({ type: "asked", stoppedThreads: this.#isPaused ? [1] : [] }));
    } else if (request !== undefined) {
      const isSuccess = how !== "fail" || request.command === "disconnect";
      const result = isSuccess ? { success: true as const } : { success: false as const, message: "no" };
      const happens = (): void => {
        if (isSuccess && resuming.has(request.command) && this.#isPaused) this.#resume();
        if (isSuccess && request.command === "pause" && !this.#isPaused) this.#pause();
      };
      if (how !== "replyBeforeEvent") happens();
      this.#take(this.machine.handle({ type: "performed", request, result }));
      if (how === "replyBeforeEvent") happens();
    }
  }

  #take(effects: readonly SessionEffect[]): void {
    for (const effect of effects) {
      if (effect.type === "ask") {
        this.#queue.push("ask");
      } else if (effect.type === "perform") {
        this.#queue.push(effect.request);
      } else if (effect.type === "send" && effect.output.type === "event") {
        assert.equal(this.#hasTerminated, false, `${effect.output.event} after the end`);
        this.#hasTerminated = effect.output.event === "terminated";
        if (effect.output.event === "stopped") this.#shownPaused = true;
        if (effect.output.event === "continued") this.#shownPaused = false;
      } else if (effect.type === "send" && effect.output.type === "response") {
        this.#respond(effect.output.request, effect.output.result);
      }
    }
  }

  #respond(request: DebugRequest, result: { success: boolean; message?: string }): void {
    this.#responses.set(request, (this.#responses.get(request) ?? 0) + 1);
    if (result.message === "The code isn't paused.") {
      assert.ok(!this.#shownPaused || !this.#isLinked || this.machine.state.type === "unknown", "refused");
    }
    if (result.success && resuming.has(request.command)) this.#shownPaused = false;
  }
}

describe("a debug session in any order", () => {
  it("responds once to each request, ends once, and shows each pause", () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(action, { maxLength: 40 }), (early, actions) => {
        const model = new Model(early);
        for (const name of actions) model.act(name);
        model.settle();
      }),
      { seed: 1, numRuns: 1500 },
    );
  });
});
