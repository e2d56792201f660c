import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { DebugSession } from "../../../../src/api/debugging/debug-session.ts";
import type { DebuggedConnection } from "../../../../src/api/debugging/kernel-debugger.ts";
import type { Fields, IncomingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";
import { PersonalTime } from "../../../harness/personal-time.ts";

function message(channel: string, content: Fields): IncomingMessage {
  const header = { msg_id: "1", msg_type: "", session: "" };
  return { channel, header, parentHeader: undefined, content, metadata: {}, buffers: [], byteLength: 1 };
}

describe("a debug session", () => {
  it("doesn't show a stop after a step if its thread continues before the stack is known", async () => {
    const shown: string[] = [];
    const asked: { readonly command: unknown; readonly reply: (body: object) => void }[] = [];
    let publish: (event: string, body: object) => void = () => {};
    const subscription = { dispose: () => {} };
    const connection: DebuggedConnection = {
      request: (_channel, _type, { command }) =>
        new Promise((resolve) => {
          const head = { type: "response", success: true };
          asked.push({ command, reply: (body) => resolve(message("control", { ...head, body })) });
        }),
      state: { type: "connected", since: 0 },
      information: undefined,
      interrupt: async () => {},
      ready: () => new Promise(() => {}),
      onState: () => subscription,
      onKernel: () => subscription,
      onDebugEvent: (listener) => {
        publish = (event, body) => listener(message("iopub", { type: "event", event, body }));
        return subscription;
      },
    };
    const session = new DebugSession({
      connection,
      sources: { find: () => undefined, addressOf: () => undefined },
      ...{ path: "", folder: "", justMyCode: true, ownsKernel: false, clock: new PersonalTime() },
      onOutput: (output) => (output.type === "event" ? shown.push(output.event) : undefined),
      onConfigured: () => {},
      onEnd: () => {},
    });
    session.request({ type: "request", seq: 1, command: "configurationDone" });
    await setImmediate();
    asked.shift()?.reply({});
    await setImmediate();
    // debugpy can report a thread that continues with a step only after the next stop.
    for (const continuing of [1, 4, undefined]) {
      publish("stopped", { reason: "step", threadId: 1 });
      await setImmediate();
      if (continuing !== undefined) publish("continued", { threadId: continuing, allThreadsContinued: true });
      const [stack] = asked.splice(0);
      assert.equal(stack?.command, "stackTrace");
      stack?.reply({ stackFrames: [] });
      await setImmediate();
    }
    assert.deepEqual(shown, ["continued", "stopped", "stopped"]);
    publish("continued", { threadId: 4, allThreadsContinued: true });
    assert.equal(session.state.type, "stopped");
    session.request({ type: "request", seq: 2, command: "next", arguments: { threadId: 1 } });
    await setImmediate();
    publish("continued", { threadId: 4, allThreadsContinued: true });
    asked.shift()?.reply({});
    await setImmediate();
    assert.equal(session.state.type, "running");
    assert.deepEqual(shown.slice(3), ["continued"]);
  });
});
