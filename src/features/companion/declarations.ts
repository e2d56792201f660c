import { type CommandDeclarations, onRow, row, withTenant } from "../../ui/commands/declaration.ts";

const onCompanion = onRow("workspaces", "companion");

export const companionDeclarations = {
  "platformWorkbench.restartCompanion": {
    title: "Restart Companion of Workspace…",
    icon: "$(debug-restart)",
    inPalette: withTenant,
    menus: [row("2_change@1", onCompanion)],
  },
  "platformWorkbench.endCompanion": {
    title: "End Companion of Workspace…",
    icon: "$(debug-stop)",
    inPalette: withTenant,
    menus: [row("inline@1", onCompanion), row("2_change@2", onCompanion)],
  },
} as const satisfies CommandDeclarations;

export type CompanionCommandId = keyof typeof companionDeclarations;
