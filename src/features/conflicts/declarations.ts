import { type CommandDeclarations, editor, inWorkspaceFile, type MenuEntry } from "../../ui/commands/declaration.ts";

/** Unsaved changes here, and another version there: the list is the watching's. */
const changedOnServer = "resource in platformWorkbench.changedOnServer";

/** In words above the cells: the editor's own question about a notebook offers neither. */
const inNotebook = (group: string): MenuEntry => ({ menu: "notebook/toolbar", when: changedOnServer, group });

/** What is offered where a file changed on the server while it is edited here. */
export const conflictsDeclarations = {
  "platformWorkbench.compareWithServer": {
    title: "Compare with the Server's Version",
    icon: "$(diff)",
    inPalette: inWorkspaceFile,
    menus: [
      editor("navigation@1", changedOnServer),
      editor("3_platform@6", inWorkspaceFile),
      inNotebook("navigation/conflict@2"),
    ],
  },
  "platformWorkbench.mergeWithServer": {
    title: "Merge with the Server's Version",
    icon: "$(git-merge)",
    inPalette: inWorkspaceFile,
    menus: [editor("navigation@2", changedOnServer), inNotebook("navigation/conflict@1")],
  },
} as const satisfies CommandDeclarations;

export type ConflictsCommandId = keyof typeof conflictsDeclarations;
