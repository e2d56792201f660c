import assert from "node:assert/strict";
import type { VariableRow } from "../../../../src/api/companion/operations/variables.ts";
import { itemOf } from "../../../../src/features/variables/variable-items.ts";

const row: VariableRow = {
  ...{ label: "frame", step: { kind: "name", at: "frame" }, type: "DataFrame", shape: "(3, 2)", size: 40_120 },
  ...{ value: "a: int64,\n b: object", isCut: false, problem: null, hasChildren: true, isFrame: true },
  ...{ expression: "frame", setter: { cell: "one", count: 4 } },
};

function item(changed: Partial<VariableRow>, depth = 1) {
  const path = Array.from({ length: depth }, () => row.step);
  return itemOf({
    type: "variable",
    key: "key",
    path,
    row: { ...row, ...changed },
    notebook: "",
    expression: undefined,
  });
}

describe("the rows of variables", () => {
  it("show type, shape, size, and value on one line", () => {
    const shown = item({});
    assert.equal(shown.description, "DataFrame (3, 2) · 40.1 KB · a: int64, b: object");
    assert.equal(shown.accessibilityInformation?.label, `frame, ${shown.description}`);
    assert.equal(item({ type: "int", shape: null, size: 28, value: "5" }).description, "int · 5");
    assert.equal(
      item({ type: "list", shape: "3", size: 88, value: "[1, 2", isCut: true }).description,
      "list (3) · [1, 2…",
    );
  });

  it("say why there is no value", () => {
    const plain = { shape: null, size: null };
    assert.equal(
      item({ ...plain, problem: "raised", value: "ValueError: no\ntext" }).description,
      "DataFrame · Can't show its value: ValueError: no text",
    );
    assert.equal(
      item({ ...plain, problem: "slow", value: "" }).description,
      "DataFrame · Its value isn't shown, because that takes too long",
    );
    assert.equal(
      item({ ...plain, problem: "skipped", value: "" }).description,
      "DataFrame · Its value isn't shown, because other values take too long",
    );
  });

  it("have a plain tooltip, in which hostile text can't change how the rest reads", () => {
    const shown = item({ label: "a\u202eb", value: "[link](command:x) <b>\u0007" });
    assert.equal(shown.label, "a\\u{202e}b");
    assert.equal(typeof shown.tooltip, "string");
    assert.equal(
      shown.tooltip,
      "a\\u{202e}b: DataFrame (3, 2)\nSize: 40.1 KB\nSet by the execution [4]\n\n[link](command:x) <b>\\u{0007}",
    );
  });

  it("have the marks that menus depend on", () => {
    assert.equal(item({}).contextValue, "variable;frame;expression;setter");
    assert.equal(item({ expression: null, setter: null }).contextValue, "variable");
    assert.equal(item({ isFrame: false, setter: null }, 2).contextValue, "variableMember;expression");
  });

  it("load more on a click", () => {
    const more = itemOf({ type: "more", list: "", shown: 200, total: 10_000, pageSize: 200 });
    assert.equal(more.label, "Load 200 More (200 of 10000)");
    assert.deepEqual(more.command?.arguments, [{ list: "" }]);
  });
});
