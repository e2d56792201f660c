import assert from "node:assert/strict";
import { parametersOf, readNotebook } from "../../../../src/api/runs/parameters.ts";

describe("the parameters of a notebook", () => {
  it("are the assignments of their cell, with types and comments", () => {
    const source = [
      "# A comment",
      "months = 3  # number of months",
      "region: str = 'north'",
      "rates = [",
      "    0.5,  # low",
      "    1.5,",
      "]",
      "start = date.today()",
      "if True:",
      "    inner = 1",
      "months == 4",
      "a, b = 1, 2",
      "größe = None",
    ].join("\n");
    assert.deepEqual(
      parametersOf(source).map(({ name, value, type, description }) => [name, value, type, description]),
      [
        ["months", "3", "int", "number of months"],
        ["region", "'north'", "str", undefined],
        ["rates", "[\n    0.5,  # low\n    1.5,\n]", "list", undefined],
        ["start", "date.today()", undefined, undefined],
        ["größe", "None", "None", undefined],
      ],
    );
  });

  it("count as the last assignment says, and as an expression if more follows", () => {
    assert.deepEqual(
      parametersOf("a = 1\na = 2 + x\nb = 1; c = 2").map(({ name, value, type }) => [name, value, type]),
      [
        ["a", "2 + x", undefined],
        ["b", "1; c = 2", undefined],
      ],
    );
  });

  it("are no text in strings, brackets, and commands", () => {
    const named = (...lines: readonly string[]): readonly (readonly [string, string])[] =>
      parametersOf(lines.join("\n")).map(({ name, value }) => [name, value]);
    assert.deepEqual(named('"""The report.', "name = 3", '"""', "months = 1"), [["months", "1"]]);
    assert.deepEqual(named("def f():", "    r'''", "name = 3 \\'''", "x = 4", "'''", "a = 1"), [["a", "1"]]);
    assert.deepEqual(named('q = f"""', "select = 1 # no", '"""  # the query', "a = 1"), [
      ["q", 'f"""\nselect = 1 # no\n"""'],
      ["a", "1"],
    ]);
    assert.deepEqual(named("print(", "name = 3, # it's (", ")", "total = 1 + \\", "  2", "a = 1"), [
      ["total", "1 + \\\n  2"],
      ["a", "1"],
    ]);
    assert.deepEqual(named("!echo it's ( here", "%cd [x", "it's = 1", "text = 'not closed", "a = 1"), [
      ["text", "'not closed"],
      ["a", "1"],
    ]);
    assert.deepEqual(named("x = date.today()  # first day", "नमस्ते = 1", "lines = 'a' # b"), [
      ["x", "date.today()"],
      ["नमस्ते", "1"],
      ["lines", "'a'"],
    ]);
    assert.equal(parametersOf("x = date.today()  # first day")[0]?.description, "first day");
    assert.deepEqual(named("a = 1\r", '"""\r', "b = 2\r", '"""\r', "c = 3\r"), [
      ["a", "1"],
      ["c", "3"],
    ]);
  });

  it("are read from a very long cell", () => {
    for (const part of ["'", '"""', "(", "x = [", "x = (\n", "\\", "#\n", "a: ", "{", "1e+"]) {
      assert.ok(parametersOf(part.repeat(100_000)).length <= 1, part);
    }
  });

  it("are in the first code cell with the tag", () => {
    const cell = (source: string | readonly string[], tags?: unknown): object => ({
      cell_type: "code",
      source,
      metadata: tags === undefined ? {} : { tags },
    });
    const notebook = (...cells: readonly object[]): unknown => ({
      nbformat: 4,
      metadata: { kernelspec: { name: "ir", language: "R" } },
      cells,
    });
    const found = readNotebook(
      notebook(cell("x = 1"), cell(["a = 1\n", "b = 2"], ["parameters"]), cell("c", "parameters")),
    );
    assert.deepEqual(
      found?.parameters?.map(({ name }) => name),
      ["a", "b"],
    );
    assert.deepEqual([found?.kernel, found?.language], ["ir", "r"]);
    assert.equal(readNotebook(notebook(cell("x = 1")))?.parameters, undefined);
    assert.equal(readNotebook(notebook(cell("x = 1")))?.hasCode, true);
    assert.equal(readNotebook(notebook(cell([" \n"]), { cell_type: "markdown", source: "a" }))?.hasCode, false);
    assert.equal(readNotebook({ nbformat: 3, worksheets: [] }), undefined);
    assert.equal(readNotebook("text"), undefined);
  });
});
