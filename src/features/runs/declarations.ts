import { type CommandDeclarations, explorer, inWorkspaceFile, row, title } from "../../ui/commands/declaration.ts";

const onNotebook = `${inWorkspaceFile} && resourceExtname =~ /^\\.ipynb$/i`;
const inNotebook = `notebookType == jupyter-notebook && ${inWorkspaceFile}`;

const inRuns = "view == platformWorkbench.runs";
const onRun = `${inRuns} && viewItem =~ /^run\\b/`;
const onRunning = `${inRuns} && viewItem =~ /^run\\.running\\b/`;
const onEnded = `${inRuns} && viewItem =~ /^run\\.ended\\b/`;
/** A job of Jupyter Scheduler writes its outputs at its end. */
const withOutputs = `${onRun} && viewItem != run.running.job`;
const onEndedJob = `${inRuns} && viewItem == run.ended.job`;

/** Commands for runs of notebooks that continue without the editor. */
export const runsDeclarations = {
  "platformWorkbench.runAsJob": {
    title: "Run as Job…",
    icon: "$(run-all)",
    inPalette: onNotebook,
    menus: [
      title("navigation@1", inRuns),
      explorer("5_transfer@10", onNotebook),
      { menu: "notebook/toolbar", when: inNotebook, group: "4_run@1" },
    ],
  },
  "platformWorkbench.refreshRuns": {
    title: "Refresh Runs",
    icon: "$(refresh)",
    inPalette: false,
    menus: [title("navigation@2", inRuns)],
  },
  "platformWorkbench.runAgain": {
    title: "Run Again with These Parameters…",
    icon: "$(debug-rerun)",
    inPalette: false,
    menus: [row("inline@1", onEnded), row("2_change@1", onEnded)],
  },
  "platformWorkbench.cancelRun": {
    title: "Cancel Run…",
    icon: "$(debug-stop)",
    inPalette: false,
    menus: [row("inline@1", onRunning), row("2_change@1", onRunning)],
  },
  "platformWorkbench.compareRun": {
    title: "Compare Run…",
    icon: "$(diff)",
    inPalette: false,
    menus: [row("inline@2", withOutputs), row("1_open@1", withOutputs)],
  },
  "platformWorkbench.listRunChanges": {
    title: "List Changes Between Runs…",
    icon: "$(list-flat)",
    inPalette: false,
    menus: [row("1_open@2", withOutputs)],
  },
  "platformWorkbench.openJobFile": {
    title: "Open File of Job…",
    inPalette: false,
    menus: [row("1_open@3", onEndedJob)],
  },
  "platformWorkbench.deleteRun": {
    title: "Delete Run…",
    inPalette: false,
    menus: [row("7_delete@1", onRun)],
  },
} as const satisfies CommandDeclarations;

export type RunsCommandId = keyof typeof runsDeclarations;
