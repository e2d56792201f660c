import type { ExecutionEvent, MimeBundle } from "../../../src/api/kernels/executions/executions.ts";
import type { ExecutionRecord } from "../../../src/api/kernels/protocol/execution/execution.ts";
import { decodeMessage } from "../../../src/api/kernels/wire/message-codec.ts";
import { CellOutputs } from "../../../src/features/kernels/output/cell-outputs.ts";
import { Displays } from "../../../src/features/kernels/output/displays.ts";
import { executionOf, KernelExecutions } from "../../harness/kernel-executions.ts";
import { processorTime, type ScaleRow } from "./row.ts";

/** As much as a cell shows. */
const shownCharacters = 2_000_000;

function recordOf(index: number, onEvents: (events: readonly ExecutionEvent[]) => void): ExecutionRecord {
  const messageId = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  return executionOf(
    { messageId, cellId: `cell-${index}`, cellIndex: index, sourceHash: "0123456789abcdef" },
    { onEvents },
    "print(1)",
  );
}

/** Each cell ends so late that the journal is written for it. */
const journal: ScaleRow = {
  name: "journal",
  what: "journal of Run All, cells",
  unit: "bytes",
  smallest: 20,
  measure: async (size) => {
    let bytes = 0;
    const add = (value: object): void => {
      bytes += JSON.stringify(value).length + 1;
    };
    const store = {
      read: async () => undefined,
      replace: async (_: string, { entries, ...rest }: { readonly entries: readonly object[] }) =>
        [rest, ...entries].forEach(add),
      append: async (_: string, entries: readonly object[]) => entries.forEach(add),
      remove: async () => {},
    };
    const table = new KernelExecutions(store, "kernel");
    const records = Array.from({ length: size }, (_, index) => recordOf(index, () => {}));
    await table.add(records);
    for (const record of records) {
      table.end(record, { type: "ok" });
      await table.flush();
      await table.finishWriting();
    }
    return bytes;
  },
};

/** One message with lines of 78 characters. */
const stdout: ScaleRow = {
  name: "stdout",
  what: "show one message on stdout, characters",
  unit: "ms of the processor",
  smallest: 1_000_000,
  measure: async (size) => {
    const header = { msg_id: "1", msg_type: "stream", session: "s", date: new Date(0).toISOString() };
    const text = `${"x".repeat(77)}\n`.repeat(size / 78);
    const message = {
      channel: "iopub",
      header,
      parent_header: header,
      metadata: {},
      content: { name: "stdout", text },
    };
    const data = Buffer.from(JSON.stringify(message));
    return processorTime(async () => {
      const outputs = new CellOutputs(shownCharacters, () => "");
      const record = recordOf(0, (events) => {
        for (const event of events) {
          outputs.add(event);
        }
      });
      record.handle(decodeMessage({ isText: true, data }, undefined), 0);
      await record.takeBatch()?.deliver(record.sink);
      if (outputs.drainChanges().length === 0) {
        throw new Error("The cell shows nothing.");
      }
    });
  },
};

/** Messages of a kernel arrive in batches. */
async function batchEnd(index: number): Promise<void> {
  if (index % 100 === 99) {
    await new Promise(setImmediate);
  }
}

/** Processor time would be that of the garbage collection, so this counts changes, and requires that none is missing. */
const displays: ScaleRow = {
  name: "displays",
  what: "update displays, each with an ID of its own",
  unit: "changes for the editor",
  smallest: 1_000,
  measure: async (size) => {
    const bundle = (text: string): MimeBundle => ({ data: { "text/plain": text }, metadata: {} });
    let changes = 0;
    const task = async (): Promise<void> => {
      const outputs = new CellOutputs(shownCharacters, () => "");
      const shown = new Displays();
      const owner = { updateDisplay: (key: number, value: MimeBundle) => outputs.update(key, value) };
      for (let index = 0; index < size; index += 1) {
        const taken = outputs.add({ type: "display", bundle: bundle("0 %"), displayId: `display-${index}` });
        if (taken !== undefined) {
          shown.add(taken.displayId, owner, taken.key);
        }
        await batchEnd(index);
      }
      outputs.drainChanges();
      for (let index = 0; index < size; index += 1) {
        shown.update(`display-${index}`, bundle("100 %"));
        await batchEnd(index);
      }
      changes = outputs.drainChanges().length;
      shown.remove(owner);
    };
    await task();
    if (changes < size) {
      throw new Error(`${size - changes} of ${size} updates aren't shown.`);
    }
    return { cost: changes, task };
  },
};

export const kernelRows: readonly ScaleRow[] = [journal, stdout, displays];
