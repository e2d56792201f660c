import { type CommandDeclarations, editor, inWorkspaceFile } from "../../ui/commands/declaration.ts";

/** Unsaved changes here, and another version there: the list is the watching's. */
const changedOnServer = "resource in platformWorkbench.changedOnServer";

/** What is offered where a file changed on the server while it is edited here. */
export const conflictsDeclarations = {
  "platformWorkbench.compareWithServer": {
    title: "Compare with the Server's Version",
    icon: "$(diff)",
    inPalette: inWorkspaceFile,
    menus: [editor("navigation@1", changedOnServer), editor("3_platform@6", inWorkspaceFile)],
  },
  "platformWorkbench.mergeWithServer": {
    title: "Merge with the Server's Version",
    icon: "$(git-merge)",
    inPalette: inWorkspaceFile,
    menus: [editor("navigation@2", changedOnServer)],
  },
} as const satisfies CommandDeclarations;

export type ConflictsCommandId = keyof typeof conflictsDeclarations;
