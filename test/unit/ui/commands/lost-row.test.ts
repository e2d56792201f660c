import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { projectDirectory } from "../../../../scripts/set-up/paths.ts";
import { isRowLost } from "../../../../src/ui/commands/lost-row.ts";

const entries = z.array(z.looseObject({ command: z.optional(z.string()) }));
const manifest = z.parse(
  z.looseObject({
    contributes: z.looseObject({
      commands: z.array(z.looseObject({ command: z.string() })),
      menus: z.looseObject({ "view/item/context": entries, "view/title": entries }),
    }),
  }),
  JSON.parse(await readFile(join(projectDirectory, "package.json"), "utf8")),
);
const { commands, menus } = manifest.contributes;
const commandIds = commands.map(({ command }) => command);
const inMenu = (menu: "view/item/context" | "view/title"): readonly string[] =>
  commandIds.filter((id) => menus[menu].some(({ command }) => command === id));

describe("a row that the editor no longer knows", () => {
  const inTitles = inMenu("view/title");
  const inRowsOnly = inMenu("view/item/context").filter((id) => !inTitles.includes(id));

  it("is missing if the menu of a row passes nothing for it", () => {
    assert.ok(inRowsOnly.includes("platformWorkbench.promoteAndSeed"));
    for (const id of inRowsOnly) {
      assert.ok(isRowLost(id, [undefined, undefined], manifest), id);
      assert.ok(isRowLost(id, [undefined, [{ key: "1" }, undefined]], manifest), id);
    }
  });

  it("isn't missing in the palette, for a shortcut, or if the menu passes it", () => {
    for (const id of commandIds) {
      assert.ok(!isRowLost(id, [], manifest), id);
      assert.ok(!isRowLost(id, [undefined], manifest), id);
      assert.ok(!isRowLost(id, [{ key: "1" }, undefined], manifest), id);
    }
  });

  it("can't be told for a command that the title of a view has, too", () => {
    assert.ok(inTitles.includes("platformWorkbench.searchCommitRequests"));
    for (const id of commandIds) {
      if (!inRowsOnly.includes(id)) assert.ok(!isRowLost(id, [undefined, undefined], manifest), id);
    }
  });
});
