import type { CommandDeclarations } from "../../ui/commands/declaration.ts";

/** The token for a tenant's front door. */
export const frontDoorDeclarations = {
  "platformWorkbench.setFrontDoorToken": { title: "Set Front Door Token…", icon: "$(key)", inPalette: true },
  "platformWorkbench.removeFrontDoorToken": { title: "Remove Front Door Token…", icon: "$(trash)", inPalette: true },
} as const satisfies CommandDeclarations;

export type FrontDoorCommandId = keyof typeof frontDoorDeclarations;
