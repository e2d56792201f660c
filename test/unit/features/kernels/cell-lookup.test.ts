import assert from "node:assert/strict";
import type { NotebookDocument } from "vscode";
import { sourceHashOf } from "../../../../src/api/kernels/executions/execution-journal.ts";
import { cellOfEntry } from "../../../../src/features/kernels/cells/cell-lookup.ts";

/** Cells as `id source`. `-` stands for no id. */
const notebookOf = (...cells: readonly string[]): NotebookDocument => {
  const read = cells.map((text, index) => {
    const [id = "", source = ""] = text.split(" ");
    const metadata = id === "-" ? {} : { id };
    return { index, kind: 2, metadata, document: { getText: () => source } };
  });
  return { getCells: () => read } as unknown as NotebookDocument;
};

describe("the cell of a request", () => {
  function indexOf(
    notebook: NotebookDocument,
    cellId: string | undefined,
    source: string,
    cellIndex: number,
  ): number | undefined {
    const entry = { messageId: "m", cellId, cellIndex, sourceHash: sourceHashOf(source), sentAt: 0, isFinished: false };
    return cellOfEntry(notebook, entry)?.index;
  }

  it("is the one with its id, even if it was moved or edited", () => {
    assert.equal(indexOf(notebookOf("b 2", "a edited", "c 1"), "a", "1", 2), 1);
  });

  it("is the one with its source if several have its id", () => {
    const notebook = notebookOf("a 1", "a 2", "b 2");
    assert.equal(indexOf(notebook, "a", "2", 1), 1);
    // A cell was inserted before them.
    assert.equal(indexOf(notebookOf("- new", "a 1", "a 2"), "a", "1", 0), 1);
  });

  it("is the nearest one if several have its id and source, or none has its source", () => {
    assert.equal(indexOf(notebookOf("a 1", "a 1", "a 1"), "a", "1", 1), 1);
    assert.equal(indexOf(notebookOf("a 1", "a 2", "a 3"), "a", "edited", 2), 2);
  });

  it("is the nearest one with its source if none has its id", () => {
    assert.equal(indexOf(notebookOf("- 1", "b 2", "- 1", "- 1"), "a", "1", 2), 2);
    assert.equal(indexOf(notebookOf("- 1", "- 2"), undefined, "3", 0), undefined);
  });
});
