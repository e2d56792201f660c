import assert from "node:assert/strict";
import { inputMessage, sizeMessage } from "../../../../src/api/terminals/messages.ts";
import type { TerminalEffect, TerminalInput } from "../../../../src/api/terminals/terminal-interface.ts";
import { defaultTerminalTimes, TerminalProtocol } from "../../../../src/api/terminals/terminal-protocol.ts";

const { ping, typed: keptMs } = defaultTerminalTimes;
const size = { rows: 24, columns: 80 };

/** A protocol, and what it has asked for. */
class Rig {
  readonly protocol: TerminalProtocol;
  now = 1_000_000;
  effects: readonly TerminalEffect[] = [];
  socket = 0;

  constructor(isNew = false, wasFullScreen = false) {
    this.protocol = new TerminalProtocol({ isNew, wasFullScreen, size, random: () => 1 });
  }

  take(input: TerminalInput): readonly TerminalEffect[] {
    this.effects = this.protocol.handle(input, this.now);
    for (const effect of this.effects) {
      if (effect.type === "openSocket") this.socket = effect.request;
    }
    return this.effects;
  }

  /** Connects, from the check on. */
  connect(): readonly TerminalEffect[] {
    this.answerCheck(this.take({ type: "retry" }));
    return this.take({ type: "opened", request: this.socket });
  }

  answerCheck(effects: readonly TerminalEffect[]): void {
    const check = effects.find(({ type }) => type === "check");
    if (check !== undefined && "request" in check) {
      this.take({ type: "checked", request: check.request, obstacle: undefined });
    }
  }

  output(text: string): readonly TerminalEffect[] {
    return this.take({ type: "messages", request: this.socket, messages: [{ type: "output", text }] });
  }

  timer(timer: "ping" | "reconnect" | "discard" | "size", bytesReceived = 0): readonly TerminalEffect[] {
    return this.take({ type: "timer", timer, bytesReceived, isPaused: false });
  }

  lose(): readonly TerminalEffect[] {
    return this.take({ type: "closed", request: this.socket, reason: "lost" });
  }
}

const types = (effects: readonly TerminalEffect[]): readonly string[] => effects.map(({ type }) => type);
const sent = (effects: readonly TerminalEffect[]): readonly string[] =>
  effects.flatMap((effect) => (effect.type === "send" ? [effect.data] : []));
const shown = (effects: readonly TerminalEffect[]): string =>
  effects.map((effect) => (effect.type === "output" ? effect.text : effect.type === "gap" ? "<gap>" : "")).join("");

