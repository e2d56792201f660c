// A separate Node process, started with --expose-gc: runs many cells with one line of output. Prints as JSON how many
// bytes are held for each after its end, by the connection and by the notebook, without what the editor itself holds.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NotebookDocument } from "vscode";
import { decodeMessage } from "../../../../src/api/kernels/wire/message-codec.ts";
import { CellRuns } from "../../../../src/features/kernels/cells/cell-runs.ts";
import { StandInCell, StandInController } from "../../../harness/editor-stand-in/notebook-cell.ts";
import { executionOf, KernelExecutions } from "../../../harness/kernel-executions.ts";

const count = Number(process.argv[2]);
const controller = new StandInController();
const createRuns = (): CellRuns =>
  new CellRuns({ uri: undefined } as unknown as NotebookDocument, {
    controller: controller.asController,
    outputDirectory: "",
    onError: (error) => {
      throw error;
    },
  });
let [table, runs] = [new KernelExecutions(), createRuns()];
// Cells have their ids from the notebook's JSON.
const ids: readonly string[] = JSON.parse(JSON.stringify(Array.from({ length: count }, () => crypto.randomUUID())));
const cells = ids.map((_, index) => new StandInCell(index));

async function run(cell: StandInCell, cellId: string): Promise<void> {
  const cellRun = runs.open(cell.asCell, { recordsTimes: false });
  if (cellRun === undefined) throw new Error("the cell doesn't run");
  const { index: cellIndex } = cell;
  const messageId = crypto.randomUUID();
  const code = `# ${"a comment ".repeat(20)}\nprint(${cellIndex})`;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", Buffer.from(code)));
  const sourceHash = Buffer.from(hash).toString("hex");
  const record = executionOf({ messageId, cellId, cellIndex, sourceHash, sentAt: Date.now() }, cellRun, code);
  await table.add([record]);
  cellRun.messageId = messageId;
  const parent = { msg_id: messageId, msg_type: "execute_request", session: "s" };
  const take = async (channel: string, msg_type: string, content: object): Promise<void> => {
    const header = { msg_id: crypto.randomUUID(), msg_type, session: "k", date: new Date().toISOString() };
    const json = JSON.stringify({ channel, header, parent_header: parent, metadata: {}, content });
    table.handle(record, decodeMessage({ isText: true, data: Buffer.from(json) }, undefined));
    await table.flush();
  };
  await take("iopub", "status", { execution_state: "busy" });
  await take("iopub", "execute_input", { execution_count: cellIndex, code });
  await take("iopub", "stream", { name: "stdout", text: `${cellIndex} ${"output ".repeat(30)}\n` });
  await take("shell", "execute_reply", { status: "ok", execution_count: cellIndex, payload: [] });
  await take("iopub", "status", { execution_state: "idle" });
  await table.endOf(record);
  while (!cellRun.isEnded || cell.executionSummary === undefined) await nextTurn();
}

const used = async (): Promise<number> => {
  for (let times = 0; times < 3; times += 1) {
    await nextTurn();
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
for (const [index, cell] of cells.entries()) {
  await run(cell, ids[index] ?? "");
}
await table.finishWriting();
const held = await used();
const shown = cells.filter(({ texts }) => texts.length === 1).length;
[table, runs] = [new KernelExecutions(), createRuns()];
const bytes = (held - (await used())) / count;
process.stdout.write(JSON.stringify({ bytes, shown, isEmpty: table.executions.isEmpty && runs.running.length === 0 }));
process.exit(0);
