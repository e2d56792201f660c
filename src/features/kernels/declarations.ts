import {
  type CommandDeclarations,
  explorer,
  inWorkspaceFile,
  type MenuEntry,
  onOurKernel,
  onRow,
  row,
  withTenant,
} from "../../ui/commands/declaration.ts";

const toolbar = (group: string): MenuEntry => ({ menu: "notebook/toolbar", when: onOurKernel, group });

/** A Jupyter notebook that was created in the editor and not saved yet. */
const untitledNotebook = "notebookType == jupyter-notebook && resourceScheme == untitled";

/** A text file of a workspace in the active editor. A cell of a notebook has another scheme. */
const inTextEditor = `${inWorkspaceFile} && !notebookType`;
const inScript = `${inTextEditor} && resourceExtname == .py`;

export const kernelsDeclarations = {
  "platformWorkbench.newNotebook": {
    title: "New Notebook",
    icon: "$(notebook)",
    inPalette: true,
    menus: [
      explorer("navigation@5", `${inWorkspaceFile} && explorerResourceIsFolder`),
      row("1_open@3", onRow("workspaces", "workspace")),
    ],
  },
  "platformWorkbench.saveToWorkspace": {
    title: "Save to Workspace…",
    icon: "$(save-as)",
    inPalette: `${untitledNotebook} && ${withTenant}`,
    menus: [{ menu: "notebook/toolbar", when: `${untitledNotebook} && ${onOurKernel}`, group: "navigation/execute@7" }],
    keys: [{ key: "ctrl+s", mac: "cmd+s", when: `${untitledNotebook} && ${onOurKernel} && notebookEditorFocused` }],
  },
  "platformWorkbench.interruptKernel": {
    title: "Interrupt Kernel",
    icon: "$(debug-stop)",
    inPalette: onOurKernel,
  },
  "platformWorkbench.restartKernel": {
    title: "Restart Kernel…",
    icon: "$(debug-restart)",
    inPalette: onOurKernel,
    menus: [toolbar("navigation/execute@5")],
  },
  "platformWorkbench.restartKernelAndRunAll": {
    title: "Restart Kernel and Run All Cells…",
    icon: "$(run-all)",
    inPalette: onOurKernel,
    menus: [toolbar("navigation/execute@6")],
  },
  "platformWorkbench.shutDownKernel": {
    title: "Shut Down Kernel…",
    inPalette: onOurKernel,
  },
  "platformWorkbench.changeKernel": {
    title: "Change Kernel…",
    icon: "$(server-environment)",
    inPalette: `notebookType == jupyter-notebook && ${inWorkspaceFile} || ${onOurKernel}`,
  },
  "platformWorkbench.showKernelActions": {
    title: "Show Kernel Actions…",
    inPalette: onOurKernel,
  },
  "platformWorkbench.enterCellInput": {
    title: "Enter Input for Running Cell…",
    inPalette: onOurKernel,
  },
  "platformWorkbench.runSelectionInKernel": {
    title: "Run Selection in Kernel",
    icon: "$(play)",
    inPalette: inTextEditor,
    menus: [{ menu: "editor/context", when: inTextEditor, group: "1_run@1" }],
    keys: [{ key: "shift+enter", when: `${inScript} && editorTextFocus && !suggestWidgetVisible` }],
  },
  "platformWorkbench.runScriptCell": {
    title: "Run Script Cell in Kernel",
    inPalette: inScript,
  },
  "platformWorkbench.runScriptAbove": {
    title: "Run Script Above Cell in Kernel",
    inPalette: inScript,
  },
  "platformWorkbench.saveWidgetState": {
    title: "Save Notebook with Widget State",
    inPalette: onOurKernel,
  },
  "platformWorkbench.openFullOutput": {
    title: "Open Full Output of Cell",
    inPalette: onOurKernel,
  },
} as const satisfies CommandDeclarations;

export type KernelsCommandId = keyof typeof kernelsDeclarations;
