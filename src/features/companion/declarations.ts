import { type CommandDeclarations, withTenant } from "../../ui/commands/declaration.ts";

export const companionDeclarations = {
  "platformWorkbench.restartCompanion": {
    title: "Restart Companion of Workspace…",
    icon: "$(debug-restart)",
    inPalette: withTenant,
  },
  "platformWorkbench.endCompanion": {
    title: "End Companion of Workspace…",
    icon: "$(debug-stop)",
    inPalette: withTenant,
  },
} as const satisfies CommandDeclarations;

export type CompanionCommandId = keyof typeof companionDeclarations;