describe("the connection to a terminal", () => {
  it("opens the socket of a new terminal at once, and asks for any other terminal first", () => {
    assert.deepEqual(types(new Rig(true).take({ type: "retry" })), ["cancelTimer", "openSocket", "state"]);
    assert.deepEqual(types(new Rig().take({ type: "retry" })), ["cancelTimer", "check", "state"]);
  });

  it("shows only what was missed after it was lost, and says if something is missing", () => {
    const rig = new Rig(true);
    rig.connect();
    assert.equal(shown(rig.output("0123456789 first\r\n")), "0123456789 first\r\n");
    rig.now += 60_000;
    rig.answerCheck(rig.lose());
    rig.take({ type: "opened", request: rig.socket });
    assert.equal(shown(rig.output("0123456789 first\r\nsecond\r\n")), "second\r\n");
    assert.equal(shown(rig.output("third")), "third");
    rig.now += 60_000;
    rig.answerCheck(rig.lose());
    rig.take({ type: "opened", request: rig.socket });
    assert.equal(shown(rig.output("something quite different")), "<gap>something quite different");
  });

  it("waits longer after each failure, and never after the server has said that the terminal is gone", () => {
    const rig = new Rig();
    const delays: number[] = [];
    let effects = rig.take({ type: "retry" });
    for (let attempt = 0; attempt < 9; attempt += 1) {
      const check = effects.find((effect) => effect.type === "check");
      assert.ok(check?.type === "check");
      const obstacle = { type: "waiting", reason: "no network" } as const;
      const timer = rig
        .take({ type: "checked", request: check.request, obstacle })
        .find(({ type }) => type === "setTimer");
      delays.push(timer?.type === "setTimer" ? timer.delayMs : -1);
      effects = rig.timer("reconnect");
    }
    assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    const check = effects.find((effect) => effect.type === "check");
    assert.ok(check?.type === "check");
    rig.take({ type: "checked", request: check.request, obstacle: { type: "gone" } });
    assert.deepEqual(rig.protocol.state, { type: "ended", end: "gone" });
    assert.deepEqual(rig.take({ type: "retry" }), []);
  });

  it("stays rejected until the user has a new token", () => {
    const rig = new Rig(true);
    rig.take({ type: "retry" });
    const obstacle = { type: "credentialRejected", reason: "rejected" } as const;
    assert.deepEqual(types(rig.take({ type: "refused", request: rig.socket, obstacle })), ["state"]);
    assert.ok(types(rig.take({ type: "retry" })).includes("openSocket"));
  });

  it("is lost after two pings without a sign of life, and after one if the computer was asleep", () => {
    const rig = new Rig(true);
    rig.connect();
    const pinged = (bytes: number): readonly string[] => types(rig.timer("ping", bytes));
    rig.now += ping;
    assert.deepEqual(pinged(10), ["ping", "setTimer"]);
    rig.now += ping;
    assert.deepEqual(pinged(10), ["ping", "setTimer"]);
    rig.now += ping;
    assert.ok(pinged(10).includes("closeSocket"));
    const other = new Rig(true);
    other.connect();
    other.now += 100 * ping;
    assert.deepEqual(types(other.timer("ping", 10)), ["ping", "setTimer"]);
    other.now += 5000;
    assert.ok(types(other.timer("ping", 10)).includes("closeSocket"));
  });

  it("sends what was typed meanwhile if it was not long ago, in messages of limited size", () => {
    for (const [wait, expected] of [
      [keptMs, [sizeMessage(size), inputMessage("ls\r")]],
      [keptMs + 1, [sizeMessage(size)]],
    ] as const) {
      const rig = new Rig(true);
      rig.take({ type: "retry" });
      rig.take({ type: "typed", text: "ls", isBehind: false });
      rig.take({ type: "typed", text: "\r", isBehind: false });
      rig.now += wait;
      assert.deepEqual(sent(rig.take({ type: "opened", request: rig.socket })), expected);
    }
    const rig = new Rig(true);
    rig.connect();
    const pasted = `${"x".repeat(65_535)}😀${"y".repeat(100)}`;
    const parts = sent(rig.take({ type: "typed", text: pasted, isBehind: false }));
    assert.equal(parts.map((part) => (JSON.parse(part) as readonly string[])[1]).join(""), pasted);
    assert.ok(parts.length > 1 && parts.every((part) => !part.includes("\\ud83d")));
  });

  it("discards what waits from an interrupt until the server has answered a ping", () => {
    const rig = new Rig(true);
    rig.connect();
    const interrupt = { type: "typed", text: "\u0003" } as const;
    assert.deepEqual(types(rig.take({ ...interrupt, isBehind: false })), ["send"]);
    assert.deepEqual(types(rig.take({ ...interrupt, isBehind: true })), ["send", "discardOutput", "setTimer", "ping"]);
    assert.deepEqual(types(rig.take({ ...interrupt, isBehind: true })), ["send"]);
    assert.deepEqual(types(rig.take({ type: "pong", request: rig.socket })), ["cancelTimer", "keepOutput"]);
    rig.take({ ...interrupt, isBehind: true });
    assert.ok(types(rig.lose()).includes("keepOutput"));
  });

  it("makes a full-screen program draw itself again", () => {
    const rig = new Rig(false, true);
    const effects = rig.connect();
    assert.equal(shown(effects), "\u001b[?1049h");
    assert.deepEqual(sent(effects), [sizeMessage({ ...size, rows: 23 })]);
    assert.deepEqual(sent(rig.timer("size")), [sizeMessage(size)]);
    assert.ok(types(rig.output("\u001b[?1049l$ ")).includes("fullScreen"));
  });

  it("closes a socket that opens too late, and says nothing after its end", () => {
    const rig = new Rig(true);
    rig.take({ type: "retry" });
    assert.deepEqual(types(rig.take({ type: "dispose" })), ["abort", "state"]);
    assert.deepEqual(types(rig.take({ type: "opened", request: rig.socket })), ["closeSocket"]);
    assert.deepEqual(rig.output("late"), []);
    const exited = new Rig(true);
    exited.connect();
    const messages = [{ type: "output", text: "exit\r\n" }, { type: "exited" }] as const;
    assert.deepEqual(types(exited.take({ type: "messages", request: exited.socket, messages })), [
      "output",
      "cancelTimer",
      "closeSocket",
      "state",
    ]);
    assert.deepEqual(exited.protocol.state, { type: "ended", end: "exited" });
  });
});
