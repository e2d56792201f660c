import assert from "node:assert/strict";
import * as vscode from "vscode";
import * as z from "zod/mini";

const manifestShape = z.looseObject({
  contributes: z.looseObject({
    commands: z.array(z.looseObject({ command: z.string() })),
    menus: z.record(z.string(), z.array(z.looseObject({ command: z.string() }))),
    views: z.record(z.string(), z.array(z.looseObject({ id: z.string() }))),
  }),
});

describe("the commands in the editor", () => {
  it("are exactly those of the manifest, each registered", async () => {
    const extension = vscode.extensions.all.find(({ id }) => id.endsWith(".platform-workbench"));
    assert.ok(extension !== undefined);
    await extension.activate();
    const { commands, menus, views } = z.parse(manifestShape, extension.packageJSON).contributes;
    const declared = commands.map(({ command }) => command);
    assert.equal(new Set(declared).size, declared.length);
    assert.ok(declared.length > 80, String(declared.length));
    // The editor creates its own commands for each view, for example to focus it.
    const ofViews = Object.values(views)
      .flat()
      .map(({ id }) => `${id}.`);
    const registered = (await vscode.commands.getCommands(true)).filter(
      (id) => id.startsWith("platformWorkbench.") && !ofViews.some((prefix) => id.startsWith(prefix)),
    );
    assert.deepEqual(registered.toSorted(), declared.toSorted());
    const inMenus = Object.values(menus).flatMap((items) => items.map(({ command }) => command));
    assert.deepEqual(
      inMenus.filter((id) => !declared.includes(id)),
      [],
    );
  });
});
