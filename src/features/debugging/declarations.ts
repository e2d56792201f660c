import { type CommandDeclarations, onOurKernel } from "../../ui/commands/declaration.ts";

/** A cell with Python code in a notebook that runs on a workspace's kernel. */
const codeCell = `${onOurKernel} && notebookCellType == code && notebookCellEditable`;

export const debuggingDeclarations = {
  "platformWorkbench.debugCell": {
    title: "Debug Cell",
    icon: "$(debug-alt-small)",
    inPalette: onOurKernel,
    menus: [{ menu: "notebook/cell/execute", when: codeCell, group: "platform@1" }],
  },
  "platformWorkbench.debugNotebook": {
    title: "Debug Notebook",
    icon: "$(debug-alt)",
    inPalette: onOurKernel,
  },
} as const satisfies CommandDeclarations;

export type DebuggingCommandId = keyof typeof debuggingDeclarations;
