import assert from "node:assert/strict";
import { Agenda, type Awaited } from "../../../../src/api/kernels/protocol/agenda.ts";
import { KernelRequests } from "../../../../src/api/kernels/protocol/requests.ts";
import type {
  Fields,
  IncomingMessage,
  KernelChannel,
  OutgoingMessage,
} from "../../../../src/api/kernels/wire/kernel-message.ts";

describe("An internal request of a connection", () => {
  let sent: OutgoingMessage[];
  let requests: KernelRequests;
  let agenda: Agenda;
  let clock: { pass(milliseconds: number): void };

  beforeEach(() => {
    sent = [];
    agenda = new Agenda(0);
    clock = passingTime();
    const link = { send: (message: OutgoingMessage) => sent.push(message) > 0 };
    requests = new KernelRequests(agenda, link, { sessionId: "s-1", instance: "i" });
  });

  /** Time in which the timers of the requests expire. */
  function passingTime(): typeof clock {
    const due = new Map<number, number>();
    const collect = (): void => {
      for (const effect of agenda.takeEffects()) {
        if (effect.type === "setTimer") due.set(effect.timer, agenda.now + effect.delayMs);
        if (effect.type === "cancelTimer") due.delete(effect.timer);
      }
    };
    return {
      pass(milliseconds) {
        const end = agenda.now + milliseconds;
        for (;;) {
          collect();
          const [next] = [...due].filter(([, at]) => at <= end).toSorted(([, one], [, other]) => one - other);
          if (next === undefined) break;
          due.delete(next[0]);
          agenda.begin(next[1]);
          const purpose = agenda.takeTimer(next[0]);
          if (purpose?.name === "repeatRequest") requests.repeat(purpose.request);
          agenda.runDeferred();
        }
        agenda.begin(end);
      },
    };
  }

  /** The result, as soon as it is there. */
  function resultOf<T>(awaited: Awaited<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      awaited.onResult(resolve, reject);
      agenda.runDeferred();
    });
  }

  /** The connection breaks. */
  function lose(reason: string): void {
    requests.lose(reason);
    agenda.runDeferred();
  }

  /** Answers the last request, or the one at that position. */
  function response(channel: KernelChannel | "iopub", type: string, content: Fields, index = -1): void {
    const header = { msg_id: `answer-${sent.length}`, msg_type: type, session: "k-1" };
    const { header: parentHeader } = sent.at(index) ?? assert.fail("nothing was sent");
    requests.handle({ channel, header, parentHeader, content, metadata: {}, buffers: [], byteLength: 0 });
    agenda.runDeferred();
  }

  function evaluate(): Promise<unknown> {
    const content = { user_expressions: { value: "1" } };
    const options = { subshell: "sub-1", idle: true };
    return resultOf(requests.request("shell", "execute_request", content, options)).then(
      ({ content: { status } }) => status,
    );
  }

  it("is sent again if the kernel aborts it together with the cells after a failed one", async () => {
    const status = evaluate();
    response("shell", "execute_reply", { status: "aborted" });
    assert.equal(sent.length, 1, "before the kernel is done with it");
    response("iopub", "status", { execution_state: "idle" });
    const [first, second] = sent;
    assert.deepEqual(second?.content, first?.content);
    assert.equal(Reflect.get(second?.header ?? {}, "subshell_id"), "sub-1");
    assert.notEqual(second?.header.msg_id, first?.header.msg_id);
    response("iopub", "status", { execution_state: "idle" });
    response("shell", "execute_reply", { status: "ok" });
    assert.equal(await status, "ok");
    assert.equal(sent.length, 2);
  });

  it("is not retried forever", async () => {
    const status = evaluate();
    for (let before = 0; before < sent.length; ) {
      before = sent.length;
      response("iopub", "status", { execution_state: "idle" });
      response("shell", "execute_reply", { status: "aborted" });
    }
    assert.equal(await status, "aborted");
    assert.equal(sent.length, 20);
  });

  it("is sent again if its reply is missing even though the kernel is idle", async () => {
    const status = evaluate();
    response("iopub", "status", { execution_state: "busy" });
    response("iopub", "status", { execution_state: "idle" });
    clock.pass(1999);
    assert.equal(sent.length, 1);
    clock.pass(1);
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[1]?.content, sent[0]?.content);
    response("shell", "execute_reply", { status: "ok" });
    response("iopub", "status", { execution_state: "idle" });
    assert.equal(await status, "ok");
    clock.pass(3_600_000);
    assert.equal(sent.length, 2);
  });

  it("uses the first reply, and passes on the others", async () => {
    const surplus: unknown[] = [];
    const onLateReply = ({ content }: IncomingMessage): void => void surplus.push(content.subshell_id);
    const reply = resultOf(requests.request("control", "create_subshell_request", {}, { onLateReply }));
    clock.pass(10_000);
    assert.equal(sent.length, 3);
    response("control", "create_subshell_reply", { subshell_id: "second" }, 1);
    assert.equal((await reply).content.subshell_id, "second");
    response("iopub", "status", { execution_state: "idle" }, 0);
    response("control", "create_subshell_reply", { subshell_id: "first" }, 0);
    response("control", "create_subshell_reply", { subshell_id: "third" }, 2);
    response("control", "create_subshell_reply", { subshell_id: "third" }, 2);
    assert.deepEqual(surplus, ["first", "third"]);
  });

  it("asks the main shell, which may be busy, again less and less often, and others at shorter intervals", async () => {
    const countOf = (channel: string): number => sent.filter((message) => message.channel === channel).length;
    const waiting = resultOf(requests.request("shell", "kernel_info_request", {}, { idle: true }));
    clock.pass(29_000);
    assert.equal(countOf("shell"), 1);
    clock.pass(3_571_000);
    assert.equal(countOf("shell"), 10);
    clock.pass(24 * 3_600_000);
    assert.equal(countOf("shell"), 10 + 24 * 6);
    const silent = resultOf(requests.request("control", "kernel_info_request", {}));
    clock.pass(30_000);
    assert.equal(countOf("control"), 7);
    clock.pass(60_000);
    assert.equal(countOf("control"), 9);
    clock.pass(3_600_000);
    assert.equal(countOf("control"), 20);
    await assert.rejects(silent, /The kernel didn't reply/);
    lose("the connection was closed");
    await assert.rejects(waiting, /the connection was closed/);
  });

  it("is lost with the connection, even the second time", async () => {
    const status = evaluate();
    response("iopub", "status", { execution_state: "idle" });
    response("shell", "execute_reply", { status: "aborted" });
    lose("the connection was closed");
    await assert.rejects(status, /the connection was closed/);
  });

  const types = (): readonly string[] => sent.map(({ header }) => header.msg_type);

  it("deletes its subshell when the kernel has handled all of its requests, including repeated ones", async () => {
    const status = evaluate();
    clock.pass(5000);
    assert.equal(sent.length, 2);
    response("shell", "execute_reply", { status: "ok" }, 0);
    response("iopub", "status", { execution_state: "idle" }, 0);
    assert.equal(await status, "ok");
    requests.deleteSubshell("sub-1");
    assert.equal(sent.length, 2, "the second request is not handled yet");
    response("iopub", "status", { execution_state: "idle" }, 1);
    assert.deepEqual(types(), ["execute_request", "execute_request", "delete_subshell_request"]);
    assert.deepEqual(sent[2]?.content, { subshell_id: "sub-1" });
  });

  it("deletes the subshell of a lost connection before it creates another one, and only until that succeeds", async () => {
    requests.deleteSubshell("sub-1");
    lose("gone");
    const created = resultOf(requests.startSubshell());
    assert.deepEqual(types(), ["delete_subshell_request", "delete_subshell_request", "create_subshell_request"]);
    response("control", "delete_subshell_reply", { status: "ok" }, 1);
    response("control", "create_subshell_reply", { status: "ok", subshell_id: "sub-2" }, 2);
    assert.equal(await created, "sub-2");
    const another = resultOf(requests.startSubshell());
    assert.deepEqual(types().slice(3), ["create_subshell_request"]);
    response("control", "create_subshell_reply", { status: "error" });
    assert.equal(await another, undefined);
  });

  it("deletes a subshell whose creation the kernel confirms after a reconnect", async () => {
    const created = resultOf(requests.startSubshell());
    lose("gone");
    await assert.rejects(created, /gone/);
    response("control", "create_subshell_reply", { status: "ok", subshell_id: "late" });
    assert.deepEqual(types(), ["create_subshell_request", "delete_subshell_request"]);
    assert.deepEqual(sent[1]?.content, { subshell_id: "late" });
  });
});
