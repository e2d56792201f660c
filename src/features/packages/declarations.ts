import { type CommandDeclarations, onOurKernel } from "../../ui/commands/declaration.ts";

export const packagesDeclarations = {
  "platformWorkbench.installMissingPackage": {
    title: "Install Missing Package",
    inPalette: onOurKernel,
  },
} as const satisfies CommandDeclarations;
