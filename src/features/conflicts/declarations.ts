import { type CommandDeclarations, editor, inWorkspaceFile } from "../../ui/commands/declaration.ts";

/** True for files with unsaved changes and a newer version on the server. The watcher maintains the list. */
const changedOnServer = "resource in platformWorkbench.changedOnServer";

/** True for results of merges. Saving them asks if there are unresolved conflicts. */
const merged = "resource in platformWorkbench.unresolvedConflicts";

/** The commands for a file that changed on the server while it has unsaved changes. */
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
  "platformWorkbench.overwriteServerVersion": {
    title: "Overwrite the Server's Version…",
    inPalette: changedOnServer,
    menus: [editor("3_platform@7", changedOnServer)],
  },
  "platformWorkbench.acceptChange": {
    title: "Accept Change…",
    inPalette: inWorkspaceFile,
  },
  "platformWorkbench.saveMerged": {
    title: "Save Merge Result…",
    inPalette: false,
    keys: [{ key: "ctrl+s", mac: "cmd+s", when: merged }],
  },
} as const satisfies CommandDeclarations;

export type ConflictsCommandId = keyof typeof conflictsDeclarations;
