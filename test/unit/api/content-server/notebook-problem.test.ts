import assert from "node:assert/strict";
import { notebookProblemOf } from "../../../../src/api/content-server/notebook-problem.ts";

const problemOf = (text: string): unknown => notebookProblemOf(Buffer.from(text));

describe("the problem of an .ipynb file", () => {
  it("is found, with its line", () => {
    assert.deepEqual(problemOf('{\n"cells": [\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> x\n]}'), {
      type: "mergeConflicts",
      line: 3,
    });
    assert.deepEqual(problemOf('{\n "cells": [],\n "metadata": {},,\n}'), { type: "invalidJson", line: 3 });
    assert.deepEqual(problemOf('{\n "cells": [\n'), { type: "invalidJson", line: 3 });
    assert.deepEqual(problemOf('{"worksheets": [], "nbformat": 3}'), { type: "oldFormat", format: 3 });
    const long = `{\n"a": "${"x".repeat(5_000_000)}"\n<<<<<<< a\n`;
    assert.deepEqual(problemOf(long), { type: "mergeConflicts", line: 3 });
  });

  it("is not in notebooks, empty files, and what editors explain themselves", () => {
    for (const text of [
      "",
      " \n",
      "[]",
      "null",
      '{"nbformat": "3"}',
      '{"cells": [{"source": "<<<<<<< HEAD\\n=======\\n"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
    ]) {
      assert.equal(problemOf(text), undefined, text);
    }
    assert.equal(notebookProblemOf(Uint8Array.from([0x7b, 0xff])), undefined);
  });
});
