import assert from "node:assert/strict";
import type { SentComm } from "../../../../src/api/kernels/connection/comms.ts";
import { Agenda } from "../../../../src/api/kernels/protocol/agenda.ts";
import { Comms } from "../../../../src/api/kernels/protocol/comms.ts";
import { KernelRequests } from "../../../../src/api/kernels/protocol/requests.ts";
import { OutputCaptures } from "../../../../src/api/kernels/recorder/output-captures.ts";
import { OutputWidget } from "../../../../src/api/kernels/widgets/output-widget.ts";
import { buffersByPath } from "../../../../src/api/kernels/widgets/widget-buffers.ts";
import { WidgetModels } from "../../../../src/api/kernels/widgets/widget-models.ts";
import type { IncomingMessage, OutgoingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe("the models of a kernel's widgets", () => {
  it("contain the opened widgets with later changes", () => {
    const models = new WidgetModels();
    models.open("a", { value: 1, max: 5 }, []);
    models.update("a", { value: 2 }, []);
    models.update("unknown", { value: 2 }, []);
    assert.deepEqual(models.all(), [{ commId: "a", state: { value: 2, max: 5 }, buffers: [] }]);
    models.close("a");
    assert.equal(models.has("a"), false);
  });

  it("contain the newest version of each binary value, which is a member of the state or within one", () => {
    const models = new WidgetModels();
    models.open("a", { list: [null] }, [
      { path: ["value"], data: bytes(1) },
      { path: ["list", 0], data: bytes(2) },
    ]);
    models.update("a", {}, [{ path: ["value"], data: bytes(3) }]);
    assert.deepEqual(models.get("a")?.buffers, [
      { path: ["list", 0], data: bytes(2) },
      { path: ["value"], data: bytes(3) },
    ]);
    models.update("a", { value: null, list: [] }, []);
    assert.deepEqual(models.get("a"), { commId: "a", state: { list: [], value: null }, buffers: [] });
  });

  it("are limited in number and size: the oldest are removed", () => {
    const few = new WidgetModels({ models: 2, size: 10_000 });
    for (const id of ["a", "b", "c"]) few.open(id, {}, []);
    assert.deepEqual(
      few.all().map(({ commId }) => commId),
      ["b", "c"],
    );
    const small = new WidgetModels({ models: 10, size: 1000 });
    small.open("a", { text: "x".repeat(600) }, []);
    small.open("b", {}, [{ path: ["value"], data: new Uint8Array(600) }]);
    assert.deepEqual(
      small.all().map(({ commId }) => commId),
      ["b"],
    );
    small.update("b", { text: "x".repeat(2000) }, []);
    assert.deepEqual(small.all(), []);
    small.open("c", { text: "x".repeat(900) }, []);
    assert.equal(small.has("c"), true);
  });

  it("ignore members that would pollute the prototype", () => {
    const models = new WidgetModels();
    models.open("a", JSON.parse('{"__proto__": {"polluted": true}, "value": 1}'), []);
    assert.deepEqual(Object.keys(models.get("a")?.state ?? {}), ["value"]);
    assert.equal(Reflect.get(models.get("a")?.state ?? {}, "polluted"), undefined);
  });
});

describe("paths of binary values", () => {
  it("are names and indexes; a buffer without a valid path is omitted", () => {
    const deep = Array.from({ length: 33 }, () => "a");
    const paths = [
      ["value"],
      ["list", 0],
      [],
      ["__proto__", "a"],
      ["a", "constructor"],
      ["a", -1],
      [1.5],
      deep,
      "value",
    ];
    const buffers = [...paths, "no path"].map((_, index) => bytes(index));
    assert.deepEqual(buffersByPath(paths, buffers), [
      { path: ["value"], data: bytes(0) },
      { path: ["list", 0], data: bytes(1) },
    ]);
    assert.deepEqual(buffersByPath("value", buffers), []);
  });
});

describe("the outputs of an Output widget", () => {
  const stream = (text: string) => ({ type: "stream", name: "stdout", text }) as const;

  it("combine a stream, and are cleared immediately or on the next output", () => {
    const widget = new OutputWidget(String);
    const one = widget.next([], stream("a"));
    const two = widget.next(one, stream("b"));
    assert.deepEqual(two, [{ output_type: "stream", name: "stdout", text: "ab" }]);
    assert.equal(widget.next(two, { type: "clearOutput", wait: true }), undefined);
    assert.deepEqual(widget.next(two, stream("c")), [{ output_type: "stream", name: "stdout", text: "c" }]);
    assert.deepEqual(widget.next(two, { type: "clearOutput", wait: false }), []);
  });

  it("are limited, and state how much is omitted", () => {
    const widget = new OutputWidget((characters) => `left out: ${characters}`);
    let outputs: unknown = [];
    for (let count = 0; count < 30; count += 1) outputs = widget.next(outputs, stream("x".repeat(100_000))) ?? outputs;
    const text = JSON.stringify(outputs);
    assert.ok(text.length < 600_000, `${text.length} characters`);
    const [, left = ""] = /left out: (\d+)/.exec(text) ?? [];
    const shown = (text.match(/x{2,}/g) ?? []).join("").length;
    assert.equal(Number(left) + shown, 3_000_000);
    assert.equal(text.split("left out").length, 2);
  });
});

describe("capturing outputs", () => {
  const message = (msg_type: string, content: object, parent = "cell"): IncomingMessage => ({
    channel: "iopub",
    header: { msg_id: "m", msg_type, session: "" },
    parentHeader: { msg_id: parent, msg_type: "execute_request", session: "" },
    content: { ...content },
    metadata: {},
    buffers: [],
    byteLength: 0,
  });
  const asks = (commId: string, msg_id: string) =>
    message("comm_msg", { comm_id: commId, data: { method: "update", state: { msg_id } } });
  const output = message("stream", { name: "stdout", text: "a" });

  it("captures the outputs of the requested execution, from the request to its end, for the innermost widget", () => {
    const captures = new OutputCaptures();
    const taker = (): string | undefined => {
      const taken = captures.handle(output, false);
      return typeof taken === "object" ? taken.commId : taken;
    };
    assert.equal(taker(), undefined);
    assert.equal(captures.handle(asks("outer", "cell"), false), "noted");
    assert.equal(taker(), "outer");
    captures.handle(asks("inner", "cell"), false);
    assert.equal(taker(), "inner");
    captures.handle(asks("inner", ""), false);
    assert.equal(taker(), "outer");
    assert.equal(captures.handle(message("stream", { name: "stdout", text: "a" }, "another"), false), undefined);
    assert.equal(captures.handle(message("status", { execution_state: "idle" }), false), undefined);
    captures.clear();
    assert.equal(taker(), undefined);
  });

  it("continues if the opening message of the widget arrives late, as after a lost connection", () => {
    const captures = new OutputCaptures();
    captures.handle(asks("widget", "cell"), false);
    const opened = { comm_id: "widget", target_name: "jupyter.widget", data: { state: { msg_id: "" } } };
    assert.equal(captures.handle(message("comm_open", opened), false), undefined);
    const taken = captures.handle(output, false);
    assert.equal(typeof taken === "object" ? taken.commId : taken, "widget");
  });
});

describe("comm messages to a kernel", () => {
  const rig = () => {
    const sent: OutgoingMessage[] = [];
    const agenda = new Agenda(0);
    const state = { isConnected: false };
    const send = (message: OutgoingMessage): boolean => {
      if (state.isConnected) sent.push(message);
      return state.isConnected;
    };
    const requests = new KernelRequests(agenda, { send }, { sessionId: "session", instance: "i" });
    const all: string[] = [];
    const handled = (): readonly string[] => {
      for (const effect of agenda.takeEffects()) {
        if (effect.type === "emit" && effect.event.name === "commHandled") all.push(effect.event.value);
      }
      return all;
    };
    return { sent, handled, state, traffic: new Comms(agenda, { send }, requests) };
  };
  const update = (value: number, buffers: readonly Uint8Array[] = []): SentComm => ({
    type: "message",
    commId: "a",
    targetName: undefined,
    data: { value },
    metadata: {},
    buffers,
  });

  it("wait for a connection, in order, and are done when the kernel is idle after them", () => {
    const { sent, handled, state, traffic } = rig();
    const ids = [traffic.send(update(1)), traffic.send(update(2))];
    assert.equal(sent.length, 0);
    traffic.lose();
    assert.deepEqual(handled(), []);
    state.isConnected = true;
    traffic.flush();
    assert.deepEqual(
      sent.map(({ header, content }) => [header.msg_id, content.data]),
      [
        [ids[0], { value: 1 }],
        [ids[1], { value: 2 }],
      ],
    );
    const parentHeader = sent[0]?.header;
    traffic.handle({
      channel: "iopub",
      header: { msg_id: "s", msg_type: "status", session: "" },
      parentHeader,
      content: { execution_state: "idle" },
      metadata: {},
      buffers: [],
      byteLength: 0,
    });
    assert.deepEqual(handled(), [ids[0]]);
    traffic.lose();
    assert.deepEqual(handled(), ids);
  });

  const connected = () => {
    const connection = rig();
    connection.state.isConnected = true;
    const status = (messageId: string, execution_state: string): void => {
      const parentHeader = { msg_id: messageId, msg_type: "comm_msg", session: "" };
      connection.traffic.handle({
        channel: "iopub",
        header: { msg_id: "s", msg_type: "status", session: "" },
        parentHeader,
        content: { execution_state },
        metadata: {},
        buffers: [],
        byteLength: 0,
      });
    };
    const echo = (parentId: string): void =>
      connection.traffic.handleReply({ ...update(0), data: { method: "echo_update" }, parentId });
    return { ...connection, status, echo };
  };

  it("are done with their echo if the kernel does not report them, and with the idle status if it does", () => {
    const { handled, traffic, status, echo } = connected();
    const [unreported, reported] = [traffic.send(update(1)), traffic.send(update(2))];
    echo(unreported);
    assert.deepEqual(handled(), [unreported]);
    status(reported, "busy");
    echo(reported);
    assert.deepEqual(handled(), [unreported]);
    status(reported, "idle");
    assert.deepEqual(handled(), [unreported, reported]);
  });

  it("are done when the kernel starts handling a later one of the same shell", () => {
    const { handled, traffic, status } = connected();
    const other = traffic.send({ ...update(1), subshell: "subshell" });
    const [first, second, third] = [traffic.send(update(2)), traffic.send(update(3)), traffic.send(update(4))];
    status(second, "busy");
    assert.deepEqual(handled(), [first]);
    status(third, "busy");
    assert.deepEqual(handled(), [first], "the second one is reported");
    status(other, "busy");
    status(other, "idle");
    assert.deepEqual(handled(), [first, other]);
  });

  it("are limited while they wait: the oldest are dropped, and done", () => {
    const { sent, handled, state, traffic } = rig();
    const ids = Array.from({ length: 1200 }, (_, value) => traffic.send(update(value)));
    const large = traffic.send(update(0, [new Uint8Array(17 * 1024 * 1024)]));
    assert.deepEqual(handled(), [...ids, large]);
    traffic.send(update(7));
    state.isConnected = true;
    traffic.flush();
    assert.deepEqual(
      sent.map(({ content }) => content.data),
      [{ value: 7 }],
    );
  });

  it("are dropped with their kernel", () => {
    const { sent, handled, state, traffic } = rig();
    const id = traffic.send(update(1));
    traffic.drop();
    assert.deepEqual(handled(), [id]);
    state.isConnected = true;
    traffic.flush();
    assert.deepEqual(sent, []);
  });
});
