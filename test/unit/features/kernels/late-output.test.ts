import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { NotebookDocument } from "vscode";
import type { ExecutionEvent } from "../../../../src/api/kernels/executions/executions.ts";
import type { CellRun } from "../../../../src/features/kernels/cells/cell-run.ts";
import { CellRuns } from "../../../../src/features/kernels/cells/cell-runs.ts";
import { StandInCell, StandInController } from "../../../harness/editor-stand-in/notebook-cell.ts";

const display = (text: string, displayId?: string): ExecutionEvent => ({
  type: "display",
  displayId,
  bundle: { data: { "text/plain": text }, metadata: {} },
});
const update = (text: string): ExecutionEvent => ({
  type: "updateDisplay",
  displayId: "d",
  bundle: { data: { "text/plain": text }, metadata: {} },
});
const stream = (text: string, name: "stdout" | "stderr" = "stdout"): ExecutionEvent => ({ type: "stream", name, text });
const started: ExecutionEvent = { type: "started", executionCount: 1, at: 1 };
const entry = { cellId: undefined, cellIndex: 0, sourceHash: "", sentAt: 0, isFinished: true };
const ended: readonly ExecutionEvent[] = [
  { type: "ended", outcome: { type: "ok" }, executionCount: 1, payload: [], at: 2 },
  { type: "idle", at: 3 },
];

