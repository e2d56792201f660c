import assert from "node:assert/strict";
import type { ExecutionEvent } from "../../../../src/api/kernels/executions/executions.ts";
import { PublishedSequence } from "../../../../src/api/kernels/protocol/recovery/published-sequence.ts";
import type { MessageHeader } from "../../../../src/api/kernels/wire/kernel-message.ts";
import { until } from "../../../harness/until.ts";
import { type FakeKernel, openFakeKernel, openFakePython } from "./fake-kernel.ts";

const ok = { status: "ok", execution_count: 1 };
const idle = { execution_state: "idle" };
const text = (line: string): object => ({ name: "stdout", text: line });

describe("The numbers of published messages", () => {
  const header = (publishedNumber: number | undefined, session = "process"): MessageHeader => ({
    msg_id: "message",
    msg_type: "stream",
    session,
    ...(publishedNumber === undefined ? {} : { publishedNumber }),
  });

  it("show what is missing, from the first one on, until they start over", () => {
    const sequence = new PublishedSequence();
    const taken = [7, 8, undefined, 9, 12, 11, 13, 15].map((number) => sequence.handle(header(number)));
    assert.deepEqual(taken, [false, false, false, false, true, false, false, true]);
    // Messages that were read from the recorder are not missing. Those that the server dropped later are.
    sequence.advance(20);
    assert.deepEqual(
      [18, 21, 23].map((number) => sequence.handle(header(number))),
      [false, false, true],
    );
    sequence.reset();
    assert.deepEqual(
      [1, 2, 4].map((number) => sequence.handle(header(number))),
      [false, false, true],
    );
  });

  it("start over for another process, whose predecessor's late messages don't count", () => {
    const sequence = new PublishedSequence();
    assert.equal(sequence.handle(header(9, "old process")), false);
    sequence.follow("process");
    assert.equal(sequence.begin(), false);
    assert.deepEqual(
      [header(1), header(10, "old process"), header(3)].map((one) => sequence.handle(one)),
      [false, false, true],
    );
  });
});

describe("Messages that are lost between the kernel and the server", () => {
  let kernel: FakeKernel;

  afterEach(() => kernel.connection.dispose());

  /** A page of the recorder with published messages of one execution. */
  function pageOf(parent: object, messages: readonly (readonly [string, object])[]): string {
    const entries = messages.map(([type, content], index) => {
      const header = { msg_id: `recorded ${index}`, msg_type: type, session: "the kernel's" };
      return [index + 1, "iopub", header, parent, {}, content];
    });
    return JSON.stringify({ after: 0, known: true, first: 1, last: entries.length, entries });
  }

  const shown = (events: readonly ExecutionEvent[]): readonly string[] =>
    events.map((event) => (event.type === "stream" ? event.text : event.type));

  it("are read from the recorder, and shown before later messages", async () => {
    kernel = await openFakePython();
    const { request, events, outcome } = await kernel.run("1");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 }, 1);
    kernel.publish(request.header, "stream", text("one "), 2);
    await until("the first output", () => shown(events).includes("one "));
    kernel.publish(request.header, "stream", text("four "), 5);
    kernel.reply(request, ok);
    kernel.publish(request.header, "status", idle, 6);
    const page = pageOf(request.header, [
      ["stream", text("two ")],
      ["stream", text("three ")],
    ]);
    await kernel.evaluates(page);
    assert.deepEqual(shown(events), ["started", "one "]);
    await kernel.evaluates(page);
    await until("it ended", () => outcome() !== "pending");
    assert.deepEqual(
      [outcome(), ...shown(events).join(" ").split(/ +/)],
      [...["ok", "started", "one", "two", "three", "four", "idle", "ended"]],
    );
  });

  it("and were the end of an execution, are read if the idle status doesn't follow the reply", async () => {
    kernel = await openFakePython();
    const { request, events, outcome } = await kernel.run("1");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 }, 1);
    kernel.reply(request, ok);
    await kernel.repliesToInput();
    await kernel.evaluates(
      pageOf(request.header, [
        ["stream", text("last")],
        ["status", idle],
      ]),
    );
    await until("it ended", () => outcome() !== "pending");
    assert.deepEqual([outcome(), ...shown(events)], ["ok", "started", "last", "idle", "ended"]);
  });

  it("end an execution with a gap if nothing recorded them", async () => {
    kernel = await openFakeKernel();
    const { request, events, outcome } = await kernel.run("1");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 });
    kernel.reply(request, ok);
    const question = await kernel.taken("kernel_info_request");
    kernel.reply(question, { status: "ok" });
    assert.equal(outcome(), "pending");
    kernel.status(question.header, "idle");
    await until("it ended", () => outcome() !== "pending");
    assert.equal(outcome(), "ok");
    assert.deepEqual(
      events.filter((event) => event.type === "gap").map(({ reason }) => reason),
      [{ type: "notDelivered" }],
    );
    assert.equal(events.at(-1)?.type, "ended");
  });

  it("are not read if only other clients use the kernel", async () => {
    kernel = await openFakePython();
    const other = { msg_id: "of another client", msg_type: "execute_request" };
    let heard = 0;
    kernel.connection.onForeign(({ events }) => {
      heard += events.length;
    });
    kernel.publish(other, "stream", text("one "), 1);
    kernel.publish(other, "stream", text("four "), 4);
    await until("what the other client ran", () => heard === 2);
    const { request, events, outcome } = await kernel.run("1");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 }, 5);
    kernel.reply(request, ok);
    kernel.publish(request.header, "status", idle, 6);
    await until("it ended", () => outcome() !== "pending");
    assert.deepEqual(shown(events), ["started", "idle", "ended"]);
    assert.equal(kernel.requests.filter(({ header }) => header.msg_type === "create_subshell_request").length, 1);
  });

  it("are not read if the idle status is only late", async () => {
    kernel = await openFakePython();
    const { request, events, outcome } = await kernel.run("1");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 }, 1);
    kernel.reply(request, ok);
    const question = await kernel.taken("kernel_info_request");
    kernel.publish(request.header, "status", idle, 2);
    kernel.reply(question, { status: "ok" });
    kernel.status(question.header, "idle");
    await until("it ended", () => outcome() !== "pending");
    assert.deepEqual(shown(events), ["started", "idle", "ended"]);
    const asked = kernel.requests.filter(({ header }) => header.msg_type === "create_subshell_request");
    assert.equal(asked.length, 1);
  });
});
