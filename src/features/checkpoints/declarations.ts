import { type CommandDeclarations, editor, inWorkspaceFile } from "../../ui/commands/declaration.ts";

export const checkpointsDeclarations = {
  "platformWorkbench.createCheckpoint": {
    title: "Create Checkpoint",
    icon: "$(save-as)",
    inPalette: inWorkspaceFile,
    menus: [editor("3_platform@1", inWorkspaceFile)],
  },
  "platformWorkbench.listCheckpoints": {
    title: "List Checkpoints…",
    icon: "$(history)",
    inPalette: inWorkspaceFile,
    menus: [editor("3_platform@2", inWorkspaceFile)],
  },
  "platformWorkbench.restoreCheckpoint": {
    title: "Restore Checkpoint…",
    icon: "$(discard)",
    inPalette: inWorkspaceFile,
    menus: [editor("3_platform@3", inWorkspaceFile)],
  },
  "platformWorkbench.compareCheckpoint": {
    title: "Compare with Checkpoint…",
    icon: "$(diff)",
    inPalette: inWorkspaceFile,
    menus: [editor("3_platform@5", inWorkspaceFile)],
  },
} as const satisfies CommandDeclarations;

export type CheckpointsCommandId = keyof typeof checkpointsDeclarations;
