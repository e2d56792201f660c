import { type CommandDeclarations, explorer, inWorkspaceFile } from "../../ui/commands/declaration.ts";

const onNotebook = `${inWorkspaceFile} && resourceExtname == .ipynb`;
const inNotebook = `notebookType == jupyter-notebook && ${inWorkspaceFile}`;

/** Commands that make another format of a notebook. */
export const exportDeclarations = {
  "platformWorkbench.exportNotebook": {
    title: "Export Notebook…",
    icon: "$(export)",
    inPalette: onNotebook,
    menus: [explorer("5_transfer@8", onNotebook), { menu: "notebook/toolbar", when: inNotebook, group: "5_export@1" }],
  },
  "platformWorkbench.previewNotebook": {
    title: "Preview Notebook as HTML",
    icon: "$(open-preview)",
    inPalette: onNotebook,
    menus: [explorer("5_transfer@9", onNotebook), { menu: "notebook/toolbar", when: inNotebook, group: "5_export@2" }],
  },
} as const satisfies CommandDeclarations;

export type ExportCommandId = keyof typeof exportDeclarations;
