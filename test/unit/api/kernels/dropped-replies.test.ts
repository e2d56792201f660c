import assert from "node:assert/strict";
import { until } from "../../../harness/until.ts";
import { type FakeKernel, openFakeKernel, openFakePython } from "./fake-kernel.ts";

const ok = { status: "ok", execution_count: 1 };
const information = { status: "ok" };
const idle = { execution_state: "idle" };

describe("An execution whose reply the kernel drops", () => {
  let kernel: FakeKernel;

  beforeEach(async () => {
    kernel = await openFakeKernel();
  });
  afterEach(() => kernel.connection.dispose());

  /** Waits until the connection has received everything that was sent so far, because messages arrive in order. */
  async function settled(): Promise<void> {
    const response = kernel.connection.request("control", "kernel_info_request", {});
    kernel.reply(await kernel.taken("kernel_info_request"), information);
    await response;
  }

  it("ends with an error that reports it, once a later request gets a reply", async () => {
    const { request, events, outcome } = await kernel.run("1");
    kernel.status(request.header, "busy");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 });
    kernel.publish(request.header, "stream", { name: "stdout", text: "early" });
    kernel.status(request.header, "idle");
    const question = await kernel.taken("kernel_info_request");
    assert.deepEqual([question.channel, outcome()], ["shell", "pending"]);
    kernel.reply(question, information);
    kernel.status(question.header, "idle");
    await until("it ended", () => outcome() !== "pending");
    assert.equal(outcome(), "error");
    assert.deepEqual(
      events.map(({ type }) => type),
      ["busy", "started", "stream", "idle", "error", "ended"],
    );
    const [error] = events.filter((event) => event.type === "error");
    assert.match(error?.value ?? "", /without a reply.*interrupted/);
    assert.deepEqual(kernel.connection.pending, []);
    // The next window reports it, too.
    await until("the journal", () => kernel.journal()[0]?.outcome === "noReply");
  });

  it("is not detected if the reply is only late", async () => {
    const { request, events, outcome } = await kernel.run("1");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 });
    kernel.status(request.header, "idle");
    const question = await kernel.taken("kernel_info_request");
    await settled();
    assert.equal(outcome(), "pending");
    kernel.reply(request, ok);
    kernel.reply(question, information);
    kernel.status(question.header, "idle");
    await until("it ended", () => outcome() !== "pending");
    await settled();
    assert.equal(outcome(), "ok");
    assert.deepEqual(
      events.map(({ type }) => type),
      ["started", "idle", "ended"],
    );
  });

  it("is not detected if the recorder has the reply, which was lost in transit", async () => {
    kernel.connection.dispose();
    kernel = await openFakePython();
    const { request, events, outcome } = await kernel.run("1");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 });
    kernel.status(request.header, "idle");
    await kernel.repliesToInput();
    const header = { msg_id: "the reply", msg_type: "execute_reply", session: "the kernel's" };
    const entry = [1, "shell", header, request.header, {}, ok];
    await kernel.evaluates(JSON.stringify({ after: 0, known: true, first: 1, last: 1, entries: [entry] }));
    await until("it ended", () => outcome() !== "pending");
    assert.equal(outcome(), "ok");
    assert.deepEqual(
      events.map(({ type }) => type),
      ["started", "idle", "ended"],
    );
  });

  it("is also detected if the end of the execution comes from the recorder, as after very long output", async () => {
    kernel.connection.dispose();
    kernel = await openFakePython();
    const { request, events, outcome } = await kernel.run("1");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 });
    kernel.notify(request.header, "stream", { name: "stderr", text: "IOPub data rate exceeded." });
    const page = pageOf([1, "iopub", "stream", { name: "stdout", text: "flood" }], [2, "iopub", "status", idle]);
    // After a drop, the recorder is read until nothing more was dropped: twice.
    await kernel.evaluates(page);
    await kernel.evaluates(page);
    await until("the output", () => events.some(({ type }) => type === "idle"));
    assert.equal(outcome(), "pending");
    await kernel.repliesToInput();
    await kernel.evaluates(page);
    await until("it ended", () => outcome() !== "pending");
    assert.deepEqual(
      events.map(({ type }) => type),
      ["started", "stream", "idle", "error", "ended"],
    );

    /** A page of the recorder with messages of the execution. */
    function pageOf(...messages: readonly (readonly [number, string, string, object])[]): string {
      const entries = messages.map(([number, channel, type, content]) => {
        const header = { msg_id: `recorded ${number}`, msg_type: type, session: "the kernel's" };
        return [number, channel, header, request.header, {}, content];
      });
      return JSON.stringify({ after: 0, known: true, first: 1, last: entries.length, entries });
    }
  });

  it("ends when the reply to a later execution arrives, after its own output", async () => {
    const first = await kernel.run("1");
    const second = await kernel.run("2");
    kernel.publish(first.request.header, "execute_input", { code: "1", execution_count: 1 });
    kernel.reply(second.request, ok);
    await settled();
    assert.deepEqual([first.outcome(), second.outcome()], ["pending", "pending"]);
    kernel.publish(first.request.header, "stream", { name: "stdout", text: "late" });
    kernel.status(first.request.header, "idle");
    await until("the first ended", () => first.outcome() !== "pending");
    assert.equal(first.outcome(), "error");
    assert.deepEqual(
      first.events.map(({ type }) => type),
      ["started", "stream", "idle", "error", "ended"],
    );
    assert.equal(second.outcome(), "pending");
    kernel.status(second.request.header, "idle");
    await until("the second ended", () => second.outcome() !== "pending");
    assert.equal(second.outcome(), "ok");
    // No request was necessary.
    assert.ok(
      kernel.requests.every(({ channel, header }) => channel !== "shell" || header.msg_type !== "kernel_info_request"),
    );
  });

  it("doesn't affect a later execution", async () => {
    const first = await kernel.run("1");
    const second = await kernel.run("2");
    kernel.reply(first.request, ok);
    kernel.status(first.request.header, "idle");
    await until("the first ended", () => first.outcome() === "ok");
    kernel.status(second.request.header, "busy");
    await settled();
    assert.equal(second.outcome(), "pending");
  });
});

describe("Canceling one execution", () => {
  let kernel: FakeKernel;

  beforeEach(async () => {
    kernel = await openFakeKernel();
  });
  afterEach(() => kernel.connection.dispose());

  it("interrupts only that execution if it runs, or as soon as it runs", async () => {
    const first = await kernel.run("1");
    const second = await kernel.run("2");
    await kernel.connection.cancel(second.request.header.msg_id);
    await kernel.connection.cancel("unknown");
    kernel.publish(first.request.header, "execute_input", { code: "1", execution_count: 1 });
    kernel.reply(first.request, ok);
    kernel.status(first.request.header, "idle");
    await until("the first ended", () => first.outcome() === "ok");
    assert.deepEqual(kernel.interrupts, []);
    kernel.publish(second.request.header, "execute_input", { code: "2", execution_count: 2 });
    await until("the second is interrupted", () => kernel.interrupts.length === 1);
    const third = await kernel.run("3");
    kernel.publish(third.request.header, "execute_input", { code: "3", execution_count: 3 });
    await until("the third runs", () => third.events.length > 0);
    await kernel.connection.cancel(third.request.header.msg_id);
    assert.equal(kernel.interrupts.length, 2);
  });
});
