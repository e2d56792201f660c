import { type CommandDeclarations, explorer, inWorkspaceFile, onOurKernel } from "../../ui/commands/declaration.ts";

/** A cell with Python code in a notebook that runs on a workspace's kernel. */
const codeCell = `${onOurKernel} && notebookCellType == code && notebookCellEditable`;
const pythonFile = `${inWorkspaceFile} && resourceExtname == .py`;

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
  "platformWorkbench.runByLine": {
    title: "Run by Line",
    icon: "$(run-below)",
    inPalette: onOurKernel,
    menus: [{ menu: "notebook/cell/execute", when: codeCell, group: "platform@2" }],
  },
  "platformWorkbench.runNextLine": {
    title: "Run Next Line",
    icon: "$(debug-step-over)",
    inPalette: false,
    menus: [
      {
        menu: "notebook/cell/title",
        when: "notebookCellResource in platformWorkbench.cellsByLine",
        group: "inline/cell@0",
      },
    ],
  },
  "platformWorkbench.debugPythonFile": {
    title: "Debug Python File in Workspace",
    icon: "$(debug-alt)",
    inPalette: pythonFile,
    menus: [
      { menu: "editor/title/run", when: pythonFile, group: "navigation@1" },
      explorer("1_run@1", `${pythonFile} && !explorerResourceIsFolder`),
    ],
  },
} as const satisfies CommandDeclarations;

export type DebuggingCommandId = keyof typeof debuggingDeclarations;
