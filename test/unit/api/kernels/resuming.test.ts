import assert from "node:assert/strict";
import type { JournalEntry } from "../../../../src/api/kernels/executions/execution-journal.ts";
import type { ExecutionEvent, ExecutionSink } from "../../../../src/api/kernels/executions/executions.ts";
import { until } from "../../../harness/until.ts";
import { SimulatedClock } from "../../file-system/simulated-clock.ts";
import { type FakeKernel, type KernelRequest, openFakeKernel, pythonInformation } from "./fake-kernel.ts";

const entryOf = (messageId: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
  messageId,
  cellId: messageId,
  cellIndex: 0,
  sourceHash: "h",
  sentAt: 5,
  isFinished: false,
  ...more,
});
const headerOf = (messageId: string, type = "execute_request") => ({ msg_id: messageId, msg_type: type, session: "s" });
/** A message of an execution, as the recorder returns it. */
const recorded = (number: number, parent: string, type: string, content: object): readonly unknown[] => [
  ...[number, type === "execute_reply" ? "shell" : "iopub"],
  ...[headerOf(`${parent} ${number}`, type), headerOf(parent), {}, content],
];
const pageOf = (...entries: readonly (readonly unknown[])[]): string =>
  JSON.stringify({ after: 0, known: true, first: 1, last: entries.length, entries });

