import assert from "node:assert/strict";
import { UnclaimedOutputs } from "../../../../src/api/kernels/widgets/unclaimed-outputs.ts";
import { WidgetSession } from "../../../../src/api/kernels/widgets/widget-session.ts";
import { until } from "../../../harness/until.ts";
import { type FakeKernel, openFakeKernel } from "./fake-kernel.ts";

const model = (outputs: readonly object[] = []) => ({
  state: { _model_name: "OutputModel", outputs },
  model_name: "OutputModel",
});

describe("the widgets of a kernel that a window reads", () => {
  let kernel: FakeKernel;
  let session: WidgetSession;

  beforeEach(async () => {
    kernel = await openFakeKernel();
    session = new WidgetSession(kernel.connection, { leftOutText: String, onError: assert.ifError });
  });
  afterEach(() => {
    session.dispose();
    kernel.connection.dispose();
  });

  /** Answers the requests of a read. `meanwhile` runs after the kernel has collected the states. */
  async function responseRead(states: object, meanwhile = async (): Promise<void> => {}): Promise<void> {
    const opened = await kernel.taken("comm_open");
    const asked = await kernel.taken("comm_msg");
    await meanwhile();
    const { comm_id } = opened.content;
    kernel.publish(asked.header, "comm_msg", { comm_id, data: { method: "update_states", states, buffer_paths: [] } });
    for (const { header } of [opened, asked]) {
      kernel.status(header, "busy");
      kernel.status(header, "idle");
    }
  }

  const outputsOf = (commId: string): unknown =>
    session.models.find((candidate) => candidate.commId === commId)?.state.outputs;

  it("contain output that they captured before they were known", async () => {
    const { request, events } = await kernel.run("with out: ...");
    const asks = { method: "update", state: { msg_id: request.header.msg_id }, buffer_paths: [] };
    kernel.publish(request.header, "comm_msg", { comm_id: "out", data: asks });
    kernel.publish(request.header, "stream", { name: "stdout", text: "inside\n" });
    kernel.publish(request.header, "comm_msg", { comm_id: "out", data: { ...asks, state: { msg_id: "" } } });
    kernel.publish(request.header, "stream", { name: "stdout", text: "outside\n" });
    await until("the output of the cell", () => events.some(({ type }) => type === "stream"));
    const read = session.read();
    await responseRead({ out: model() });
    await read;
    assert.deepEqual(outputsOf("out"), [{ output_type: "stream", name: "stdout", text: "inside\n" }]);
    assert.deepEqual(
      events.flatMap((event) => (event.type === "stream" ? [event.text] : [])),
      ["outside\n"],
    );
    const sent = await kernel.taken("comm_msg");
    assert.deepEqual(Reflect.get(Object(sent.content.data), "state"), { outputs: outputsOf("out") });
  });

  it("stay open if the kernel opens them during the read, and are closed if they no longer exist", async () => {
    const open = (commId: string): void =>
      kernel.publish({ msg_id: "cell", msg_type: "execute_request" }, "comm_open", {
        comm_id: commId,
        target_name: "jupyter.widget",
        data: { state: { _model_name: commId } },
      });
    open("old");
    await until("the old widget", () => session.has("old"));
    const read = session.read();
    await responseRead({}, async () => {
      open("new");
      await until("the new widget", () => session.has("new"));
    });
    await read;
    assert.deepEqual(
      session.models.map(({ commId }) => commId),
      ["new"],
    );
  });
});

describe("outputs of widgets that are not known", () => {
  const output = (commId: string, text: string) =>
    ({ commId, event: { type: "stream", name: "stdout", text }, isReplayed: false }) as const;

  it("are bounded in size: the oldest are dropped", () => {
    const unclaimed = new UnclaimedOutputs();
    const texts = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(1_000_000));
    for (const text of texts) unclaimed.add(output("one", text));
    unclaimed.add(output("another", "x"));
    assert.deepEqual(
      unclaimed.claim("one").map(({ event }) => event.type === "stream" && event.text[0]),
      ["b", "c", "d", "e"],
    );
    assert.deepEqual(unclaimed.claim("one"), []);
    unclaimed.add(output("one", "y".repeat(5_000_000)));
    assert.deepEqual([unclaimed.claim("one"), unclaimed.claim("another")], [[], []]);
  });
});
