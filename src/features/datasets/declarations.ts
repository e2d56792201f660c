import { type CommandDeclarations, onRow, row } from "../../ui/commands/declaration.ts";

export const datasetsDeclarations = {
  "platformWorkbench.previewDataset": {
    title: "Preview Dataset…",
    icon: "$(table)",
    inPalette: true,
    menus: [row("1_open@4", onRow("workspaces", "workspace"))],
  },
} as const satisfies CommandDeclarations;

export type DatasetsCommandId = keyof typeof datasetsDeclarations;
