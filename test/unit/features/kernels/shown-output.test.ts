import assert from "node:assert/strict";
import type { NotebookCellOutput } from "vscode";
import type { ExecutionEvent } from "../../../../src/api/kernels/executions/executions.ts";
import { CellOutputs } from "../../../../src/features/kernels/output/cell-outputs.ts";
import { notebookOutput } from "../../../../src/features/kernels/output/output-items.ts";
import { withoutShown } from "../../../../src/features/kernels/output/shown-output.ts";

const stream = (text: string, name: "stdout" | "stderr" = "stdout"): ExecutionEvent => ({ type: "stream", name, text });
const result = (text: string): ExecutionEvent => ({
  type: "result",
  executionCount: 1,
  displayId: undefined,
  bundle: { data: { "text/plain": text, "text/html": `<b>${text}</b>` }, metadata: {} },
});
const display = (text: string, displayId?: string): ExecutionEvent => ({
  type: "display",
  displayId,
  bundle: { data: { "text/plain": text }, metadata: {} },
});
const partial: ExecutionEvent = { type: "partialReplay" };
const gap: ExecutionEvent = { type: "gap", reason: { type: "recorderFull", messages: undefined } };
const idle: ExecutionEvent = { type: "idle", at: 3 };
const withNotice = (limit: number): CellOutputs =>
  new CellOutputs(limit, ({ characters }) => `… ${characters} characters of output aren't shown here …`);

describe("output that is sent again without its beginning", () => {
  /** What a notebook shows of these events. */
  function shownOf(events: readonly ExecutionEvent[], model = withNotice(1_000_000)): NotebookCellOutput[] {
    for (const event of events) {
      model.add(event);
    }
    return model.outputs.map(notebookOutput);
  }

  /** The outputs that are added to a cell that shows the first events when the others are sent again. */
  function added(shown: readonly ExecutionEvent[], sent: readonly ExecutionEvent[]): readonly ExecutionEvent[] {
    const events = withoutShown([partial, gap, ...sent, idle], shownOf(shown));
    assert.deepEqual(
      events.filter(({ type }) => type === "gap" || type === "idle"),
      [gap, idle],
    );
    assert.equal(events.at(-1), idle);
    return events.filter(({ type }) => type !== "gap" && type !== "idle");
  }

  it("is left out where the cell shows it", () => {
    assert.deepEqual(added([result("3")], [result("3")]), []);
    assert.deepEqual(added([stream("a\nb\n"), result("3")], [stream("b\n"), result("3")]), []);
  });

  it("is added where the cell doesn't show it yet", () => {
    assert.deepEqual(added([stream("a\nb\n")], [stream("b\n"), stream("c\n")]), [stream("c\n")]);
    assert.deepEqual(added([stream("a\nb\n")], [stream("c\n")]), [stream("c\n")]);
    assert.deepEqual(added([], [stream("c\n"), result("3")]), [stream("c\n"), result("3")]);
    assert.deepEqual(added([display("1"), stream("a\n")], [display("1"), stream("a\nb\n"), result("3")]), [
      stream("b\n"),
      result("3"),
    ]);
    assert.deepEqual(added([stream("a\n"), stream("b\n", "stderr")], [stream("b\nc\n", "stderr"), stream("d\n")]), [
      stream("c\n", "stderr"),
      stream("d\n"),
    ]);
    assert.deepEqual(added([stream("a\n"), stream("b\n", "stderr")], [stream("a\n"), stream("b\nc\n", "stderr")]), [
      stream("c\n", "stderr"),
    ]);
  });

  it("is added if only a few characters in the middle of a line are the same", () => {
    assert.deepEqual(added([stream("Step 1")], [stream("1 of 2\n")]), [stream("1 of 2\n")]);
  });

  it("stays as it was sent if it continues a progress bar", () => {
    const bar = stream("\r 40% done");
    assert.deepEqual(added([stream("\r 30% done")], [bar]), [bar]);
  });

  it("is found in the end of output that is too long to be shown", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => stream(`line ${index} of a long output\n`));
    const shown = shownOf(lines.slice(0, 15_000), withNotice(50_000));
    const events = withoutShown([partial, gap, ...lines.slice(5_000)], shown);
    assert.deepEqual(events, [
      stream(
        lines
          .slice(15_000)
          .map((line) => (line.type === "stream" ? line.text : ""))
          .join(""),
      ),
      gap,
    ]);
  });

  it("is left out up to the end of the cell, which lacks output in between", () => {
    const lines = (from: number, to: number): ExecutionEvent =>
      stream(Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join(""));
    const shown = [lines(0, 100), lines(300, 500)];
    assert.deepEqual(added(shown, [lines(200, 600)]), [lines(500, 600)]);
    assert.deepEqual(added(shown, [lines(200, 500)]), []);
    assert.deepEqual(added(shown, [lines(600, 700)]), [lines(600, 700)]);
  });

  it("stays as it was sent if overwriting so much text would take too long", () => {
    const bar = "\r 40% done";
    const line = stream(`${"long ".repeat(300_000)}${bar}`);
    const update: ExecutionEvent = { type: "updateDisplay", displayId: "d", bundle: { data: {}, metadata: {} } };
    assert.deepEqual(added([line], [line, update, line]), [line, update, line]);
    const many = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? stream(bar) : update));
    assert.equal(added([stream(bar)], many).filter(({ type }) => type === "stream").length, 0);
  });

  it("compares displays as they were updated", () => {
    const update: ExecutionEvent = {
      type: "updateDisplay",
      displayId: "d",
      bundle: { data: { "text/plain": "after" }, metadata: {} },
    };
    assert.deepEqual(added([display("after", "d")], [display("before", "d"), update]), [update]);
  });

  it("replaces what the cell shows if the output was cleared meanwhile", () => {
    const sent: readonly ExecutionEvent[] = [stream("a\n"), { type: "clearOutput", wait: true }, stream("b\n")];
    assert.deepEqual(added([stream("a\n")], sent), [{ type: "clearOutput", wait: false }, ...sent]);
  });

  it("doesn't change other events", () => {
    const events: readonly ExecutionEvent[] = [{ type: "replay" }, stream("a\n"), idle];
    assert.equal(withoutShown(events, shownOf([stream("a\n")])), events);
  });
});
