import assert from "node:assert/strict";
import { until } from "../../../harness/until.ts";
import { type FakeKernel, openFakeKernel, pythonInformation } from "./fake-kernel.ts";

const ok = { status: "ok", execution_count: 1 };
const information = { status: "ok", implementation: "fake", language_info: { name: "fake" } };
describe("Restarting a kernel", () => {
  let kernel: FakeKernel;

  afterEach(() => kernel.connection.dispose());

  /** Waits until the connection has received everything that was sent so far, because messages arrive in order. */
  async function settled(): Promise<void> {
    const response = kernel.connection.request("control", "is_complete_request", {});
    kernel.reply(await kernel.taken("is_complete_request"), { status: "ok" });
    await response;
  }

  /** Waits until the server gets the request, and answers it. */
  async function serverResponses(status: number): Promise<void> {
    await until("the request to the server", () => kernel.restarts.length > 0);
    kernel.restarts.shift()?.(status);
  }

  /** Until it has, nothing is sent to the new process. */
  async function newProcessIntroducesItself(): Promise<void> {
    for (let responses = 0; responses < 2; responses += 1) {
      const question = await kernel.taken("kernel_info_request");
      kernel.reply(question, information);
      kernel.status(question.header, "idle");
    }
  }

  /** Starts an execution that the kernel does not take, and returns how it ended. */
  async function executed(code: string): Promise<() => string> {
    let outcome = "pending";
    const [execution] = await kernel.connection.execute([
      { code, cellId: undefined, cellIndex: 0, sink: { onEvents: () => {} } },
    ]);
    void execution?.ended.then(({ type }) => {
      outcome = type;
    });
    return () => outcome;
  }

  const sentCodes = (): readonly unknown[] =>
    kernel.requests.filter(({ header }) => header.msg_type === "execute_request").map(({ content }) => content.code);

  it("sends new executions only to the new process, regardless of the running ones", async () => {
    kernel = await openFakeKernel();
    const running = await kernel.run("old");
    kernel.publish(running.request.header, "execute_input", { code: "old", execution_count: 7 });
    await until("it runs", () => running.events.length > 0);
    const restarting = kernel.connection.restart();
    const outcome = await executed("new");
    kernel.publish(running.request.header, "error", { ename: "KeyboardInterrupt", evalue: "", traceback: [] });
    kernel.reply(running.request, { status: "error", execution_count: 7 });
    kernel.status(running.request.header, "idle");
    await settled();
    assert.deepEqual([sentCodes(), outcome()], [["old"], "pending"]);
    await serverResponses(200);
    await restarting;
    await settled();
    assert.deepEqual([sentCodes(), outcome(), running.outcome()], [["old"], "pending", "kernelEnded"]);
    await newProcessIntroducesItself();
    const { header, content } = await kernel.taken("execute_request");
    assert.equal(content.code, "new");
    kernel.reply({ channel: "shell", header, content }, ok);
    kernel.status(header, "idle");
    await until("it ended", () => outcome() === "ok");
  });

  it("withdraws an ipykernel's queue before the server interrupts the running execution", async () => {
    kernel = await openFakeKernel({ information: pythonInformation });
    const [first, second, third] = [await kernel.run("1"), await kernel.run("2"), await kernel.run("3")];
    kernel.publish(first.request.header, "execute_input", { code: "1", execution_count: 1 });
    await until("it runs", () => first.events.length > 0);
    const restarting = kernel.connection.restart();
    kernel.reply(await kernel.taken("create_subshell_request"), { status: "ok", subshell_id: "s-1" });
    const request = await kernel.taken("execute_request");
    const { silent, user_expressions: expressions } = request.content;
    const text = JSON.stringify(expressions);
    assert.deepEqual(
      [first, second, third].map((one) => text.includes(one.request.header.msg_id)),
      [false, true, true],
    );
    assert.deepEqual([silent, kernel.restarts.length], [true, 0]);
    const value = { status: "ok", data: { "text/plain": "None" } };
    kernel.reply(request, { status: "ok", user_expressions: { value } });
    kernel.status(request.header, "idle");
    await until("the request to the server", () => kernel.restarts.length === 1);
    kernel.reply(second.request, { status: "aborted" });
    kernel.status(second.request.header, "idle");
    await until("its reply", () => second.outcome() === "aborted");
    // The process ends before it begins the third one.
    await serverResponses(200);
    await restarting;
    await settled();
    assert.deepEqual(
      [first, second, third].map((one) => one.outcome()),
      ["kernelEnded", "aborted", "aborted"],
    );
  });

  it("shows executions that began anyway, and ends them with the old process, whose state is ignored", async () => {
    kernel = await openFakeKernel();
    const { request, events, outcome } = await kernel.run("1");
    const restarting = kernel.connection.restart();
    const withdrawal = await kernel.taken("abort_request");
    assert.deepEqual(
      [withdrawal.channel, withdrawal.content.msg_ids, kernel.restarts.length],
      ["control", [request.header.msg_id], 0],
    );
    // The kernel had begun it by then.
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 });
    kernel.reply(withdrawal, { status: "ok" });
    kernel.publish(request.header, "stream", { name: "stdout", text: "old" });
    kernel.reply(request, ok);
    kernel.status(request.header, "idle");
    await settled();
    assert.equal(outcome(), "pending");
    await serverResponses(200);
    await restarting;
    assert.equal(outcome(), "kernelEnded");
    kernel.publish(request.header, "stream", { name: "stdout", text: "late" });
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 8 });
    kernel.reply(request, ok);
    kernel.status(request.header, "idle");
    await settled();
    assert.deepEqual(
      events.map(({ type }) => type),
      ["started", "stream", "idle", "ended", "stream"],
    );
  });

  for (const { what, status, outcome } of [
    { what: "as ended with the kernel", status: 200, outcome: "kernelEnded" },
    { what: "with its error if the server refuses", status: 403, outcome: "error" },
  ]) {
    it(`ends a running execution that the server interrupts before the restart ${what}`, async () => {
      kernel = await openFakeKernel();
      const running = await kernel.run("1");
      kernel.publish(running.request.header, "execute_input", { code: "1", execution_count: 1 });
      await until("it runs", () => running.events.length > 0);
      const restarting = kernel.connection.restart().catch(() => undefined);
      await until("the request to the server", () => kernel.restarts.length === 1);
      kernel.reply(running.request, { status: "error", ename: "KeyboardInterrupt", evalue: "", traceback: [] });
      kernel.status(running.request.header, "idle");
      await settled();
      assert.equal(running.outcome(), "pending");
      await serverResponses(status);
      await restarting;
      assert.equal(running.outcome(), outcome);
    });
  }

  it("ends a running execution at once if it finishes before the restart", async () => {
    kernel = await openFakeKernel();
    const { request, events, outcome } = await kernel.run("1");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 1 });
    await until("it runs", () => events.length > 0);
    const restarting = kernel.connection.restart();
    await until("the request to the server", () => kernel.restarts.length === 1);
    kernel.reply(request, ok);
    kernel.status(request.header, "idle");
    await until("it ended", () => outcome() === "ok");
    await serverResponses(200);
    await restarting;
  });

  it("continues with the old process if the server refuses", async () => {
    kernel = await openFakeKernel();
    const { request, outcome } = await kernel.run("1");
    const restarting = assert.rejects(kernel.connection.restart(), { name: "PlatformError", status: 403 });
    kernel.reply(await kernel.taken("abort_request"), { status: "ok" });
    const next = await executed("2");
    kernel.publish(request.header, "execute_input", { code: "1", execution_count: 7 });
    kernel.reply(request, ok);
    kernel.status(request.header, "idle");
    await settled();
    assert.deepEqual([outcome(), sentCodes()], ["pending", ["1"]]);
    await serverResponses(403);
    await restarting;
    assert.equal(outcome(), "ok");
    assert.equal((await kernel.taken("execute_request")).content.code, "2");
    assert.equal(next(), "pending");
  });

  it("drops unsent executions, and sends one request to the server", async () => {
    kernel = await openFakeKernel();
    const first = kernel.connection.restart();
    await serverResponses(200);
    await first;
    // The new process has not introduced itself yet.
    const outcome = await executed("1");
    const second = [kernel.connection.restart(), kernel.connection.restart()];
    await until("it ended", () => outcome() === "dropped");
    await serverResponses(200);
    await Promise.all(second);
    await newProcessIntroducesItself();
    await settled();
    assert.deepEqual([sentCodes(), kernel.restarts], [[], []]);
  });
});
