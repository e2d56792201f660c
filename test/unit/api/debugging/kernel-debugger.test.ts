import assert from "node:assert/strict";
import { type DebuggedConnection, KernelDebugger } from "../../../../src/api/debugging/kernel-debugger.ts";
import { PersonalTime } from "../../../harness/personal-time.ts";

/** A debugger whose kernel never replies. */
function silentKernel() {
  const sent: string[] = [];
  const repeated: string[] = [];
  const request: DebuggedConnection["request"] = (_channel, _type, content, options) => {
    sent.push(String(content.command));
    if (options?.isSentOnce !== true) repeated.push(String(content.command));
    return new Promise(() => {});
  };
  const clock = new PersonalTime();
  let silences = 0;
  const onSilent = (): void => {
    silences += 1;
  };
  let state: DebuggedConnection["state"] = { type: "connected", since: 0 };
  const subscription = { dispose: () => {} };
  const connection: DebuggedConnection = {
    request,
    get state() {
      return state;
    },
    information: undefined,
    interrupt: async () => void sent.push("interrupt"),
    ready: () => new Promise(() => {}),
    onState: () => subscription,
    onKernel: () => subscription,
    onDebugEvent: () => subscription,
  };
  const options = { clock, onSilent };
  return {
    ...{ asked: new KernelDebugger(connection, options), clock, sent, repeated, silences: () => silences },
    setState(next: DebuggedConnection["state"]) {
      state = next;
    },
  };
}

describe("a kernel's debugger that never replies", () => {
  for (const [command, milliseconds] of [
    ["attach", 60_000],
    ["setBreakpoints", 60_000],
    ["debugInfo", 20_000],
    ["next", 60_000],
    ["disconnect", 20_000],
  ] as const) {
    it(`is given up after ${milliseconds / 1000} s of ${command}`, async () => {
      const { asked, clock, silences } = silentKernel();
      const result = asked.ask(command);
      await Promise.resolve();
      clock.pass(milliseconds - 1);
      assert.equal(silences(), 0);
      clock.pass(1);
      assert.deepEqual(await result, { success: false, message: "The kernel's debugger doesn't reply." });
      assert.equal(silences(), 1);
    });
  }

  it("gets what changes the program, or runs code of the user, only once", async () => {
    const commands = ["next", "variables", "evaluate", "stackTrace"];
    const all = commands.map(async (command) => {
      const { asked, repeated } = silentKernel();
      void asked.ask(command);
      await Promise.resolve();
      return repeated;
    });
    assert.deepEqual((await Promise.all(all)).flat(), ["stackTrace"]);
  });

  it("isn't given up while the connection is lost", async () => {
    const { asked, clock, silences, setState } = silentKernel();
    void asked.ask("setBreakpoints");
    await Promise.resolve();
    setState({ type: "connecting", attempt: 1 });
    clock.pass(60_000);
    setState({ type: "connected", since: 0 });
    clock.pass(59_999);
    assert.equal(silences(), 0);
    clock.pass(1);
    assert.equal(silences(), 1);
  });

  it("may evaluate code as long as it takes, until the end of the session interrupts it", async () => {
    const { asked, clock, sent, silences } = silentKernel();
    void asked.ask("evaluate");
    await Promise.resolve();
    clock.pass(3_600_000);
    assert.equal(silences(), 0);
    void asked.ask("disconnect");
    await Promise.resolve();
    assert.deepEqual(sent, ["evaluate", "disconnect"]);
    clock.pass(1000);
    assert.deepEqual(sent, ["evaluate", "disconnect", "interrupt"]);
  });
});
