import assert from "node:assert/strict";
import { silentLog } from "../../../../src/api/http/log.ts";
import { ExecutionRecord } from "../../../../src/api/kernels/executions/execution-record.ts";
import { ExecutionTable } from "../../../../src/api/kernels/executions/execution-table.ts";
import type { ExecutionSink } from "../../../../src/api/kernels/executions/executions.ts";
import { MemoryJournal } from "../../../kernels/rig.ts";

describe("the executions of a kernel", () => {
  const identity = { kernelId: "kernel-1", sessionId: "session-1", entries: [] };
  let table: ExecutionTable;

  beforeEach(() => {
    table = new ExecutionTable(new MemoryJournal(), identity, silentLog);
  });

  async function added(messageId: string, onEvents: ExecutionSink["onEvents"]): Promise<ExecutionRecord> {
    const entry = { messageId, cellId: messageId, cellIndex: 0, sourceHash: "", sentAt: 0, isFinished: false };
    const record = new ExecutionRecord(entry, { onEvents }, { code: messageId, stopOnError: true, run: "run" });
    await table.add([record]);
    return record;
  }

  function print(record: ExecutionRecord, text: string): void {
    record.push({ type: "stream", name: "stdout", text });
    table.touch(record);
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
    assert.deepEqual(steps, ["first: a", "second: bd", "first: c"]);
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
    void record.ended.then(() => steps.push("reported"));
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
    await record.ended;
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
    table.touch(second);
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
