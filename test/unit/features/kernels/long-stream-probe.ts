// A separate Node process, started with --expose-gc: a kernel sends a long text in one message, which a cell shows.
// Prints as JSON how much memory that took at its peak, and how much is held after the cell has ended.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Duplex, duplexPair } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NotebookCell, NotebookCellOutput, NotebookController, NotebookDocument } from "vscode";
import { WebSocketConnection } from "../../../../src/api/http/web-socket.ts";
import { binaryProtocol, decodeMessage } from "../../../../src/api/kernels/wire/message-codec.ts";
import { CellRuns } from "../../../../src/features/kernels/cells/cell-runs.ts";
import { executionOf, KernelExecutions } from "../../../harness/kernel-executions.ts";

const [size, protocol = binaryProtocol] = process.argv.slice(2);
const bytes = Number(size);

const parent = { msg_id: "request", msg_type: "execute_request", session: "s" };
const date = new Date(0).toISOString();
const header = (msg_type: string) => ({ msg_id: `${msg_type}-1`, msg_type, session: "kernel", date });

/** The parts of a frame with a message. A text of this length, in lines, is the last member of its content. */
function* frameOf(channel: string, type: string, content: object, length = 0): Generator<Buffer> {
  const open = length === 0 ? JSON.stringify(content) : `${JSON.stringify(content).slice(0, -1)},"text":"`;
  const close = length === 0 ? "" : '"}';
  const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
  const before: Buffer[] = [];
  const after = Buffer.from(protocol === binaryProtocol ? close : `${close}}`);
  if (protocol === binaryProtocol) {
    const parts = [Buffer.from(channel), json(header(type)), json(parent), json({}), Buffer.from(open)];
    const table = Buffer.alloc(8 * 7);
    table.writeBigUInt64LE(6n, 0);
    let offset = table.length;
    for (const [index, part] of parts.entries()) {
      table.writeBigUInt64LE(BigInt(offset), 8 * (index + 1));
      offset += part.length;
    }
    table.writeBigUInt64LE(BigInt(offset + length + after.length), 8 * 6);
    before.push(table, ...parts);
  } else {
    const message = JSON.stringify({ channel, header: header(type), parent_header: parent, metadata: {} });
    before.push(Buffer.from(`${message.slice(0, -1)},"content":${open}`));
  }
  const head = Buffer.alloc(10);
  head[0] = protocol === binaryProtocol ? 0x82 : 0x81;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(Buffer.concat(before).length + length + after.length), 2);
  yield Buffer.concat([head, ...before]);
  for (let left = length; left > 0; ) {
    const part = Buffer.alloc(Math.min(left, 79 * 800), `${"x".repeat(77)}\\n`);
    left -= part.length;
    if (left === 0) {
      part.fill("y", part.length - 2);
    }
    yield part;
  }
  yield after;
}

async function send(stream: Duplex, frame: Iterable<Buffer>): Promise<void> {
  for (const part of frame) {
    if (!stream.write(part)) {
      await new Promise((resolve) => stream.once("drain", resolve));
    }
  }
}

const directory = await mkdtemp(join(tmpdir(), "platform-workbench-output-"));
const shown = new Set<NotebookCellOutput>();
const createNotebookCellExecution = (): unknown => ({
  start: () => {},
  end: () => {},
  replaceOutput: async (outputs: readonly NotebookCellOutput[]) => {
    shown.clear();
    for (const output of outputs) shown.add(output);
  },
  appendOutput: async (outputs: readonly NotebookCellOutput[]) => {
    for (const output of outputs) shown.add(output);
  },
  appendOutputItems: async (item: NotebookCellOutput["items"][number], output: NotebookCellOutput) => {
    output.items.push(item);
  },
  replaceOutputItems: async (items: NotebookCellOutput["items"], output: NotebookCellOutput) => {
    output.items = items;
  },
});
const runs = new CellRuns({ uri: undefined } as unknown as NotebookDocument, {
  controller: { createNotebookCellExecution } as unknown as NotebookController,
  outputDirectory: directory,
  onError: (error) => {
    throw error;
  },
});

async function run(length: number): Promise<void> {
  const cellRun = runs.open({ outputs: [] } as unknown as NotebookCell, { recordsTimes: false });
  if (cellRun === undefined) throw new Error("the cell doesn't run");
  const kernel = new KernelExecutions();
  const record = executionOf({ messageId: "request" }, cellRun);
  await kernel.add([record]);
  const [own, stream] = duplexPair();
  const socket = new WebSocketConnection(
    stream,
    {
      onMessages: (messages) => {
        for (const message of messages) kernel.handle(record, decodeMessage(message, protocol));
        return kernel.flush();
      },
      onEnd: () => {},
    },
    { bytes: 2 * bytes, fragments: 10 },
  );
  await send(own, frameOf("iopub", "execute_input", { execution_count: 1, code: "" }));
  await send(own, frameOf("iopub", "stream", { name: "stdout" }, length));
  await send(own, frameOf("shell", "execute_reply", { status: "ok", execution_count: 1 }));
  await send(own, frameOf("iopub", "status", { execution_state: "idle" }));
  await kernel.endOf(record);
  while (!cellRun.isEnded) await nextTurn();
  socket.destroy();
}

const used = async (): Promise<number> => {
  globalThis.gc?.();
  await nextTurn();
  // The memory of a buffer is free only after the collection of its object.
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
// Code that loads on first use, and buffers of the sockets, are not part of the text.
await run(1000);
await run(3_000_000);
const before = await used();
const peakBefore = process.resourceUsage().maxRSS;
await run(bytes);
await nextTurn();
const peak = (process.resourceUsage().maxRSS - peakBefore) * 1024;
const held = (await used()) - before;
await rm(directory, { recursive: true, force: true });
process.stdout.write(JSON.stringify({ held, peak, shown: shown.size }));
process.exit(0);
