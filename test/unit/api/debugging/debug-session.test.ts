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
  it("doesn't show a stop after a step if the code continues before its stack is known", async () => {
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
    for (const continues of [true, false]) {
      publish("stopped", { reason: "step", threadId: 1 });
      await setImmediate();
      if (continues) publish("continued", { threadId: 1, allThreadsContinued: true });
      const [stack] = asked.splice(0);
      assert.equal(stack?.command, "stackTrace");
      stack?.reply({ stackFrames: [] });
      await setImmediate();
    }
    assert.deepEqual(shown, ["continued", "stopped"]);
  });
});
