import type { CommandDeclarations } from "../../ui/commands/declaration.ts";

export const packagesDeclarations = {
  "platformWorkbench.installMissingPackage": {
    title: "Install Missing Package",
    inPalette: false,
  },
} as const satisfies CommandDeclarations;
