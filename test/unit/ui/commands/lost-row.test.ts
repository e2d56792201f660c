import assert from "node:assert/strict";
import { isRowLost } from "../../../../src/ui/commands/lost-row.ts";
import { menus, titles } from "../../../harness/manifest-menus.ts";

const manifest = { contributes: { menus } };
const commandIds = [...titles.keys()];
const row = { key: "1" };

function inMenu(menu: string): readonly string[] {
  return commandIds.filter((id) => menus[menu]?.some(({ command }) => command === id));
}

describe("a row that the editor no longer knows", () => {
  const inTitles = inMenu("view/title");
  const inRowsOnly = inMenu("view/item/context").filter((id) => !inTitles.includes(id));

  it("is missing if the menu of a row passes nothing for it, or for a selected one", () => {
    assert.ok(inRowsOnly.includes("platformWorkbench.promoteAndSeed"));
    for (const id of inRowsOnly) {
      assert.ok(isRowLost(id, [undefined, undefined], manifest), id);
      assert.ok(isRowLost(id, [undefined, [row, undefined]], manifest), id);
      assert.ok(isRowLost(id, [row, [row, undefined]], manifest), id);
    }
  });

  it("isn't missing in the palette, for a shortcut, or if the menu passes it", () => {
    for (const id of commandIds) {
      assert.ok(!isRowLost(id, [], manifest), id);
      assert.ok(!isRowLost(id, [undefined], manifest), id);
      assert.ok(!isRowLost(id, [row, undefined], manifest), id);
      assert.ok(!isRowLost(id, [row, [row, row]], manifest), id);
    }
  });

  it("can't be told for a command that the title of a view has, too", () => {
    assert.ok(inTitles.includes("platformWorkbench.searchCommitRequests"));
    for (const id of commandIds) {
      if (!inRowsOnly.includes(id)) assert.ok(!isRowLost(id, [undefined, undefined], manifest), id);
    }
  });
});
