import { type CommandDeclarations, explorer, inWorkspaceFile, onOurKernel } from "../../ui/commands/declaration.ts";

const isTable = "resourceExtname =~ /^\\.(csv|tsv|parquet)$/i";

export const dataExplorerDeclarations = {
  "platformWorkbench.openDataExplorer": {
    title: "Open in Data Explorer",
    icon: "$(table)",
    inPalette: `${onOurKernel} || ${inWorkspaceFile} && ${isTable}`,
    menus: [explorer("navigation@7", `${inWorkspaceFile} && !explorerResourceIsFolder && ${isTable}`)],
  },
} as const satisfies CommandDeclarations;

export type DataExplorerCommandId = keyof typeof dataExplorerDeclarations;
