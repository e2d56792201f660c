import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { type FakeKernel, openFakeKernel } from "./fake-kernel.ts";

describe("what a kernel sends", () => {
  let kernel: FakeKernel;

  beforeEach(async () => {
    kernel = await openFakeKernel();
    await turns();
  });
  afterEach(() => kernel.connection.dispose());

  async function turns(): Promise<void> {
    for (let count = 0; count < 10; count += 1) await turn();
  }

  /** Number of acknowledgments that a step causes. */
  async function caused(step: () => unknown): Promise<number> {
    const before = kernel.acknowledgments;
    await step();
    await turns();
    return kernel.acknowledgments - before;
  }

  it("is acknowledged at once from the moment a cell is sent until its end", async () => {
    let cell = await kernel.run("1");
    const { header } = cell.request;
    assert.equal(await caused(() => kernel.status(header, "busy")), 1);
    assert.equal(await caused(() => kernel.publish(header, "stream", { name: "stdout", text: "1" })), 1);
    assert.equal(await caused(() => kernel.reply(cell.request, { status: "ok", execution_count: 1 })), 1);
    assert.equal(cell.outcome(), "pending");
    assert.equal(await caused(() => kernel.status(header, "idle")), 1);
    assert.equal(cell.outcome(), "ok");
    assert.equal(await caused(() => kernel.publish(header, "stream", { name: "stdout", text: "late" })), 0);
    cell = await kernel.run("2");
    assert.equal(await caused(() => kernel.status(cell.request.header, "busy")), 1);
  });

  it("is acknowledged at once until the reply to a request", async () => {
    const reply = kernel.connection.request("shell", "complete_request", { code: "pri", cursor_pos: 3 });
    const request = await kernel.taken("complete_request");
    assert.equal(await caused(() => kernel.status(request.header, "busy")), 1);
    assert.equal(await caused(() => kernel.reply(request, { status: "ok" })), 1);
    await reply;
    assert.equal(await caused(() => kernel.status(request.header, "idle")), 0);
  });

  it("is acknowledged at once until the kernel has handled a comm message", async () => {
    const comm = { commId: "c", targetName: undefined, data: {}, metadata: {}, buffers: [] };
    kernel.connection.sendComm({ type: "message", ...comm });
    const { header } = await kernel.taken("comm_msg");
    assert.equal(await caused(() => kernel.status(header, "busy")), 1);
    assert.equal(await caused(() => kernel.status(header, "idle")), 1);
    assert.equal(await caused(() => kernel.status(header, "idle")), 0);
  });

  it("is not acknowledged at once while nothing is awaited, such as the output of another client", async () => {
    assert.equal(kernel.connection.state.type, "connected");
    const header = { msg_id: "of another client", msg_type: "execute_request" };
    assert.equal(await caused(() => kernel.status(header, "busy")), 0);
    assert.equal(await caused(() => kernel.publish(header, "stream", { name: "stdout", text: "1" })), 0);
  });
});