describe("Resuming the executions of an earlier window", () => {
  let kernel: FakeKernel;
  let events: Map<string, ExecutionEvent[]>;

  beforeEach(() => {
    events = new Map();
  });
  afterEach(() => kernel.connection.dispose());

  /** Waits until the connection has received everything that was sent so far, because messages arrive in order. */
  async function settled(): Promise<void> {
    const response = kernel.connection.request("control", "is_complete_request", {});
    kernel.reply(await kernel.taken("is_complete_request"), { status: "ok" });
    await response;
  }

  /** Runs another cell, and returns the header of its request. */
  async function execute(onEvents: ExecutionSink["onEvents"]): Promise<KernelRequest["header"]> {
    await kernel.connection.execute([{ code: "2", cellId: undefined, cellIndex: 1, sink: { onEvents } }]);
    return (await kernel.taken("execute_request")).header;
  }

  function drop(header: KernelRequest["header"]): void {
    kernel.notify(header, "stream", { name: "stderr", text: "IOPub data rate exceeded." });
  }

  async function resume(): Promise<readonly string[]> {
    const asked: string[] = [];
    await kernel.connection.resume(({ messageId }) => {
      asked.push(messageId);
      const own: ExecutionEvent[] = [];
      events.set(messageId, own);
      return { onEvents: (more) => void own.push(...more) };
    });
    return asked;
  }

  const typesOf = (messageId: string): readonly string[] => (events.get(messageId) ?? []).map(({ type }) => type);
  const textOf = (messageId: string): string =>
    (events.get(messageId) ?? []).map((event) => (event.type === "stream" ? event.text : "")).join("");

  it("shows nothing until the recorder has been read, then everything once and in order", async () => {
    const entries = [entryOf("e-1")];
    kernel = await openFakeKernel({ information: pythonInformation, isBusy: true, recorder: "on", entries });
    await kernel.evaluates("True");
    kernel.publish(headerOf("e-1"), "stream", { name: "stdout", text: "two\n" });
    await settled();
    await resume();
    kernel.publish(headerOf("e-1"), "stream", { name: "stdout", text: "three\n" });
    await settled();
    assert.deepEqual(typesOf("e-1"), []);
    await kernel.evaluates(
      pageOf(
        recorded(1, "e-1", "execute_input", { code: "1", execution_count: 3 }),
        recorded(2, "e-1", "stream", { name: "stdout", text: "one\n" }),
      ),
    );
    await until("the output", () => textOf("e-1").includes("three"));
    kernel.publish(headerOf("e-1"), "stream", { name: "stdout", text: "four\n" });
    await until("what comes live", () => textOf("e-1").includes("four"));
    assert.equal(textOf("e-1"), "one\ntwo\nthree\nfour\n");
    assert.deepEqual(typesOf("e-1").slice(0, 3), ["replay", "started", "stream"]);
  });

  it("shows all output even if replies get lost while the socket stays open", async () => {
    const clock = new SimulatedClock();
    const entries = [entryOf("e-1")];
    kernel = await openFakeKernel({ information: pythonInformation, isBusy: true, recorder: "on", entries, clock });
    await kernel.evaluates("True");
    await resume();
    const withoutReply = await kernel.taken("create_subshell_request");
    kernel.status(withoutReply.header, "idle");
    await settled();
    await clock.pass(2000);
    const page = [
      recorded(1, "e-1", "execute_input", { code: "1", execution_count: 3 }),
      recorded(2, "e-1", "stream", { name: "stdout", text: "one\n" }),
    ];
    await kernel.evaluates(pageOf(...page));
    await until("the output", () => textOf("e-1") === "one\n");
    // Both requests are answered when the cell is done, whose own reply gets lost, too.
    kernel.publish(headerOf("e-1"), "status", { execution_state: "idle" });
    for (const question of [await kernel.taken("kernel_info_request"), await kernel.taken("kernel_info_request")]) {
      kernel.reply(question, { status: "ok" });
      kernel.status(question.header, "idle");
    }
    await kernel.evaluates(pageOf(...page, recorded(3, "e-1", "execute_reply", { status: "ok", execution_count: 3 })));
    await until("the end", () => typesOf("e-1").includes("ended"));
    assert.deepEqual(typesOf("e-1"), ["replay", "started", "stream", "idle", "ended"]);
    const ended = events.get("e-1")?.at(-1);
    assert.deepEqual(ended?.type === "ended" ? ended.outcome : undefined, { type: "ok" });
  });

  it("also shows it once if the server dropped some of it meanwhile", async () => {
    const entries = [entryOf("e-1")];
    kernel = await openFakeKernel({ information: pythonInformation, isBusy: true, recorder: "on", entries });
    await resume();
    kernel.notify(headerOf("e-1"), "stream", { name: "stderr", text: "IOPub data rate exceeded." });
    await settled();
    await kernel.evaluates("True");
    const page = [
      recorded(1, "e-1", "execute_input", { code: "1", execution_count: 3 }),
      recorded(2, "e-1", "stream", { name: "stdout", text: "one\n" }),
    ];
    await kernel.evaluates(pageOf(...page));
    await kernel.evaluates(pageOf(...page, recorded(3, "e-1", "stream", { name: "stdout", text: "two\n" })));
    await until("the output", () => textOf("e-1").includes("two"));
    assert.equal(textOf("e-1"), "one\ntwo\n");
    assert.deepEqual(typesOf("e-1"), ["replay", "started", "stream", "stream"]);
  });

  it("shows output that the server dropped meanwhile before later output", async () => {
    kernel = await openFakeKernel({
      information: pythonInformation,
      isBusy: true,
      recorder: "on",
      entries: [entryOf("e-1")],
    });
    await kernel.evaluates("True");
    await resume();
    const subshell = await kernel.taken("create_subshell_request");
    let text = "";
    const header = await execute((more) => {
      text += more.map((event) => (event.type === "stream" ? event.text : "")).join("");
    });
    drop(header);
    kernel.publish(header, "stream", { name: "stdout", text: ", later" });
    await settled();
    await kernel.evaluates(pageOf(), subshell);
    const dropped = pageOf(recorded(1, header.msg_id, "stream", { name: "stdout", text: "dropped" }));
    await kernel.evaluates(dropped);
    await kernel.evaluates(dropped);
    await until("the output", () => text.length > 10);
    assert.equal(text, "dropped, later");
  });

  it("settles a cell after output that the server dropped once the kernel has processed the cell", async () => {
    kernel = await openFakeKernel({
      information: pythonInformation,
      isBusy: true,
      recorder: "on",
      entries: [entryOf("e-1")],
      deliveredId: "other 1",
    });
    await kernel.evaluates("True");
    await resume();
    // The recorder is the one that the earlier window knew.
    await kernel.evaluates(pageOf(recorded(1, "other", "status", { execution_state: "idle" })));
    await settled();
    // The sink of another cell makes the first recovery wait at its end.
    const drawn = Promise.withResolvers<void>();
    let text = "";
    const onEvents = (more: readonly ExecutionEvent[]): Promise<void> | undefined => {
      text += more.map((event) => (event.type === "stream" ? event.text : "")).join("");
      return text.endsWith("held") ? drawn.promise : undefined;
    };
    const header = await execute(onEvents);
    drop(header);
    kernel.publish(header, "stream", { name: "stdout", text: "held" });
    for (const question of [await kernel.taken("kernel_info_request"), await kernel.taken("kernel_info_request")]) {
      kernel.reply(question, { status: "ok" });
      kernel.status(question.header, "idle");
    }
    await settled();
    // After a drop, the recorder is read until nothing more was dropped: twice.
    await kernel.evaluates(pageOf());
    await kernel.evaluates(pageOf());
    await until("the wait for the sink", () => text === "held");
    drop(header);
    await settled();
    drawn.resolve();
    const dropped = pageOf(recorded(1, header.msg_id, "stream", { name: "stdout", text: ", dropped" }));
    await kernel.evaluates(dropped);
    await kernel.evaluates(dropped);
    // The recorder's messages of the cell itself.
    await kernel.evaluates(dropped);
    await until("the end", () => typesOf("e-1").includes("ended"));
    assert.equal(text, "held, dropped");
    const ended = events.get("e-1")?.at(-1);
    assert.deepEqual(ended?.type === "ended" ? ended.outcome : undefined, { type: "notReceived" });
  });

  it("reports the kernel as busy while it replies only on its control channel, and then as idle", async () => {
    const entries = [entryOf("e-1")];
    kernel = await openFakeKernel({ information: pythonInformation, isBusy: true, recorder: "on", entries });
    const activities: string[] = [];
    kernel.connection.onKernel((event) => (event.type === "activity" ? activities.push(event.activity) : undefined));
    assert.equal(kernel.connection.activity, "unknown");
    await kernel.evaluates("True");
    await until("busy", () => kernel.connection.activity === "busy");
    const question = await kernel.taken("kernel_info_request");
    assert.equal(question.channel, "shell");
    kernel.reply(question, { status: "ok" });
    kernel.status(question.header, "idle");
    await until("idle", () => kernel.connection.activity === "idle");
    // The kernel's own report takes precedence.
    kernel.status(headerOf("another client's"), "busy");
    await until("busy again", () => activities.length === 3);
    assert.deepEqual(activities, ["busy", "idle", "busy"]);
  });

  it("keeps the message of a cell that ended without a reply, and doesn't change cells that the recorder doesn't have", async () => {
    const entries = [
      entryOf("e-1", { isFinished: true, outcome: "noReply" }),
      entryOf("e-2", { isFinished: true, outcome: "ok" }),
      entryOf("e-3"),
    ];
    kernel = await openFakeKernel({ information: pythonInformation, isBusy: true, recorder: "on", entries });
    await kernel.evaluates("True");
    assert.deepEqual(await resume(), ["e-3", "e-2", "e-1"]);
    await kernel.evaluates(
      pageOf(
        recorded(1, "e-1", "execute_input", { code: "1", execution_count: 3 }),
        recorded(2, "e-1", "stream", { name: "stdout", text: "one\n" }),
        recorded(3, "e-1", "status", { execution_state: "idle" }),
        recorded(4, "e-3", "execute_input", { code: "3", execution_count: 4 }),
      ),
    );
    await until("the output", () => typesOf("e-3").includes("started"));
    assert.deepEqual(typesOf("e-1"), ["replay", "started", "stream", "idle", "error", "ended"]);
    const [error, ended] = events.get("e-1")?.slice(-2) ?? [];
    assert.match(error?.type === "error" ? error.value : "", /without a reply/);
    assert.deepEqual(ended?.type === "ended" ? ended.outcome : undefined, { type: "error" });
    assert.deepEqual([typesOf("e-2"), typesOf("e-3")], [[], ["replay", "started"]]);
  });

  it("says so if the recorder has only the later messages of a cell", async () => {
    const entries = [entryOf("e-1", { isFinished: true, outcome: "ok" }), entryOf("e-2")];
    kernel = await openFakeKernel({ information: pythonInformation, isBusy: true, recorder: "on", entries });
    await kernel.evaluates("True");
    await resume();
    await kernel.evaluates(
      pageOf(
        recorded(1, "e-1", "stream", { name: "stdout", text: "one\n" }),
        recorded(2, "e-1", "status", { execution_state: "idle" }),
        recorded(3, "e-2", "execute_input", { code: "2", execution_count: 4 }),
      ),
    );
    await until("the output", () => typesOf("e-2").includes("started"));
    assert.deepEqual(typesOf("e-1"), ["partialReplay", "gap", "stream", "idle", "ended"]);
    assert.deepEqual(typesOf("e-2"), ["replay", "started"]);
  });

  it("doesn't say so about cells that the earlier window saw end before everything that the recorder still has", async () => {
    const entries = [
      entryOf("e-1", { isFinished: true, outcome: "ok" }),
      entryOf("e-2"),
      entryOf("e-3", { isFinished: true, outcome: "ok" }),
    ];
    kernel = await openFakeKernel({ information: pythonInformation, isBusy: true, recorder: "on", entries });
    await kernel.evaluates("True");
    await resume();
    const kept = [
      recorded(5, "e-2", "stream", { name: "stdout", text: "the end" }),
      recorded(6, "e-3", "status", { execution_state: "idle" }),
    ];
    await kernel.evaluates(JSON.stringify({ after: 0, known: true, first: 5, last: 6, entries: kept }));
    await until("the output", () => textOf("e-2") === "the end");
    assert.deepEqual([typesOf("e-1"), typesOf("e-2")], [[], ["partialReplay", "gap", "stream"]]);
    assert.deepEqual(typesOf("e-3"), ["partialReplay", "gap", "idle", "ended"]);
  });

  it("ends an already ended execution with the same outcome when more output arrives", async () => {
    const entries = [entryOf("e-1", { isFinished: true, outcome: "kernelEnded" })];
    kernel = await openFakeKernel({ entries });
    await resume();
    await settled();
    assert.deepEqual(typesOf("e-1"), []);
    kernel.publish(headerOf("e-1"), "stream", { name: "stdout", text: "late" });
    await until("the output", () => typesOf("e-1").length > 1);
    kernel.publish(headerOf("e-1"), "stream", { name: "stdout", text: "later" });
    await until("more output", () => typesOf("e-1").length > 2);
    assert.deepEqual(typesOf("e-1"), ["stream", "ended", "stream"]);
    const ended = events.get("e-1")?.[1];
    assert.deepEqual(ended?.type === "ended" ? ended.outcome : undefined, { type: "kernelEnded" });
  });
});
