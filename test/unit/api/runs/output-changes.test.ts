import assert from "node:assert/strict";
import { outputChanges } from "../../../../src/api/runs/output-changes.ts";

const stream = (text: string): object => ({ output_type: "stream", name: "stdout", text });
const picture = (data: string): object => ({
  output_type: "display_data",
  data: { "image/png": data, "text/plain": "<F>" },
});
const notebook = (...cells: readonly (readonly object[])[]): unknown => ({
  cells: cells.map((outputs, index) => ({
    cell_type: "code",
    id: `c${index}`,
    source: `step(${index})\nmore`,
    outputs,
  })),
});

describe("changes between two runs", () => {
  it("are numbers, texts, pictures, and cells", () => {
    const before = notebook(
      [stream("same 1\n")],
      [stream("total: 1,200.5 of 7\n")],
      [stream("north")],
      [picture("a"), picture("b")],
    );
    const after = notebook(
      [stream("same 1\n")],
      [stream("total: 1,300.5 of 7\n")],
      [stream("south")],
      [picture("a"), picture("c")],
      [],
    );
    const changes = outputChanges(before, after) ?? assert.fail();
    assert.deepEqual(
      changes.map(({ change, pictures }) => [change.type, pictures]),
      [
        ["same", 0],
        ["numbers", 0],
        ["text", 0],
        ["same", 1],
        ["added", 0],
      ],
    );
    const [, numbers] = changes;
    assert.ok(numbers?.change.type === "numbers");
    assert.deepEqual(numbers.change.numbers, [{ label: "total:", before: "1,200.5", after: "1,300.5" }]);
    assert.equal(outputChanges(after, before)?.at(-1)?.change.type, "removed");
  });

  it("are no addresses, and no other widths of a table's columns", () => {
    const table = (value: number): object => stream(`   month  revenue\n0      1  ${String(value).padStart(7)}\n`);
    assert.equal(outputChanges(notebook([stream("<A>")]), notebook([stream("<A>")]))?.[0]?.change.type, "same");
    const [change] = outputChanges(notebook([table(9)]), notebook([table(123456)])) ?? [];
    assert.ok(change?.change.type === "numbers");
    assert.deepEqual(
      change.change.numbers.map(({ before, after }) => [before, after]),
      [["9", "123456"]],
    );
  });

  it("are those of pages, charts, and styled tables, too", () => {
    const display = (data: object): object => ({ output_type: "display_data", data });
    const page = (html: string): object =>
      display({ "text/html": html, "text/plain": "<IPython.core.display.HTML object>" });
    const styled = (id: string, value: number): object =>
      display({
        "text/html": `<style type="text/css">\n#T_${id} { color: red }</style><td id="T_${id}">${value}</td>`,
        "text/plain": "<pandas.io.formats.style.Styler at 0x7f1>",
      });
    const chart = (id: string, y: number): object =>
      display({ "application/vnd.plotly.v1+json": { data: [{ y }] }, "text/html": `<div id="${id}">` });
    const type = (before: object, after: object): string | undefined =>
      outputChanges(notebook([before]), notebook([after]))?.[0]?.change.type;
    assert.equal(type(page("<b>Good</b>"), page("<b>Bad</b>")), "text");
    assert.equal(type(page("<b>Good</b>"), page("<i>Good</i>")), "same");
    assert.equal(type(styled("a", 1), styled("b", 2)), "numbers");
    assert.equal(type(styled("a", 1), styled("b", 1)), "same");
    assert.equal(type(chart("a", 1), chart("b", 2)), "numbers");
    assert.equal(type(chart("a", 1), chart("b", 1)), "same");
    const json = (value: unknown): object => display({ "application/json": value });
    assert.equal(type(json(["ab", "c"]), json(["a", "bc"])), "text");
    assert.equal(type(json({ a: "x", b: "y" }), json({ b: "y", a: "x" })), "same");
    assert.equal(type(display({ "text/markdown": "yes" }), display({ "text/markdown": "no" })), "text");
  });

  it("are no other rules of a table, but other words", () => {
    const type = (before: string, after: string): string | undefined =>
      outputChanges(notebook([stream(before)]), notebook([stream(after)]))?.[0]?.change.type;
    assert.equal(type("a    b\n-  ---\n", "a  b\n--  -\n"), "same");
    assert.equal(type("╞══╪═╡", "╞═╪══╡"), "same");
    assert.equal(type("re-sign", "re sign"), "text");
    assert.equal(type("-- 3", "--- 4"), "numbers");
  });

  it("are no colors, but numbers in colored text", () => {
    const type = (before: string, after: string): string | undefined =>
      outputChanges(notebook([stream(before)]), notebook([stream(after)]))?.[0]?.change.type;
    assert.equal(type("\u001b[31mrows: 5\u001b[0m", "\u001b[32mrows: 5\u001b[0m"), "same");
    assert.equal(type("\u001b[31m5\u001b[0m rows", "\u001b[1;32m6\u001b[0m rows"), "numbers");
  });

  it("are found after a million characters", () => {
    const type = (before: string, after: string): string | undefined =>
      outputChanges(notebook([stream(before)]), notebook([stream(after)]))?.[0]?.change.type;
    const long = "line\n".repeat(300_000);
    assert.equal(type(`${long}north`, `${long}south`), "text");
    assert.equal(type(`${long}north`, `${long}north`), "same");
  });

  it("are those of each cell if two cells have the same id", () => {
    const cells = (...texts: readonly string[]): unknown => ({
      cells: texts.map((text) => ({ cell_type: "code", id: "same", source: "a", outputs: [stream(text)] })),
    });
    assert.deepEqual(
      outputChanges(cells("a", "b"), cells("a", "c"))?.map(({ change }) => change.type),
      ["same", "text"],
    );
  });

  it("are found in a very long line", () => {
    const line = (first: number): object => stream(`${first} `.repeat(140_000));
    const [change] = outputChanges(notebook([line(100)]), notebook([line(200)])) ?? [];
    assert.equal(change?.change.type === "numbers" && change.change.hidden, 139_950);
  });

  it("leave out the cell with the parameters of a run", () => {
    const injected = { cell_type: "code", id: "i", source: "a = 1", metadata: { tags: ["injected-parameters"] } };
    assert.deepEqual(outputChanges({ cells: [injected] }, { cells: [] }), []);
    assert.equal(outputChanges("text", { cells: [] }), undefined);
  });
});
