import assert from "node:assert/strict";
import { droppedAttachments } from "../../../../src/file-system/write/dropped-attachments.ts";

interface Cell {
  readonly id?: string;
  readonly source: string | readonly string[];
  readonly attachments?: Readonly<Record<string, unknown>>;
}

const image = { "image/png": "AAAA" };
const bytesOf = (...cells: readonly Cell[]): Buffer =>
  Buffer.from(JSON.stringify({ cells: cells.map((cell) => ({ cell_type: "markdown", metadata: {}, ...cell })) }));

describe("attachments that a save drops", () => {
  /** The dropped ones if the cell's attachments are removed, with this text. */
  const droppedFrom = (source: Cell["source"], ...names: readonly string[]): readonly string[] => {
    const attachments = Object.fromEntries(names.map((name) => [name, image]));
    return droppedAttachments(bytesOf({ id: "a", source, attachments }), bytesOf({ id: "a", source }));
  };

  it("are named if the text of their cell refers to them, however it is written", () => {
    assert.deepEqual(droppedFrom("![a](attachment:a%20b.png)", "a b.png"), ["a b.png"]);
    assert.deepEqual(droppedFrom("![a](attachment:%C3%A9%F0%9F%99%82.png)", "é🙂.png"), ["é🙂.png"]);
    assert.deepEqual(droppedFrom(["text\n", "![a](<attachment:a b.png>)"], "a b.png"), ["a b.png"]);
    assert.deepEqual(droppedFrom('<img src="attachment:a.png">', "a.png"), ["a.png"]);
    assert.deepEqual(droppedFrom("![a]\n\n[a]: attachment:a.png", "a.png"), ["a.png"]);
    assert.deepEqual(droppedFrom("![](attachment:a%2520.png) ![](attachment:b%zz.png)", "a%20.png", "b%zz.png"), [
      "a%20.png",
      "b%zz.png",
    ]);
  });

  it("are not named if nothing refers to them any longer", () => {
    assert.deepEqual(droppedFrom("text", "a.png"), []);
    assert.deepEqual(droppedFrom("![a](attachment:a.png.old) ![b](attachment:ba.png)", "a.png"), []);
  });

  it("are not named if they stay, or go with their cell", () => {
    const cell = { id: "a", source: "![](attachment:a%20b.png)", attachments: { "a b.png": image } };
    const other = { id: "b", source: cell.source };
    assert.deepEqual(droppedAttachments(bytesOf(cell, other), bytesOf(other, cell)), []);
    assert.deepEqual(droppedAttachments(bytesOf(cell, other), bytesOf(other)), []);
    assert.deepEqual(droppedAttachments(bytesOf(other), bytesOf(cell)), []);
  });

  it("are found by the place of their cell if cells have no ids, and each name once", () => {
    const [source, attachments] = ["![](attachment:a%20b.png)", { "a b.png": image }];
    const before = bytesOf({ source: "x" }, { source, attachments }, { source, attachments });
    assert.deepEqual(droppedAttachments(before, bytesOf({ source: "x" }, { source }, { source })), ["a b.png"]);
  });

  it("are unknown without two valid notebooks", () => {
    const before = bytesOf({ id: "a", source: "![](attachment:a.png)", attachments: { "a.png": image } });
    assert.deepEqual(droppedAttachments(before, Buffer.from("{")), []);
    assert.deepEqual(droppedAttachments(Buffer.from('"attachments"'), before), []);
    assert.deepEqual(droppedAttachments(Buffer.from('{"attachments": 1}'), before), []);
  });
});
