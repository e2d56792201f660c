import assert from "node:assert/strict";
import fc from "fast-check";
import { withJoinedStrings } from "../../../../src/api/content-server/notebook-strings.ts";

const notebookOf = (...cells: readonly unknown[]): string =>
  JSON.stringify({ cells, metadata: { tags: ["a", "b"] }, nbformat: 4, nbformat_minor: 5 }, undefined, 1);

describe("the multi-line strings of a notebook", () => {
  it("are joined in sources, texts, data, and attachments, and nowhere else", () => {
    const lines = ["a\n", 'b"\\\u00e9\n', "c"];
    const joined = lines.join("");
    const cellOf = (text: unknown): unknown => ({
      cell_type: "code",
      metadata: { tags: lines },
      source: text,
      attachments: { "image.svg": { "image/svg+xml": text } },
      outputs: [
        { output_type: "stream", name: "stdout", text },
        { output_type: "error", ename: "E", evalue: "", traceback: lines },
        {
          output_type: "display_data",
          metadata: { text: lines },
          data: { "text/plain": text, "application/json": lines, "application/vnd.x.v1+json": lines },
        },
      ],
    });
    assert.equal(withJoinedStrings(notebookOf(cellOf(lines), cellOf([]))), notebookOf(cellOf(joined), cellOf("")));
  });

  it("leave lists alone that contain anything else, and notebooks without lists", () => {
    for (const source of [["a", 1], [["a"]], [null, "a"], "text", { list: ["a"] }, 5, null]) {
      const notebook = notebookOf({ cell_type: "code", source, outputs: [], __proto__: null, constructor: ["a"] });
      assert.equal(withJoinedStrings(notebook), notebook);
    }
    for (const odd of ['{"cells":{}}', '{"cells":[1,"a",[["x"]]]}', "[]", '{"cells":[{"outputs":{},"source":[ ]}]}']) {
      const { cells: _, ...others } = JSON.parse(odd);
      const { cells: __, ...after } = JSON.parse(withJoinedStrings(odd));
      assert.deepEqual(after, others);
    }
  });

  it("keep the digits and the spacing of everything else", () => {
    const text = (source: string): string =>
      `{ "nbformat":4, "cells" : [ {"a":1.0,"source" : ${source} ,"b":12345678901234567890}, {} ],\r\n"metadata":{"x":-0.0}}`;
    assert.equal(
      withJoinedStrings(text('[ "x\\n" ,\n"\\u2028\\ud83d" , "\\ude00" ]')),
      text('"x\\n\\u2028\\ud83d\\ude00"'),
    );
  });

  it("have the same content for any lines", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), fc.jsonValue(), (lines, other) => {
        const cell = { cell_type: "raw", metadata: other, source: lines };
        assert.equal(
          withJoinedStrings(notebookOf(cell, { metadata: other })),
          notebookOf({ ...cell, source: lines.join("") }, { metadata: other }),
        );
      }),
    );
  });
});
