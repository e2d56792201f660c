import assert from "node:assert/strict";
import { KernelRequests } from "../../../../src/api/kernels/connection/kernel-requests.ts";
import type { Fields, KernelChannel, OutgoingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";

describe("A request of the connection's own", () => {
  let sent: OutgoingMessage[];
  let requests: KernelRequests;

  beforeEach(() => {
    sent = [];
    requests = new KernelRequests("s-1", (message) => sent.push(message) > 0);
  });

  function answer(channel: KernelChannel | "iopub", type: string, content: Fields): void {
    const header = { msg_id: `answer-${sent.length}`, msg_type: type, session: "k-1" };
    const { header: parentHeader } = sent.at(-1) ?? assert.fail("nothing was sent");
    requests.take({ channel, header, parentHeader, content, metadata: {}, buffers: [], byteLength: 0 });
  }

  function evaluate(): Promise<unknown> {
    return requests
      .request("shell", "execute_request", { user_expressions: { value: "1" } }, { subshell: "sub-1", idle: true })
      .then(({ content }) => content.status);
  }

  it("is sent again when the kernel aborts it with the cells behind one that failed", async () => {
    const status = evaluate();
    answer("shell", "execute_reply", { status: "aborted" });
    assert.equal(sent.length, 1, "before the kernel is done with it");
    answer("iopub", "status", { execution_state: "idle" });
    const [first, second] = sent;
    assert.deepEqual(second?.content, first?.content);
    assert.equal(Reflect.get(second?.header ?? {}, "subshell_id"), "sub-1");
    assert.notEqual(second?.header.msg_id, first?.header.msg_id);
    answer("iopub", "status", { execution_state: "idle" });
    answer("shell", "execute_reply", { status: "ok" });
    assert.equal(await status, "ok");
    assert.equal(sent.length, 2);
  });

  it("is not sent without end", async () => {
    const status = evaluate();
    for (let before = 0; before < sent.length; ) {
      before = sent.length;
      answer("iopub", "status", { execution_state: "idle" });
      answer("shell", "execute_reply", { status: "aborted" });
    }
    assert.equal(await status, "aborted");
    assert.equal(sent.length, 20);
  });

  it("is lost with the connection, also the second time", async () => {
    const status = evaluate();
    answer("iopub", "status", { execution_state: "idle" });
    answer("shell", "execute_reply", { status: "aborted" });
    requests.lose("the connection was closed");
    await assert.rejects(status, /the connection was closed/);
  });
});
