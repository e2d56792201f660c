import assert from "node:assert/strict";
import { ForeignActivities } from "../../../../src/api/kernels/connection/foreign-activity.ts";
import type { IncomingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";

describe("the activity of other clients of a kernel", () => {
  function stream(parent: string, text: string): IncomingMessage {
    const header = { msg_id: `${parent}/${text}`, msg_type: "stream", session: "kernel" };
    const parentHeader = { msg_id: parent, msg_type: "execute_request", session: "other" };
    const content = { name: "stdout", text };
    return { ...{ channel: "iopub", header, parentHeader, content }, metadata: {}, buffers: [], byteLength: 1 };
  }

  it("is reported one execution at a time, even if a listener fails", async () => {
    const activities = new ForeignActivities();
    const steps: string[] = [];
    activities.listen(async ({ messageId, events }) => {
      await new Promise((resolve) => setTimeout(resolve, messageId === "first" ? 20 : 0));
      steps.push(`${messageId}: ${events.length}`);
    });
    activities.listen(() => Promise.reject(new Error("no")));
    activities.take(stream("first", "a"));
    activities.take(stream("second", "b"));
    activities.take(stream("first", "c"));
    const flushed = activities.flush();
    activities.take(stream("second", "d"));
    await Promise.all([flushed, activities.flush()]);
    assert.deepEqual(steps, ["first: 2", "second: 1", "second: 1"]);
    assert.equal(activities.flush(), undefined);
  });
});
