import assert from "node:assert/strict";
import { questionOf } from "../../../../../src/programs/front-door/mcp/confirmation.ts";
import type { Tool } from "../../../../../src/programs/front-door/mcp/tool.ts";

function toolWith(...names: readonly string[]): Tool {
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  return { listed: { title: "Delete an item", inputSchema: { properties } } } as unknown as Tool;
}

function linesFor(given: Readonly<Record<string, unknown>>, ...names: readonly string[]): string[] {
  return questionOf({ tool: toolWith(...names), given }).split("\n");
}

describe("front door: the question for a confirmation", () => {
  it("names the tenant", () => {
    const question = questionOf({ tool: toolWith("path"), given: { path: "a.txt" }, tenant: "acme" });
    assert.deepEqual(question.split("\n"), ["Delete an item in the tenant acme?", "path: a.txt"]);
  });

  it("shows both ends of a long value, and its length", () => {
    const path = `reports/${"a".repeat(3000)}/../salaries.ipynb`;
    const [, line = ""] = linesFor({ path }, "path");
    assert.match(line, /^path: reports\/a+…a+\/\.\.\/salaries\.ipynb \(3026 characters\)$/);
    assert.ok(line.length < 160);
  });

  it("escapes line breaks and control characters in arguments and their names", () => {
    const given = { path: "a.txt\nworkspaceId: harmless", body: { "x\u202e\r\nand 0 more": "\u001b[2K\u0000" } };
    assert.deepEqual(linesFor(given, "path", "body"), [
      "Delete an item?",
      "path: a.txt\\u{000a}workspaceId: harmless",
      "body.x\\u{202e}\\u{000d}\\u{000a}and 0 more: \\u{001b}[2K\\u{0000}",
    ]);
  });

  it("shows the argument that must be read in full, with lines that can't imitate the question", () => {
    const tool = { ...toolWith("path", "code"), shownInFull: "code" };
    const code = `${"x".repeat(3000)}\n\tif True:\r\nworkspaceId: harmless\u2028and 3 more\u202e\u0000`;
    assert.deepEqual(questionOf({ tool, given: { code, path: "a.ipynb" } }).split("\n"), [
      ...["Delete an item?", "path: a.ipynb", "code:", `| ${"x".repeat(3000)}`, "|     if True:"],
      ...["| workspaceId: harmless", "| and 3 more\\u{202e}\\u{0000}"],
    ]);
  });

  it("shows arguments in the tool's order, empty values, and the number of remaining lines", () => {
    const given = { body: { list: Array.from({ length: 20 }, (_, index) => index), more: [] }, empty: [], path: "a" };
    const lines = linesFor(given, "path", "empty", "body");
    assert.deepEqual(lines.slice(0, 4), ["Delete an item?", "path: a", "empty: []", "body.list.0: 0"]);
    assert.equal(lines.length, 12);
    assert.equal(lines.at(-1), "and 13 more");
  });

  it("is short for any names and values", () => {
    let body: unknown = "x".repeat(10_000);
    for (let depth = 0; depth < 50; depth += 1) body = { ["name".repeat(1000)]: body };
    const question = questionOf({ tool: toolWith("body"), given: { body: Array.from({ length: 50 }, () => body) } });
    assert.ok(question.length < 4000, String(question.length));
    assert.match(question, /and 40 more$/);
  });
});
