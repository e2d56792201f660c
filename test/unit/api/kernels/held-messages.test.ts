import assert from "node:assert/strict";
import { silentLog } from "../../../../src/api/http/log.ts";
import { HeldMessages } from "../../../../src/api/kernels/connection/held-messages.ts";
import { type JournalEntry, noJournal } from "../../../../src/api/kernels/executions/execution-journal.ts";
import { ExecutionRecord } from "../../../../src/api/kernels/executions/execution-record.ts";
import { ExecutionTable } from "../../../../src/api/kernels/executions/execution-table.ts";
import type { IncomingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";

const size = 10;

describe("Messages of executions of an earlier window", () => {
  let passed: string[];
  let due: (() => void)[];
  let cancelled: number;
  let held: HeldMessages;
  let record: ExecutionRecord;

  const entryOf = (messageId: string): JournalEntry => ({
    messageId,
    cellId: undefined,
    cellIndex: 0,
    sourceHash: "h",
    sentAt: 5,
    isFinished: false,
  });
  const message = (id: string, parent: string): IncomingMessage => ({
    channel: "iopub",
    header: { msg_id: id, msg_type: "stream", session: "s" },
    content: {},
    metadata: {},
    parentHeader: { msg_id: parent, msg_type: "execute_request", session: "s" },
    buffers: [],
    byteLength: size,
  });

  beforeEach(async () => {
    passed = [];
    due = [];
    cancelled = 0;
    const table = new ExecutionTable(noJournal, { kernelId: "k", sessionId: "s", entries: [] }, silentLog);
    record = new ExecutionRecord(entryOf("earlier"), { onEvents: () => {} });
    await table.add([record, new ExecutionRecord(entryOf("own"), { onEvents: () => {} })]);
    held = new HeldMessages({
      table,
      pass: ({ header }) => void passed.push(header.msg_id),
      flush: () => {},
      clock: {
        now: () => 0,
        schedule: (_, work) => {
          due.push(work);
          return () => {
            cancelled += 1;
          };
        },
      },
      maxBytes: 3 * size,
    });
  });

  it("wait in order until the recorder has been read, unlike those of other executions", () => {
    held.append(message("1", "earlier"));
    held.append(message("2", "of no cell"));
    held.hold([record]);
    held.handle(message("3", "own"));
    held.handle(message("4", "earlier"));
    assert.deepEqual(passed, ["3"]);
    held.release();
    held.handle(message("5", "earlier"));
    assert.deepEqual([passed, due.length, cancelled], [["3", "1", "4", "5"], 1, 1]);
  });

  it("are shown as they arrive after a timeout", () => {
    held.hold([record]);
    assert.equal(due.length, 0);
    held.handle(message("1", "earlier"));
    due[0]?.();
    held.handle(message("2", "earlier"));
    assert.deepEqual(passed, ["1", "2"]);
  });

  it("are shown as they arrive if there are too many, and dropped while no cell is known", () => {
    held.hold([record]);
    for (const id of ["1", "2", "3"]) {
      held.handle(message(id, "earlier"));
    }
    assert.deepEqual(passed, []);
    held.handle(message("4", "earlier"));
    held.handle(message("5", "earlier"));
    assert.deepEqual(passed, ["1", "2", "3", "4", "5"]);
    for (const id of ["6", "7", "8", "9"]) {
      held.append(message(id, "earlier"));
    }
    held.release();
    assert.deepEqual(passed.slice(5), ["6", "7", "8"]);
  });
});
