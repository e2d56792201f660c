import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { AccessError } from "../../../../src/tenants/access-obstacle.ts";
import { card } from "../../../../src/ui/tree/presentation.ts";
import { displayedRow, frameItem } from "../../../../src/ui/tree/tree-items.ts";

const hostile = "Sales\u202e\u001b[2J";
const displayed = "Sales\\u{202e}\\u{001b}[2J";

describe("items of trees", () => {
  it("show text from a server as text, and limit its length", () => {
    const item: vscode.TreeItem = {
      label: hostile,
      description: hostile,
      tooltip: hostile,
      accessibilityInformation: { label: hostile },
    };
    assert.deepEqual(displayedRow(item), {
      label: displayed,
      description: displayed,
      tooltip: displayed,
      accessibilityInformation: { label: displayed },
    });
    const long = "a".repeat(1_000_000);
    const short = displayedRow({ label: long, description: long, tooltip: long });
    for (const text of [short.label, short.description, short.tooltip]) assert.ok(String(text).length < 11_000);
  });

  it("keep highlights only in a label that is shown unchanged", () => {
    const unchanged = { label: "Sales", highlights: [[0, 2] satisfies [number, number]] };
    assert.equal(displayedRow({ label: unchanged }).label, unchanged);
    assert.equal(displayedRow({ label: { ...unchanged, label: hostile } }).label, displayed);
  });

  it("have cards that show text from a server as text", () => {
    const { value } = card({ name: hostile, description: hostile, lines: [["Owner", `${hostile}|[a](command:b)`]] });
    assert.doesNotMatch(value, /\p{Cc}(?<!\n)|\u202e|\]\(/u);
    assert.equal(value.split("u\\{202e\\}").length, 4);
    const long = "a".repeat(1_000_000);
    assert.ok(card({ name: long, description: long, lines: [["Owner", long]] }).value.length < 20_000);
  });

  it("show the error of a list as text", () => {
    const item = frameItem({
      type: "error",
      view: "designs",
      tenantId: "acme",
      list: "top",
      things: "designs",
      error: new Error(hostile),
    });
    assert.ok(String(item.label).includes(displayed));
    assert.equal(item.tooltip, displayed);
  });

  it("offer to sign in only if that resolves the error of a list", () => {
    for (const [type, command] of [
      ["signedOut", "platformWorkbench.signIn"],
      ["stopped", "platformWorkbench.retry"],
      ["noToken", "platformWorkbench.retry"],
    ] as const) {
      const error = new AccessError(type, { tenantId: "acme", workspaceId: "sales" }, "No access.");
      const item = frameItem({
        type: "error",
        view: "designs",
        tenantId: "acme",
        list: "top",
        things: "designs",
        error,
      });
      assert.equal(item.command?.command, command, type);
    }
  });
});
