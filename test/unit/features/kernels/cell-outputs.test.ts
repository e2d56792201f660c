import assert from "node:assert/strict";
import type { ExecutionEvent } from "../../../../src/api/kernels/executions/executions.ts";
import { CellOutputs, type Output } from "../../../../src/features/kernels/output/cell-outputs.ts";
import { Displays } from "../../../../src/features/kernels/output/displays.ts";

const bundle = (text: string) => ({ data: { "text/plain": text }, metadata: {} });
const stream = (text: string, name: "stdout" | "stderr" = "stdout"): ExecutionEvent => ({ type: "stream", name, text });
const display = (text: string, displayId?: string): ExecutionEvent => ({
  type: "display",
  bundle: bundle(text),
  displayId,
});

function outputs(limit = 1_000_000): CellOutputs {
  return new CellOutputs(limit, ({ characters, outputs: count }) => `[${characters} characters, ${count} outputs]`);
}

function textsOf(all: readonly Output[]): readonly string[] {
  return all.map((output) => {
    switch (output.type) {
      case "stream":
        return `${output.name}: ${output.text}`;
      case "error":
        return `error: ${output.name}`;
      default:
        return `${output.type}: ${String(output.bundle.data["text/plain"])}`;
    }
  });
}

describe("the outputs of a cell", () => {
  it("combine text of the same stream, and keep the order of other outputs", () => {
    const cell = outputs();
    for (const event of [
      stream("a"),
      stream("b\n"),
      stream("oops", "stderr"),
      stream("c"),
      display("d"),
      stream("e"),
    ]) {
      cell.add(event);
    }
    cell.add({ type: "error", name: "ValueError", value: "no", traceback: ["line"] });
    assert.deepEqual(textsOf(cell.outputs), [
      "stdout: ab\n",
      "stderr: oops",
      "stdout: c",
      "display: d",
      "stdout: e",
      "error: ValueError",
    ]);
  });

  it("combine events that arrive together into few changes", () => {
    const cell = outputs();
    cell.add(stream("a"));
    cell.add(stream("b"));
    assert.deepEqual(cell.drainChanges(), [
      { type: "append", outputs: [{ key: 0, output: { type: "stream", name: "stdout", text: "ab" } }] },
    ]);
    assert.deepEqual(cell.drainChanges(), []);
    cell.add(stream("c"));
    cell.add(stream("d"));
    assert.deepEqual(cell.drainChanges(), [{ type: "appendText", key: 0, name: "stdout", text: "cd" }]);
    for (let percent = 0; percent <= 10_000; percent += 1) {
      cell.add(stream(`\r${percent}`));
    }
    assert.deepEqual(cell.drainChanges(), [
      { type: "replace", key: 0, output: { type: "stream", name: "stdout", text: "10000" } },
    ]);
  });

  it("are cleared immediately, or on the next output", () => {
    const cell = outputs();
    cell.add(stream("old"));
    cell.drainChanges();
    cell.add({ type: "clearOutput", wait: true });
    assert.deepEqual(cell.drainChanges(), []);
    cell.add(stream("new"));
    assert.deepEqual(cell.drainChanges(), [
      { type: "replaceAll", outputs: [{ key: 1, output: { type: "stream", name: "stdout", text: "new" } }] },
    ]);
    cell.add({ type: "clearOutput", wait: false });
    assert.deepEqual(cell.drainChanges(), [{ type: "replaceAll", outputs: [] }]);
  });

  it("update a display by its id, and keep its type", () => {
    const cell = outputs();
    const first = cell.add(display("one", "id"));
    cell.add({ type: "result", bundle: bundle("two"), executionCount: 3, displayId: "id" });
    assert.deepEqual(first, { displayId: "id", key: 0 });
    cell.update(0, bundle("ONE"));
    assert.equal(cell.drainChanges().length, 1);
    cell.update(0, bundle("1"));
    cell.update(0, bundle("I"));
    assert.deepEqual(cell.drainChanges(), [
      { type: "replace", key: 0, output: { type: "display", bundle: bundle("I"), displayId: "id" } },
    ]);
    cell.update(7, bundle("of an output that was cleared"));
    assert.deepEqual(cell.drainChanges(), []);
  });

  it("show the beginning and the end of very long output, and state how much is omitted", () => {
    const cell = outputs(1_000);
    const line = `${"x".repeat(99)}\n`;
    for (let count = 0; count < 10; count += 1) {
      cell.add(stream(line));
    }
    assert.deepEqual(cell.leftOut, { characters: 0, outputs: 0 });
    assert.equal(cell.isFlooded, false);
    cell.add(stream(line.repeat(10_000)));
    assert.equal(cell.isFlooded, true);
    cell.add(stream("the end"));
    const [head, tail, ...more] = cell.outputs;
    assert.equal(more.length, 0);
    assert.ok(head?.type === "stream" && tail?.type === "stream");
    assert.equal(head.text, line.repeat(10));
    assert.match(tail.text, /^\n\[\d+ characters, 0 outputs\]\nx{99}\n/);
    assert.match(tail.text, /\nthe end$/);
    const shown = head.text.length + tail.text.split("\n").slice(2).join("\n").length;
    assert.equal(shown + cell.leftOut.characters, 1_000 + 1_000_000 + "the end".length);
  });

  it("count overwritten text only once", () => {
    const cell = outputs(1_000);
    cell.add(stream(`${"progress ".repeat(20)}\r`.repeat(1_000)));
    assert.deepEqual(cell.leftOut, { characters: 0, outputs: 0 });
    assert.equal(cell.outputs.length, 1);
  });

  it("omit and count displays above the limit, and start again when cleared", () => {
    const cell = outputs(100);
    cell.add(display("x".repeat(90)));
    assert.equal(cell.add(display("y".repeat(90), "id")), undefined);
    assert.deepEqual(cell.leftOut, { characters: 90, outputs: 1 });
    assert.deepEqual(textsOf(cell.outputs), [`display: ${"x".repeat(90)}`, "stdout: \n[90 characters, 1 outputs]\n"]);
    cell.add({ type: "clearOutput", wait: false });
    assert.equal(cell.isFlooded, false);
    cell.add(display("z"));
    assert.deepEqual(textsOf(cell.outputs), ["display: z"]);
    assert.deepEqual(cell.leftOut, { characters: 0, outputs: 0 });
  });

  it("show an error even if the limit is reached", () => {
    const cell = outputs(10);
    cell.add(stream("x".repeat(50)));
    cell.add({ type: "error", name: "KeyError", value: "k", traceback: [] });
    assert.equal(textsOf(cell.outputs).at(-1), "error: KeyError");
  });

  it("are all updated, also if there are 100,000 with an id", () => {
    const displays = new Displays();
    const cells = [outputs(2_000_000), outputs(2_000_000)];
    const owners = cells.map((cell) => ({
      updateDisplay: (key: number, updated: ReturnType<typeof bundle>) => cell.update(key, updated),
    }));
    for (let number = 0; number < 100_000; number += 1) {
      const index = number % 2;
      const shown = cells[index]?.add(display("0 %", `d${number}`));
      const owner = owners[index];
      assert.ok(shown !== undefined && owner !== undefined);
      displays.add(shown.displayId, owner, shown.key);
    }
    for (let number = 0; number < 100_000; number += 1) {
      displays.update(`d${number}`, bundle("100 %"));
    }
    for (const cell of cells) {
      const texts = textsOf(cell.outputs);
      assert.deepEqual([texts.length, new Set(texts)], [50_000, new Set(["display: 100 %"])]);
      assert.deepEqual(
        cell.drainChanges().map(({ type }) => type),
        ["append"],
      );
      assert.deepEqual(cell.drainChanges(), []);
    }
    const [first] = owners;
    assert.ok(first !== undefined);
    displays.remove(first);
    displays.update("d0", bundle("again"));
    displays.update("d1", bundle("again"));
    assert.deepEqual(
      cells.map((cell) => cell.drainChanges().length),
      [0, 1],
    );
  });

  it("are all updated, also if 20,000 share an ID, by the last of many updates", () => {
    const displays = new Displays();
    const cell = outputs();
    let changes = 0;
    const owner = {
      updateDisplay(key: number, updated: ReturnType<typeof bundle>) {
        changes += 1;
        cell.update(key, updated);
      },
    };
    const show = (text: string): void => {
      const shown = cell.add(display(text, "one"));
      assert.ok(shown !== undefined);
      displays.add(shown.displayId, owner, shown.key);
    };
    for (let number = 0; number < 20_000; number += 1) {
      show(String(number));
    }
    for (let percent = 1; percent <= 1000; percent += 1) {
      displays.update("one", bundle(`${percent} ‰`));
    }
    show("new");
    const texts = [...textsOf(cell.outputs)];
    assert.deepEqual([texts.length, texts.pop()], [20_001, "display: new"]);
    assert.deepEqual(new Set(texts), new Set(["display: 1000 ‰"]));
    assert.equal(changes, 20_000);
    displays.update("one", bundle("all"));
    displays.applyUpdates();
    assert.deepEqual(new Set(textsOf(cell.outputs)), new Set(["display: all"]));
    displays.update("one", bundle("never"));
    displays.remove(owner);
    displays.applyUpdates();
    assert.deepEqual(new Set(textsOf(cell.outputs)), new Set(["display: all"]));
  });

  it("say how many displays without content a cell doesn't show", () => {
    const cell = outputs(1_000);
    for (let number = 0; number < 100; number += 1) {
      cell.add({ type: "display", bundle: { data: {}, metadata: {} }, displayId: undefined });
    }
    assert.deepEqual(cell.leftOut, { characters: 38 * 16, outputs: 38 });
  });
});
