import assert from "node:assert/strict";
import { inKeyOrderOf } from "../../../../src/file-system/merge/key-order.ts";

const bytes = (value: unknown): Uint8Array => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const text = (base: unknown, notebook: unknown): string => {
  const changed = Buffer.from(inKeyOrderOf(bytes(base), bytes(notebook))).toString();
  return JSON.stringify(JSON.parse(changed));
};

describe("the server's version of a notebook in a comparison", () => {
  it("has its members in the order of the version before, and its own ones after them", () => {
    const base = { nbformat: 4, metadata: { z: 1, kernelspec: { name: "python3", language: "python" }, gone: 1 } };
    const server = { metadata: { added: 1, kernelspec: { language: "r", name: "ir" }, z: 2 }, nbformat: 4 };
    assert.equal(
      text(base, server),
      JSON.stringify({ nbformat: 4, metadata: { z: 2, kernelspec: { name: "ir", language: "r" }, added: 1 } }),
    );
  });

  it("has those of a cell in the order of the cell with its id, or in its place", () => {
    const cell = (id: string | undefined, metadata: object): object => ({ cell_type: "code", id, metadata });
    const base = { cells: [cell("a", { tags: [], x: 1 }), cell("b", { y: 1, x: 1 })] };
    const server = {
      cells: [cell("new", { x: 1, tags: [] }), cell("b", { x: 2, y: 2 }), cell("a", { x: 1, tags: [] })],
    };
    assert.equal(
      text(base, server),
      JSON.stringify({
        cells: [cell("new", { x: 1, tags: [] }), cell("b", { y: 2, x: 2 }), cell("a", { tags: [], x: 1 })],
      }),
    );
    const first = { cells: [cell(undefined, { b: 1, a: 1 })] };
    assert.equal(text(first, { cells: [cell(undefined, { a: 1, b: 1 })] }), JSON.stringify(first));
  });

  it("is unchanged if it isn't JSON, and keeps all members", () => {
    for (const [base, notebook] of [
      ["{", "{}"],
      ["{}", "no JSON"],
      ["[]", "{}"],
    ] as const) {
      assert.equal(Buffer.from(inKeyOrderOf(bytes(base), bytes(notebook))).toString(), notebook);
    }
    assert.equal(text('{"__proto__": 1, "a": 1}', '{"a": 2, "__proto__": {"b": 1}}'), '{"__proto__":{"b":1},"a":2}');
    assert.equal(text({ a: { constructor: 1 } }, { a: { toString: 1 } }), '{"a":{"toString":1}}');
  });
});
