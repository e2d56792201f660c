import assert from "node:assert/strict";
import { codeOf, linesAt, scriptCells } from "../../../../../src/features/kernels/console/script-cells.ts";

describe("the code of a script that runs in a kernel", () => {
  const script = ["import os", "# %% Load", "a = 1", "", "#%%", "print(a)"];
  const plain = [
    "import os",
    "",
    "@cached",
    "def area(size):",
    "    if size:",
    "",
    "        return size",
    "    return 0",
    "",
    "try:",
    "    area(1)",
    "except ValueError:",
    "    pass",
    "values = [",
    "    1,",
    "]",
  ];

  const at = (lines: readonly string[], line: number): string | undefined => {
    const range = linesAt(lines, line);
    return range === undefined ? undefined : codeOf(lines.slice(range.start, range.end));
  };

  it("is divided into cells by comments", () => {
    assert.deepEqual(scriptCells(script), [
      { start: 1, end: 4 },
      { start: 4, end: 6 },
    ]);
    assert.deepEqual(scriptCells(["# a %% b", "  # %%", 'x = "# %%"']), []);
  });

  it("is the cell at the cursor, or a statement above the first cell", () => {
    assert.equal(at(script, 0), "import os");
    assert.equal(at(script, 1), "a = 1");
    assert.equal(at(script, 3), "a = 1");
    assert.equal(at(script, 5), "print(a)");
  });

  it("is the whole statement around the cursor in a script without cells", () => {
    for (const line of [2, 3, 4, 5, 7]) assert.equal(at(plain, line), plain.slice(2, 8).join("\n"), `line ${line}`);
    for (const line of [8, 9, 11, 12]) assert.equal(at(plain, line), plain.slice(9, 13).join("\n"), `line ${line}`);
    for (const line of [13, 15]) assert.equal(at(plain, line), plain.slice(13).join("\n"), `line ${line}`);
    assert.equal(at(["a = 1 + \\", "b"], 0), "a = 1 + \\\nb");
  });

  it("is the whole statement if its lines are in a string or in brackets, or have comments between them", () => {
    const statements = [
      ['query = """', "SELECT *", "# not a comment", "FROM t)", '""" + "\\""'],
      ["values = [", "1, '[', # [", "2,", "]"],
      ["def f(a):", "    b = a", "# note", "    return b"],
      ["if a:", "    b", "# otherwise", "else:", "    c"],
      ["text = 'one \\", "two'"],
      ["half(", "1,"],
      ["def last():", "    pass"],
    ];
    const lines = statements.flat();
    for (const [index, statement] of statements.entries()) {
      const start = statements.slice(0, index).flat().length;
      for (const line of statement.keys()) {
        assert.equal(at(lines, start + line), statement.join("\n"), `line ${start + line}`);
      }
    }
    assert.equal(at(["a = 1", "# about b", "b = 2"], 1), "b = 2");
    assert.equal(at(["a = 1", "# about b", "b = 2"], 0), "a = 1");
  });

  it("is nothing below the last statement, and in an empty cell", () => {
    assert.equal(at(["a", "", ""], 1), undefined);
    assert.equal(at(["# %%", ""], 0), "");
    assert.equal(at([], 0), undefined);
  });

  it("loses the indentation that all of its lines share", () => {
    assert.equal(codeOf(["    if a:", "        b", "", "    c", ""]), "if a:\n    b\n\nc");
    assert.equal(codeOf(["\ta", "    b"]), "\ta\n    b");
    assert.equal(codeOf(["  a", "b"]), "  a\nb");
  });
});
