import assert from "node:assert/strict";
import { silentLog } from "../../../../src/api/http/log.ts";
import { Sinks } from "../../../../src/api/kernels/driver/sinks.ts";
import { Agenda } from "../../../../src/api/kernels/protocol/agenda.ts";
import { Deliveries } from "../../../../src/api/kernels/protocol/execution/deliveries.ts";
import type { IncomingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";

describe("the activity of other clients of a kernel", () => {
  function stream(parent: string, text: string): IncomingMessage {
    const header = { msg_id: `${parent}/${text}`, msg_type: "stream", session: "kernel" };
    const parentHeader = { msg_id: parent, msg_type: "execute_request", session: "other" };
    const content = { name: "stdout", text };
    return { channel: "iopub", header, parentHeader, content, metadata: {}, buffers: [], byteLength: 1 };
  }

  it("is reported one execution at a time, even if a listener fails", async () => {
    const agenda = new Agenda(0);
    const deliveries = new Deliveries(agenda);
    const sinks = new Sinks(silentLog);
    const steps: string[] = [];
    const slow = Promise.withResolvers<void>();
    sinks.listenToForeign(async ({ messageId, events }) => {
      if (messageId === "first") await slow.promise;
      steps.push(`${messageId}: ${events.length}`);
    });
    sinks.listenToForeign(() => Promise.reject(new Error("no")));
    deliveries.hasForeignListener = sinks.hasForeignListener;
    const flush = (): Promise<void>[] => {
      deliveries.deliver((records) => records);
      return agenda
        .takeEffects()
        .flatMap((effect) => (effect.type === "deliver" ? Promise.resolve(sinks.deliver(effect)) : []));
    };
    deliveries.takeForeign(stream("first", "a"));
    deliveries.takeForeign(stream("second", "b"));
    deliveries.takeForeign(stream("first", "c"));
    const flushed = flush();
    deliveries.takeForeign(stream("second", "d"));
    assert.deepEqual(flush(), [], "it waits for the delivery before");
    // Everything that doesn't wait for the first execution has ended by then.
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(steps, []);
    slow.resolve();
    await Promise.all(flushed);
    deliveries.delivered();
    await Promise.all(flush());
    assert.deepEqual(steps, ["first: 2", "second: 1", "second: 1"]);
    deliveries.delivered();
    assert.deepEqual(flush(), []);
  });
});
