import assert from "node:assert/strict";
import type { ExecutionEvent } from "../../../../src/api/kernels/executions/executions.ts";
import { type WidgetEvent, WidgetSession } from "../../../../src/api/kernels/widgets/widget-session.ts";
import { MessageTooLargeError } from "../../../../src/api/kernels/wire/kernel-message.ts";
import { until } from "../../../harness/until.ts";
import { type FakeKernel, openFakeKernel } from "./fake-kernel.ts";

const large = "x".repeat(11 * 1024 * 1024);
const tooLarge = /^A message of 11 MB is too large: the server accepts at most 10 MB\./;

describe("a message that is larger than the server's limit", () => {
  let kernel: FakeKernel;

  beforeEach(async () => {
    kernel = await openFakeKernel();
  });
  afterEach(() => kernel.connection.dispose());

  async function run(codes: readonly string[], stopOnError: boolean) {
    const events: ExecutionEvent[][] = codes.map(() => []);
    const executions = await kernel.connection.execute(
      codes.map((code, cellIndex) => ({
        code,
        cellId: undefined,
        cellIndex,
        stopOnError,
        sink: { onEvents: (more) => void events[cellIndex]?.push(...more) },
      })),
    );
    return { events, executions };
  }

  it("is not sent if it is a cell, which says so, and the later cells of its run don't run", async () => {
    const { events, executions } = await run(["1", large, "2"], true);
    const outcomes = await Promise.all(executions.slice(1).map(({ ended }) => ended));
    assert.deepEqual(outcomes, [{ type: "error" }, { type: "dropped" }]);
    const [started, error, ended] = events[1] ?? [];
    assert.deepEqual([started?.type, error?.type, ended?.type], ["started", "error", "ended"]);
    assert.match(error?.type === "error" ? error.value : "", tooLarge);
    await kernel.taken("execute_request");
    const next = await kernel.run("3");
    assert.deepEqual(
      kernel.requests.map(({ content }) => content.code),
      ["1", "3"],
    );
    assert.equal(kernel.connection.state.type, "connected");
    kernel.reply(next.request, { status: "ok" });
    kernel.status(next.request.header, "idle");
    await until("the end", () => next.outcome() === "ok");
    assert.equal(kernel.journal()[1]?.outcome, "error");
  });

  it("does not stop cells that run despite failed ones", async () => {
    const { executions } = await run([large, "2"], false);
    assert.deepEqual(await executions[0]?.ended, { type: "error" });
    assert.equal((await kernel.taken("execute_request")).content.code, "2");
  });

  it("is an error of the request", async () => {
    const request = kernel.connection.request("shell", "complete_request", { code: large, cursor_pos: 0 });
    await assert.rejects(request, MessageTooLargeError);
  });

  it("is refused if it is of a widget, whose pages then show the kernel's state again", async () => {
    const session = new WidgetSession(kernel.connection, { leftOutText: String, onError: assert.ifError });
    const events: WidgetEvent[] = [];
    session.listen((event) => void events.push(event));
    const { request } = await kernel.run("FileUpload()");
    const data = { state: { value: [] }, buffer_paths: [] };
    kernel.publish(request.header, "comm_open", { comm_id: "upload", target_name: "jupyter.widget", data });
    await until("the widget", () => session.has("upload"));
    events.length = 0;
    const update = { method: "update", state: { value: [{ name: "a.bin" }] }, buffer_paths: [["value", 0, "content"]] };
    assert.throws(() => session.send("upload", update, [Buffer.from(large)]), MessageTooLargeError);
    assert.deepEqual(events, [{ type: "models", models: [{ commId: "upload", state: { value: [] }, buffers: [] }] }]);
    assert.equal(kernel.requests.length, 1);
    session.dispose();
  });
});
