import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { window } from "vscode";
import { displayedItem } from "../../../../src/ui/quick-input/displayed-items.ts";
import { askChoice } from "../../../../src/ui/quick-input/questions.ts";
import { pickItem, pickItems } from "../../../../src/ui/quick-input/show-input.ts";
import { nextInput } from "../../../harness/editor-stand-in/vscode.ts";

const hostile = "$(check) Sales\u202e\u001b[2J";
const displayed = "\\$(check) Sales\\u{202e}\\u{001b}[2J";

describe("items of quick picks", () => {
  it("show names as text, without icons, and limit their length", () => {
    const value = { id: hostile };
    const item = { label: hostile, description: hostile, detail: hostile, picked: true, value };
    assert.deepEqual(displayedItem(item), {
      label: displayed,
      description: displayed,
      detail: displayed,
      picked: true,
      value,
    });
    assert.ok(displayedItem({ label: "a".repeat(1_000_000) }).label.length < 2_000);
    assert.deepEqual(Object.keys(displayedItem({ label: "a" })), ["label"]);
  });

  it("are the same in a list that is shown at once, which returns the given item", async () => {
    const original = window.showQuickPick;
    const shown: unknown[] = [];
    const items = [{ label: "first" }, { label: hostile }];
    const showQuickPick = async (
      given: unknown,
      options?: { readonly title?: string; readonly canPickMany?: boolean },
    ) => {
      const list: readonly { readonly label: string }[] = await (given as Promise<readonly { label: string }[]>);
      shown.push(options?.title, list[1]?.label);
      return options?.canPickMany === true ? list.slice(1) : list[1];
    };
    Object.assign(window, { showQuickPick });
    try {
      assert.equal(await pickItem(items, { title: "\u202ea" }), items[1]);
      assert.equal(await pickItem(Promise.resolve(items), {}), items[1]);
      assert.deepEqual(await pickItems(items, {}), [items[1]]);
    } finally {
      Object.assign(window, { showQuickPick: original });
    }
    assert.deepEqual(shown, ["\\u{202e}a", displayed, undefined, displayed, undefined, displayed]);
  });

  it("are the same in a step of a wizard, whose title is text, too", async () => {
    const shown = nextInput();
    const asked = askChoice(
      { title: `New${hostile}`, step: 1, totalSteps: 1, canGoBack: false },
      {
        placeholder: "",
        items: [
          { label: "first", value: 1 },
          { label: hostile, value: 2 },
        ],
        initial: 2,
      },
    );
    const input = await shown;
    assert.equal(input.title, "New$(check) Sales\\u{202e}\\u{001b}[2J");
    assert.deepEqual([input.items[1]?.label, input.activeItems], [displayed, [input.items[1]]]);
    input.choose(displayed);
    assert.deepEqual(await asked, { type: "next", value: 2 });
  });

  it("are in every quick pick of the extension", async () => {
    const source = join(import.meta.dirname, "../../../../src");
    const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith(".ts"));
    for (const name of files) {
      const text = await readFile(join(source, name), "utf8");
      assert.ok(
        !/\bshowQuickPick\(/.test(text) || name.endsWith("show-input.ts"),
        `${name} shows a list without pickItem`,
      );
      assert.ok(
        !/\bcreateQuickPick\b/.test(text) || /\bdisplayedItem\(|new ReplacedItems/.test(text),
        `${name} shows a list without displayedItem`,
      );
    }
  });
});