describe("output after the end of a run, or of a run whose cell runs again", () => {
  let runs: CellRuns;
  let controller: StandInController;
  let directory: string;

  beforeEach(async () => {
    controller = new StandInController();
    directory = await mkdtemp(join(tmpdir(), "platform-workbench-output-"));
    runs = new CellRuns({ uri: undefined } as unknown as NotebookDocument, {
      controller: controller.asController,
      outputDirectory: directory,
      onError: (error) => assert.fail(String(error)),
    });
    mock.timers.enable({ apis: ["setTimeout"] });
  });
  afterEach(async () => {
    mock.timers.reset();
    await rm(directory, { recursive: true, force: true });
  });

  const begin = ({ asCell }: StandInCell): CellRun => {
    const run = runs.open(asCell, { recordsTimes: false });
    assert.ok(run !== undefined);
    return run;
  };
  /** Runs a cell to its end. */
  const ran = async (cell: StandInCell, ...events: readonly ExecutionEvent[]): Promise<CellRun> => {
    const run = begin(cell);
    await run.onEvents([started, ...events, ...ended]);
    while (cell.executionSummary === undefined) {
      await nextTurn();
    }
    controller.written.length = 0;
    return run;
  };
  const writes = async (): Promise<readonly string[]> => {
    mock.timers.tick(1_000);
    await nextTurn();
    return controller.written.splice(0);
  };

  it("is shown completely if another cell's run ends while it is written", async () => {
    const first = begin(new StandInCell(0));
    await first.onEvents([started, display("one", "d"), display("two", "e"), ...ended]);
    assert.deepEqual(await writes(), ["1 replace: one,two"]);
    const second = begin(new StandInCell(1));
    await second.onEvents([started, display("other")]);
    assert.deepEqual(await writes(), ["2 replace: other"]);
    const gate = Promise.withResolvers<void>();
    controller.gate = gate.promise;
    await second.onEvents([update("one more"), { ...update("two more"), displayId: "e" } as ExecutionEvent]);
    assert.deepEqual(await writes(), []);
    await second.onEvents(ended);
    await nextTurn();
    gate.resolve();
    await nextTurn();
    assert.deepEqual(await writes(), ["2 items: one more", "3 items: two more"]);
  });

  it("is not shown, and does not clear the output of the new run", async () => {
    const cell = new StandInCell(0);
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
    const cell = new StandInCell(0);
    const summary = { executionOrder: 7, success: true, timing };
    cell.executionSummary = summary;
    const run = runs.late(cell.asCell, { ...entry, messageId: "m" });
    assert.deepEqual([run.isEnded, runs.running], [true, []]);
    await run.onEvents([{ type: "stream", name: "stdout", text: "late" }, ...ended]);
    assert.deepEqual(await writes(), ["1 append: late"]);
    assert.deepEqual(cell.executionSummary, summary);
    await run.onEvents([{ type: "stream", name: "stdout", text: " and more" }]);
    assert.deepEqual([await writes(), cell.texts], [["2 more:  and more"], ["late, and more"]]);
    assert.equal(begin(cell).isEnded, false);
    await run.onEvents([{ type: "stream", name: "stdout", text: "later" }]);
    assert.deepEqual(await writes(), []);
  });

  it("can be awaited, because the editor runs no cell while something is written to it", async () => {
    const cell = new StandInCell(0);
    const run = await ran(cell, display("first", "d"));
    const gate = Promise.withResolvers<void>();
    controller.gate = gate.promise;
    await run.onEvents([update("late")]);
    const written = runs.written();
    await nextTurn();
    assert.ok(runs.isExecuting(cell.asCell));
    gate.resolve();
    await written;
    assert.deepEqual([runs.isExecuting(cell.asCell), cell.texts], [false, ["late"]]);
  });

  it("still updates displays of other cells", async () => {
    const [cell, other] = [new StandInCell(0), new StandInCell(1)];
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

  it("continues the text that the cell shows, and adds other outputs after it", async () => {
    const cell = new StandInCell(0);
    const run = await ran(cell, stream("one\n"));
    await run.onEvents([stream("two\n")]);
    assert.deepEqual(await writes(), ["2 more: two\n"]);
    await run.onEvents([stream("three\n"), stream("failed\n", "stderr"), display("four")]);
    await writes();
    assert.deepEqual(cell.texts, ["one\n,two\n,three\n", "failed\n", "four"]);
    await run.onEvents([stream("five\n")]);
    await writes();
    assert.deepEqual(cell.texts.at(-1), "five\n");
  });

  it("overwrites the row in which the text ended", async () => {
    const cell = new StandInCell(0);
    const run = await ran(cell, stream("start\n 10 %\r"));
    await run.onEvents([stream(" 50 %\r")]);
    assert.deepEqual(await writes(), ["2 items: start\n 50 %"]);
    await run.onEvents([stream("100 %\x1b[3")]);
    await run.onEvents([stream("2m!")]);
    await writes();
    assert.deepEqual(cell.texts, ["start\n100 %\x1b[32m!"]);
  });

  it("clears first if the code asked for that", async () => {
    const cell = new StandInCell(0);
    const run = await ran(cell, stream("old"), { type: "clearOutput", wait: true });
    await run.onEvents([stream("new")]);
    await writes();
    assert.deepEqual(cell.texts, ["new"]);
  });

  it("updates displays", async () => {
    const cell = new StandInCell(0);
    const run = await ran(cell, stream("first"), display("0 %", "d"), display("other", "e"));
    await run.onEvents([update("50 %")]);
    assert.deepEqual(await writes(), ["2 items: 50 %"]);
    await run.onEvents([stream("end"), update("100 %")]);
    await writes();
    assert.deepEqual(cell.texts, ["first", "100 %", "other", "end"]);
  });

  it("is shown after the user has cleared the outputs, without what was cleared", async () => {
    const cell = new StandInCell(0);
    const run = await ran(cell, stream("one\n"), display("0 %", "d"), stream("two"));
    cell.outputs = [];
    await run.onEvents([update("50 %"), stream("three")]);
    await writes();
    assert.deepEqual(cell.texts, ["three"]);
    await run.onEvents([stream(" four"), update("100 %")]);
    await writes();
    assert.deepEqual(cell.texts, ["three, four"]);
  });

  it("is shown after outputs are sent again from the beginning", async () => {
    const cell = new StandInCell(0);
    const run = await ran(cell, stream("one\n"), stream("two\n", "stderr"));
    await run.onEvents([{ type: "replay" }, started, stream("one\n"), ...ended]);
    await writes();
    assert.deepEqual(cell.texts, ["one\n"]);
  });

  it("is kept as a whole if the cell can't show it, together with the output before", async () => {
    const cell = new StandInCell(0);
    const line = `${"x".repeat(99)}\n`;
    const run = await ran(cell, stream("beginning\n"), display("picture"));
    await run.onEvents([stream(line.repeat(10_000))]);
    await writes();
    assert.equal(run.fullOutput, undefined);
    await run.onEvents([stream(line.repeat(11_000)), stream("end\n")]);
    await writes();
    const expected = `beginning\n${line.repeat(21_000)}end\n`;
    assert.equal(await readFile(run.fullOutput ?? "", "utf8"), expected);
    assert.match(cell.texts.at(-1) ?? "", /^\n… \d+ characters of output aren't shown here …\nx/);
    await run.onEvents([stream("last\n")]);
    await writes();
    const [, before = "", leftOut, end = ""] =
      /^(.*)\n… (\d+) characters of output aren't shown here …\n(.*)$/su.exec(
        cell.texts
          .filter((text) => text !== "picture")
          .join("")
          .replaceAll(",", ""),
      ) ?? [];
    // What is shown and what is not add up to all output.
    const all = `${expected}last\n`;
    assert.deepEqual(
      [all.startsWith(before), all.endsWith(end), before.length + Number(leftOut) + end.length],
      [true, true, all.length],
    );
    assert.equal(await readFile(run.fullOutput ?? "", "utf8"), `${expected}last\n`);
  });
});
