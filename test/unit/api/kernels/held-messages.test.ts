import assert from "node:assert/strict";
import { Agenda } from "../../../../src/api/kernels/protocol/agenda.ts";
import type { Effect } from "../../../../src/api/kernels/protocol/effect.ts";
import type { ExecutionRecord } from "../../../../src/api/kernels/protocol/execution/execution.ts";
import { HeldMessages } from "../../../../src/api/kernels/protocol/recovery/held-messages.ts";
import type { IncomingMessage } from "../../../../src/api/kernels/wire/kernel-message.ts";
import { executionOf } from "../../../harness/kernel-executions.ts";

const size = 10;

describe("Messages of executions of an earlier window", () => {
  let agenda: Agenda;
  let passed: string[];
  let held: HeldMessages;
  const record = executionOf({ messageId: "earlier" }, { onEvents: () => {} });
  const other = executionOf({ messageId: "own" }, { onEvents: () => {} });

  const message = (id: string): IncomingMessage => ({
    channel: "iopub",
    header: { msg_id: id, msg_type: "stream", session: "s" },
    content: {},
    metadata: {},
    parentHeader: undefined,
    buffers: [],
    byteLength: size,
  });
  const pass = (messages: readonly IncomingMessage[]): void =>
    void passed.push(...messages.map(({ header }) => header.msg_id));
  const take = (id: string, owner: ExecutionRecord): void =>
    pass(held.holds(owner) ? held.append(message(id)) : [message(id)]);
  const effects = (type: Effect["type"]): number =>
    agenda.takeEffects().filter((effect) => effect.type === type).length;

  beforeEach(() => {
    agenda = new Agenda(0);
    passed = [];
    held = new HeldMessages(agenda, 3 * size);
  });

  it("wait in order until the recorder has been read, unlike those of other executions", () => {
    pass(held.append(message("1")));
    pass(held.append(message("2")));
    held.hold([record]);
    assert.equal(effects("setTimer"), 1);
    take("3", other);
    take("4", record);
    assert.deepEqual(passed, ["3"]);
    pass(held.release());
    take("5", record);
    assert.deepEqual(passed, ["3", "1", "2", "4", "5"]);
    assert.equal(effects("cancelTimer"), 1);
  });

  it("are shown as they arrive after a timeout", () => {
    held.hold([record]);
    assert.equal(effects("setTimer"), 0);
    take("1", record);
    assert.equal(effects("setTimer"), 1);
    pass(held.release());
    take("2", record);
    assert.deepEqual(passed, ["1", "2"]);
  });

  it("are shown as they arrive if there are too many, and dropped while no cell is known", () => {
    held.hold([record]);
    for (const id of ["1", "2", "3"]) {
      take(id, record);
    }
    assert.deepEqual(passed, []);
    take("4", record);
    take("5", record);
    assert.deepEqual(passed, ["1", "2", "3", "4", "5"]);
    for (const id of ["6", "7", "8", "9"]) {
      pass(held.append(message(id)));
    }
    pass(held.release());
    assert.deepEqual(passed.slice(5), ["6", "7", "8"]);
  });
});
