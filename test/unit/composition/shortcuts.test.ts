import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { projectDirectory } from "../../../scripts/set-up/paths.ts";
import { applies, type Context } from "../../harness/conditions.ts";

const keybinding = z.looseObject({
  command: z.string(),
  key: z.string(),
  mac: z.optional(z.string()),
  when: z.string(),
});
const { contributes } = z.parse(
  z.looseObject({
    contributes: z.looseObject({
      keybindings: z.array(keybinding),
      configuration: z.looseObject({
        properties: z.record(z.string(), z.looseObject({ default: z.optional(z.unknown()) })),
      }),
    }),
  }),
  JSON.parse(await readFile(join(projectDirectory, "package.json"), "utf8")),
);

const setting = "platformWorkbench.search.useEditorShortcuts";
const remote: Context = {
  workspaceFolderCount: "1",
  virtualWorkspace: "platform-contents",
  [`config.${setting}`]: String(contributes.configuration.properties[setting]?.default) === "true",
};

function commandsOf(key: string, context: Context): readonly string[] {
  return contributes.keybindings
    .filter(({ key: ours, mac, when }) => (ours === key || mac === key) && applies(when, context))
    .map(({ command }) => command);
}

describe("the editor's shortcuts for files and search", () => {
  const expected = {
    "ctrl+p": ["platformWorkbench.goToFile"],
    "cmd+p": ["platformWorkbench.goToFile"],
    "ctrl+shift+f": ["platformWorkbench.searchInWorkspace"],
    "cmd+shift+f": ["platformWorkbench.searchInWorkspace"],
    "ctrl+shift+h": ["platformWorkbench.replaceInWorkspace"],
    "cmd+shift+h": ["platformWorkbench.replaceInWorkspace"],
  };

  it("find remote files and text in a window of workspaces", () => {
    for (const [key, commands] of Object.entries(expected)) {
      assert.deepEqual(commandsOf(key, remote), commands, key);
    }
  });

  it("keep the editor's own meaning with other folders, in an open list, and if the setting restores them", () => {
    const others: readonly Context[] = [
      { ...remote, virtualWorkspace: "" },
      { ...remote, workspaceFolderCount: "0" },
      { ...remote, inQuickOpen: true },
      { ...remote, [`config.${setting}`]: false },
    ];
    for (const context of others) {
      for (const key of Object.keys(expected)) {
        assert.deepEqual(commandsOf(key, context), [], `${key} in ${JSON.stringify(context)}`);
      }
    }
  });
});

describe("Jupyter's keys", () => {
  const enabled = "config.platformWorkbench.notebooks.jupyterKeys";
  const ours: Context = {
    notebookKernel: "platform-workbench.platform-workbench/sales.acme/python3",
    notebookEditorFocused: true,
    notebookCellType: "code",
    [enabled]: true,
  };

  it("run and change cells of our notebooks", () => {
    assert.deepEqual(commandsOf("ctrl+enter", ours), ["notebook.cell.execute"]);
    assert.deepEqual(commandsOf("ctrl+enter", { ...ours, inputFocus: true }), ["notebook.cell.execute"]);
    assert.deepEqual(commandsOf("ctrl+enter", { ...ours, notebookCellType: "markup" }), ["notebook.cell.quitEdit"]);
    assert.deepEqual(commandsOf("d d", ours), ["notebook.cell.delete"]);
    assert.deepEqual(commandsOf("0 0", ours), ["platformWorkbench.restartKernel"]);
  });

  it("are letters while the user types, and nothing in other notebooks, outputs, and if the setting is off", () => {
    const others: readonly Context[] = [
      { ...ours, inputFocus: true },
      { ...ours, notebookOutputFocused: true },
      { ...ours, notebookKernel: "ms-toolsai.jupyter/python3" },
      { ...ours, notebookEditorFocused: false },
      { ...ours, [enabled]: false },
    ];
    for (const context of others) {
      for (const key of ["a", "b", "d d", "y", "m", "i i", "0 0"]) {
        assert.deepEqual(commandsOf(key, context), [], `${key} in ${JSON.stringify(context)}`);
      }
    }
  });
});
