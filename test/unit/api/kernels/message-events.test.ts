import assert from "node:assert/strict";
import type { IncomingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";
import { commOf } from "../../../../src/api/kernels/wire/message-events.ts";

describe("the comm message in a message of a kernel", () => {
  const message = (type: string): IncomingMessage => ({
    header: { msg_id: "1", msg_type: type, session: "s" },
    channel: "iopub",
    parentHeader: undefined,
    content: { comm_id: "a" },
    metadata: {},
    buffers: [],
    byteLength: 0,
  });

  it("has the type that the kernel names", () => {
    const types = ["comm_open", "comm_msg", "comm_close"].map((type) => commOf(message(type))?.type);
    assert.deepEqual(types, ["open", "message", "close"]);
  });

  it("is undefined for another type, including the name of a member of every object", () => {
    for (const type of ["stream", "constructor", "toString", "__proto__"]) {
      assert.equal(commOf(message(type)), undefined, type);
    }
  });
});
