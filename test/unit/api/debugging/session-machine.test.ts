import assert from "node:assert/strict";
import type { DebugRequest } from "../../../../src/api/debugging/debug-message.ts";
import {
  type SessionEffect,
  type SessionInput,
  SessionMachine,
} from "../../../../src/api/debugging/session-machine.ts";

/** A machine whose effects are short texts. */
function machine() {
  const real = new SessionMachine();
  let sequence = 0;
  const handle = (input: SessionInput): readonly string[] => real.handle(input).map(textOf);
  const requests = new Map<string, DebugRequest>();
  return {
    real,
    handle,
    ask(command: string) {
      sequence += 1;
      const request = { type: "request" as const, seq: sequence, command };
      requests.set(command, request);
      return handle({ type: "request", request });
    },
    reply(command: string, success = true) {
      const request = requests.get(command);
      assert.ok(request);
      return handle({ type: "performed", request, result: success ? { success } : { success, message: "no" } });
    },
    event: (event: string, body = {}) => handle({ type: "event", event: { event, body } }),
    run() {
      this.ask("configurationDone");
      this.reply("configurationDone");
    },
  };
}

function textOf(effect: SessionEffect): string {
  switch (effect.type) {
    case "perform":
      return `perform ${effect.request.command}`;
    case "send":
      return effect.output.type === "event"
        ? effect.output.event
        : `${effect.output.request.command} ${effect.output.result.success ? "ok" : "failed"}`;
    case "ask":
      return "ask";
    case "close":
      return `close ${effect.end.type}${effect.detach ? " and detach" : ""}`;
  }
}

describe("the state of a debug session", () => {
  it("performs one request at a time", () => {
    const one = machine();
    assert.deepEqual(one.ask("initialize"), ["perform initialize"]);
    assert.deepEqual(one.ask("launch"), []);
    assert.deepEqual(one.event("initialized"), ["initialized"]);
    assert.deepEqual(one.reply("initialize"), ["initialize ok", "perform launch"]);
  });

  it("ends if it can't start", () => {
    const one = machine();
    one.ask("initialize");
    assert.deepEqual(one.reply("initialize", false), ["initialize failed", "terminated", "close finished and detach"]);
    assert.deepEqual(one.ask("threads"), ["threads failed"]);
  });

  it("reports a stop after the response to the step that led to it", () => {
    const one = machine();
    one.run();
    assert.deepEqual(one.event("stopped", { threadId: 4 }), ["stopped"]);
    assert.deepEqual(one.real.state, { type: "stopped", threadId: 4 });
    one.ask("next");
    assert.deepEqual(one.event("continued"), []);
    assert.deepEqual(one.event("stopped", { threadId: 4 }), []);
    assert.deepEqual(one.reply("next"), ["next ok", "continued", "stopped"]);
    assert.equal(one.real.state.type, "stopped");
  });

  it("refuses what needs a stopped program while it runs", () => {
    const one = machine();
    one.run();
    assert.deepEqual(one.ask("evaluate"), ["evaluate failed"]);
    assert.deepEqual(one.ask("setBreakpoints"), ["perform setBreakpoints"]);
  });

  it("doesn't perform a step or continue that is pressed twice while the code runs", () => {
    for (const command of ["next", "stepIn", "stepOut", "continue"]) {
      const one = machine();
      one.run();
      one.event("stopped", { threadId: 1 });
      assert.deepEqual(one.ask(command), [`perform ${command}`]);
      assert.deepEqual(one.reply(command), [`${command} ok`]);
      assert.deepEqual(one.ask(command), [`${command} ok`]);
      assert.deepEqual(one.event("stopped", { threadId: 1 }), ["stopped"]);
      assert.deepEqual(one.ask(command), [`perform ${command}`]);
    }
  });

  it("ends also if the code stops before the reply to disconnect", () => {
    const one = machine();
    one.run();
    assert.deepEqual(one.ask("disconnect"), ["perform disconnect"]);
    assert.deepEqual(one.event("stopped", { threadId: 1 }), []);
    assert.deepEqual(one.reply("disconnect"), ["disconnect ok", "terminated", "close detached"]);
  });

  it("stays paused if a thread stops before the start has ended", () => {
    const one = machine();
    one.event("stopped", { threadId: 7 });
    one.run();
    assert.deepEqual(one.real.state, { type: "stopped", threadId: 7 });
  });

  it("asks for the state also if the reply to a step comes after the connection was lost", () => {
    const one = machine();
    one.run();
    one.event("stopped", { threadId: 1 });
    one.ask("next");
    one.handle({ type: "linkLost" });
    assert.deepEqual(one.reply("next"), ["next ok"]);
    assert.deepEqual(one.handle({ type: "linked" }), ["ask"]);
    assert.deepEqual(one.handle({ type: "asked", stoppedThreads: [1] }), ["stopped"]);
  });

  it("disconnects without waiting for another request", () => {
    const one = machine();
    one.run();
    one.event("stopped", { threadId: 1 });
    one.ask("evaluate");
    one.ask("scopes");
    assert.deepEqual(one.ask("disconnect"), ["scopes failed", "perform disconnect"]);
    assert.deepEqual(one.reply("evaluate", false), ["evaluate failed"]);
    assert.deepEqual(one.reply("disconnect"), ["disconnect ok", "terminated", "close detached"]);
  });

  it("asks for the state after reconnecting", () => {
    for (const [stoppedThreads, effects, state] of [
      [[3], ["stopped"], "stopped"],
      [[], ["continued"], "running"],
      [undefined, ["output", "terminated", "close lost"], "ended"],
    ] as const) {
      const one = machine();
      one.run();
      one.event("stopped", { threadId: 3 });
      assert.deepEqual(one.handle({ type: "linkLost" }), []);
      assert.deepEqual(one.handle({ type: "linked" }), ["ask"]);
      assert.deepEqual(one.handle({ type: "asked", stoppedThreads }), effects);
      assert.equal(one.real.state.type, state);
    }
  });

  it("responds to what has no reply yet when it is lost", () => {
    const one = machine();
    one.run();
    one.event("stopped", { threadId: 1 });
    one.ask("evaluate");
    one.ask("scopes");
    assert.deepEqual(one.ask("disconnect"), ["scopes failed", "perform disconnect"]);
    assert.deepEqual(one.handle({ type: "ended", end: { type: "lost", reason: "It doesn't reply." } }), [
      "evaluate failed",
      "disconnect ok",
      "output",
      "terminated",
      "close lost and detach",
    ]);
    assert.deepEqual(one.reply("disconnect"), []);
  });

  it("has continued also if the code ends before the reply", () => {
    const one = machine();
    one.run();
    one.event("stopped", { threadId: 1 });
    one.ask("continue");
    one.ask("threads");
    assert.deepEqual(one.handle({ type: "ended", end: { type: "finished" } }), [
      "continue ok",
      "threads failed",
      "terminated",
      "close finished and detach",
    ]);
    assert.deepEqual(one.reply("continue"), []);
  });

  it("ends once", () => {
    const one = machine();
    one.run();
    assert.deepEqual(one.handle({ type: "ended", end: { type: "finished" } }), [
      "terminated",
      "close finished and detach",
    ]);
    assert.deepEqual(one.handle({ type: "ended", end: { type: "detached" } }), []);
  });
});
