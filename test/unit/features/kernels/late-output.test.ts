import assert from "node:assert/strict";
import "../../../harness/editor-stand-in/register.ts";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NotebookCell, NotebookCellOutput, NotebookController, NotebookDocument } from "vscode";
import type { ExecutionEvent } from "../../../../src/api/kernels/executions/executions.ts";
import type { CellRun } from "../../../../src/features/kernels/cells/cell-run.ts";
import type { CellRuns } from "../../../../src/features/kernels/cells/cell-runs.ts";

const display = (text: string, displayId?: string): ExecutionEvent => ({
  ...{ type: "display", displayId },
  bundle: { data: { "text/plain": text }, metadata: {} },
});
const update = (text: string): ExecutionEvent => ({
  ...{ type: "updateDisplay", displayId: "d" },
  bundle: { data: { "text/plain": text }, metadata: {} },
});
const started: ExecutionEvent = { type: "started", executionCount: 1, at: 1 };
const entry = { cellId: undefined, cellIndex: 0, sourceHash: "", sentAt: 0, isFinished: true };
const ended: readonly ExecutionEvent[] = [
  { type: "ended", outcome: { type: "ok" }, executionCount: 1, payload: [], at: 2 },
  { type: "idle", at: 3 },
];

describe("output after the end of a run, or of a run whose cell runs again", () => {
  let runs: CellRuns;
  /** What the editor was asked to show, with the number of the execution. */
  let written: string[];
  /** Order and times of the executions that ended, as the editor shows them. */
  let shownTimes: object[];
  /** Resolves when the editor has replaced the content of an output. */
  let itemsGate: Promise<void>;
  const cellOf = (index: number): NotebookCell => ({ index }) as unknown as NotebookCell;

  beforeEach(async () => {
    [written, shownTimes] = [[], []];
    itemsGate = Promise.resolve();
    let executions = 0;
    const createNotebookCellExecution = (): unknown => {
      executions += 1;
      const number = executions;
      const write =
        (what: string) =>
        async (outputs: readonly NotebookCellOutput[]): Promise<void> => {
          written.push(
            `${number} ${what}: ${outputs
              .flatMap(({ items }) => items)
              .map(textOf)
              .join()}`,
          );
        };
      let isEnded = false;
      const shown: Record<string, unknown> = {};
      const end = (success: unknown, at: unknown): void => {
        isEnded = true;
        shownTimes.push({ ...shown, success, end: at });
      };
      return {
        set executionOrder(order: number) {
          shown.order = order;
        },
        start: (at: unknown) => {
          shown.start = at;
        },
        end,
        ...{ replaceOutput: write("replace"), appendOutput: write("append") },
        replaceOutputItems: async (items: NotebookCellOutput["items"]) => {
          assert.equal(isEnded, false, `execution ${number} has ended`);
          await itemsGate;
          written.push(`${number} items: ${items.map(textOf).join()}`);
        },
      };
    };
    // The editor's API is a stand-in here. Only modules that are imported later get it.
    const loaded = await import("../../../../src/features/kernels/cells/cell-runs.ts");
    runs = new loaded.CellRuns({ uri: undefined } as unknown as NotebookDocument, {
      controller: () => ({ createNotebookCellExecution }) as unknown as NotebookController,
      outputDirectory: "",
      ...{ onStatus: () => {}, onInput: () => {}, onEnded: () => {} },
      onError: (error) => assert.fail(String(error)),
    });
    mock.timers.enable({ apis: ["setTimeout"] });
  });
  afterEach(() => mock.timers.reset());

  const textOf = ({ data }: NotebookCellOutput["items"][number]): string => new TextDecoder().decode(data);
  const begin = (cell: NotebookCell): CellRun => {
    const run = runs.open(cell, async () => {});
    assert.ok(run !== undefined);
    return run;
  };
  const writes = async (): Promise<readonly string[]> => {
    mock.timers.tick(1_000);
    await nextTurn();
    return written.splice(0);
  };

  it("is shown completely if another cell's run ends while it is written", async () => {
    const first = begin(cellOf(0));
    await first.onEvents([started, display("one", "d"), display("two", "e"), ...ended]);
    assert.deepEqual(await writes(), ["1 replace: one,two"]);
    const second = begin(cellOf(1));
    await second.onEvents([started, display("other")]);
    assert.deepEqual(await writes(), ["2 replace: other"]);
    const gate = Promise.withResolvers<void>();
    itemsGate = gate.promise;
    await second.onEvents([update("one more"), { ...update("two more"), displayId: "e" } as ExecutionEvent]);
    assert.deepEqual(await writes(), []);
    await second.onEvents(ended);
    await nextTurn();
    gate.resolve();
    await nextTurn();
    assert.deepEqual(await writes(), ["2 items: one more", "3 items: two more"]);
  });

  it("is not shown, and does not clear the output of the new run", async () => {
    const cell = cellOf(0);
    const first = begin(cell);
    await first.onEvents([started, display("first"), ...ended]);
    assert.deepEqual(await writes(), ["1 replace: first"]);
    const second = begin(cell);
    await second.onEvents([started, display("second")]);
    assert.deepEqual(await writes(), ["2 replace: second"]);
    await first.onEvents([display("late"), { type: "clearOutput", wait: false }]);
    first.updateDisplay(0, { data: {}, metadata: {} });
    assert.deepEqual(await writes(), []);
    await second.onEvents([display("more"), ...ended]);
    assert.deepEqual(await writes(), ["2 append: more"]);
  });

  it("is added to a cell whose run ended in an earlier window, which keeps its order and times", async () => {
    const timing = { startTime: 10, endTime: 20 };
    const cell = {
      index: 0,
      executionSummary: { executionOrder: 7, success: true, timing },
    } as unknown as NotebookCell;
    const run = runs.late(cell, { ...entry, messageId: "m" });
    assert.deepEqual([run.isEnded, runs.running], [true, []]);
    await run.onEvents([{ type: "stream", name: "stdout", text: "late" }, ...ended]);
    assert.deepEqual(await writes(), ["1 append: late"]);
    assert.deepEqual(shownTimes, [{ order: 7, start: 10, success: true, end: 20 }]);
    assert.equal(begin(cell).isEnded, false);
    await run.onEvents([{ type: "stream", name: "stdout", text: "later" }]);
    assert.deepEqual(await writes(), []);
  });

  it("still updates displays of other cells", async () => {
    const [cell, other] = [cellOf(0), cellOf(1)];
    const first = begin(cell);
    await first.onEvents([started, ...ended]);
    const shown = begin(other);
    await shown.onEvents([started, display("0 %", "d")]);
    const second = begin(cell);
    await second.onEvents([started]);
    await writes();
    await first.onEvents([update("50 %")]);
    assert.deepEqual(await writes(), ["2 items: 50 %"]);
  });
});
