import { type KeyEntry, onOurKernel } from "../../ui/commands/declaration.ts";

/** A key of Jupyter's, and the command of the editor that does the same. */
interface JupyterKey extends KeyEntry {
  readonly command: string;
}

const inNotebook = `${onOurKernel} && config.platformWorkbench.notebooks.jupyterKeys && notebookEditorFocused`;
const inCommandMode = `${inNotebook} && !inputFocus && !notebookOutputFocused`;

const commandModeKeys: readonly (readonly [key: string, command: string])[] = [
  ["a", "notebook.cell.insertCodeCellAboveAndFocusContainer"],
  ["b", "notebook.cell.insertCodeCellBelowAndFocusContainer"],
  ["x", "notebook.cell.cut"],
  ["c", "notebook.cell.copy"],
  ["v", "notebook.cell.paste"],
  ["shift+v", "notebook.cell.pasteAbove"],
  ["d d", "notebook.cell.delete"],
  ["z", "undo"],
  ["shift+z", "redo"],
  ["y", "notebook.cell.changeToCode"],
  ["m", "notebook.cell.changeToMarkdown"],
  ["shift+m", "notebook.cell.joinSelected"],
  ["j", "list.focusDown"],
  ["k", "list.focusUp"],
  ["shift+j", "list.expandSelectionDown"],
  ["shift+k", "list.expandSelectionUp"],
  ["l", "notebook.cell.toggleLineNumbers"],
  ["shift+l", "notebook.toggleLineNumbers"],
  ["o", "notebook.cell.toggleOutputs"],
  ["s", "workbench.action.files.save"],
  ["f", "actions.find"],
  ["i i", "platformWorkbench.interruptKernel"],
  ["0 0", "platformWorkbench.restartKernel"],
];

/** Jupyter's keys in notebooks that use one of our kernels, unless the user has turned them off. Never in others. */
export const jupyterKeys: readonly JupyterKey[] = [
  { command: "notebook.cell.execute", key: "ctrl+enter", when: `${inNotebook} && notebookCellType == code` },
  // Shows the cell as rendered text. The editor doesn't run Markdown cells.
  { command: "notebook.cell.quitEdit", key: "ctrl+enter", when: `${inNotebook} && notebookCellType == markup` },
  { command: "notebook.cell.split", key: "ctrl+shift+-", when: `${inNotebook} && notebookCellEditorFocused` },
  ...commandModeKeys.map(([key, command]) => ({ command, key, when: inCommandMode })),
];
