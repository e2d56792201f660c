import assert from "node:assert/strict";
import type { ExecutionSink } from "../../../../src/api/kernels/executions/executions.ts";
import type { ExecutionRecord } from "../../../../src/api/kernels/protocol/execution/execution.ts";
import { executionOf, KernelExecutions } from "../../../harness/kernel-executions.ts";

describe("the executions of a kernel", () => {
  let table: KernelExecutions;

  beforeEach(() => {
    table = new KernelExecutions();
  });

  async function added(messageId: string, onEvents: ExecutionSink["onEvents"]): Promise<ExecutionRecord> {
    const record = executionOf({ messageId, cellId: messageId }, { onEvents });
    await table.add([record]);
    return record;
  }

  function print(record: ExecutionRecord, text: string): void {
    record.push({ type: "stream", name: "stdout", text });
    table.executions.deliveries.touch(record);
  }

  it("receive their events one execution at a time, each event once", async () => {
    const steps: string[] = [];
    const slow = (name: string): ExecutionSink["onEvents"] => {
      return async (events) => {
        for (const event of events) {
          await new Promise(setImmediate);
          steps.push(`${name}: ${event.type === "stream" ? event.text : event.type}`);
        }
      };
    };
    const first = await added("first", slow("first"));
    const second = await added("second", slow("second"));
    print(first, "a");
    print(second, "b");
    const flushed = table.flush();
    print(first, "c");
    print(second, "d");
    await Promise.all([flushed, table.flush()]);
    assert.deepEqual(steps, ["first: a", "second: b", "first: c", "second: d"]);
    assert.equal(table.flush(), undefined);
  });

  it("are reported as ended when a slow sink has received all of their events", async () => {
    const steps: string[] = [];
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waiting = gates.values();
    const record = await added("first", async (events) => {
      await waiting.next().value?.promise;
      steps.push(...events.map(({ type }) => type));
    });
    void table.endOf(record).then(() => steps.push("reported"));
    print(record, "a");
    const first = table.flush();
    table.end(record, { type: "ok" });
    const last = table.flush();
    gates[0]?.resolve();
    await first;
    await new Promise(setImmediate);
    assert.deepEqual(steps, ["stream"]);
    gates[1]?.resolve();
    await last;
    await table.endOf(record);
    assert.deepEqual(steps, ["stream", "ended", "reported"]);
  });

  it("receive their events in sending order, even if the reply to a later one arrives first", async () => {
    const steps: string[] = [];
    const named = (name: string): ExecutionSink["onEvents"] => {
      return (events) => {
        steps.push(...events.map(({ type }) => `${name}: ${type}`));
      };
    };
    const first = await added("first", named("first"));
    const second = await added("second", named("second"));
    second.push({ type: "ended", outcome: { type: "ok" }, executionCount: 2, at: 0, payload: [] });
    table.executions.deliveries.touch(second);
    print(first, "a");
    await table.flush();
    assert.deepEqual(steps, ["first: stream", "second: ended"]);
  });

  it("receive their events immediately if no sink waits, even after a failed one", async () => {
    const taken: string[] = [];
    const failing = await added("failing", () => Promise.reject(new Error("no")));
    print(failing, "a");
    await table.flush();
    const record = await added("record", (events) => {
      taken.push(...events.map(({ type }) => type));
    });
    print(record, "b");
    assert.equal(table.flush(), undefined);
    assert.deepEqual(taken, ["stream"]);
  });
});
