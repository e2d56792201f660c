import assert from "node:assert/strict";
import { ForeignActivities } from "../../../../src/api/kernels/connection/foreign-activity.ts";
import type { IncomingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";

describe("the activity of other clients of a kernel", () => {
  function stream(parent: string, text: string): IncomingMessage {
    const header = { msg_id: `${parent}/${text}`, msg_type: "stream", session: "kernel" };
    const parentHeader = { msg_id: parent, msg_type: "execute_request", session: "other" };
    const content = { name: "stdout", text };
    return { channel: "iopub", header, parentHeader, content, metadata: {}, buffers: [], byteLength: 1 };
  }

  it("is reported one execution at a time, even if a listener fails", async () => {
    const activities = new ForeignActivities();
    const steps: string[] = [];
    const slow = Promise.withResolvers<void>();
    activities.listen(async ({ messageId, events }) => {
      if (messageId === "first") await slow.promise;
      steps.push(`${messageId}: ${events.length}`);
    });
    activities.listen(() => Promise.reject(new Error("no")));
    activities.handle(stream("first", "a"));
    activities.handle(stream("second", "b"));
    activities.handle(stream("first", "c"));
    const flushed = activities.flush();
    activities.handle(stream("second", "d"));
    const flushedAgain = activities.flush();
    // Everything that doesn't wait for the first execution has ended by then.
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(steps, []);
    slow.resolve();
    await Promise.all([flushed, flushedAgain]);
    assert.deepEqual(steps, ["first: 2", "second: 1", "second: 1"]);
    assert.equal(activities.flush(), undefined);
  });
});
