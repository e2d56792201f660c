import {
  type CommandDeclarations,
  editor,
  inView,
  inWorkspaceFile,
  onDocument,
  onRow,
  row,
  title,
  treeDeclarations,
} from "../../ui/commands/declaration.ts";

const onWorkspace = onRow("workspaces", "workspace");
const onStoppedWorkspace = onRow("workspaces", "workspace\\.stopped");
const onActiveWorkspace = onRow("workspaces", "workspace\\.(starting|running)");

const onKernel = onRow("workspaces", "kernel");

const onNotebook = `${inWorkspaceFile} && resourceExtname == .ipynb`;
const onConfiguration = onDocument("configuration");

export const workspacesDeclarations = {
  ...treeDeclarations("Workspaces", { many: "Workspaces", one: "Workspace" }),
  "platformWorkbench.openWorkspace": {
    title: "Open Workspace as Folder…",
    icon: "$(folder-opened)",
    inPalette: true,
    menus: [row("inline@2", onWorkspace)],
  },
  "platformWorkbench.openWorkspaceHere": {
    title: "Open Workspace as Folder in This Window",
    inPalette: false,
    menus: [row("1_open@1", onWorkspace)],
  },
  "platformWorkbench.openWorkspaceInNewWindow": {
    title: "Open Workspace as Folder in New Window",
    inPalette: false,
    menus: [row("1_open@2", onWorkspace)],
  },
  "platformWorkbench.openWorkspaceInBrowser": {
    title: "Open Workspace in Browser",
    icon: "$(link-external)",
    inPalette: true,
  },
  "platformWorkbench.startWorkspace": {
    title: "Start Workspace…",
    icon: "$(play)",
    inPalette: true,
    menus: [row("inline@1", onStoppedWorkspace), row("2_change@1", onStoppedWorkspace)],
  },
  "platformWorkbench.stopWorkspace": {
    title: "Stop Workspace…",
    icon: "$(debug-stop)",
    inPalette: true,
    menus: [row("2_change@1", onActiveWorkspace)],
  },
  "platformWorkbench.setNotebookToken": {
    title: "Set Notebook Token…",
    icon: "$(key)",
    inPalette: true,
    menus: [row("2_change@2", onWorkspace)],
  },
  "platformWorkbench.changeWorkspaceSize": {
    title: "Change Workspace Size…",
    inPalette: true,
    menus: [row("2_change@3", onWorkspace)],
  },
  "platformWorkbench.changeWorkspaceKernel": {
    title: "Change Workspace Kernel…",
    inPalette: true,
    menus: [row("2_change@4", onWorkspace)],
  },
  "platformWorkbench.editConfiguration": {
    title: "Edit Workspace Configuration…",
    icon: "$(gear)",
    inPalette: true,
    menus: [row("2_change@5", onWorkspace)],
  },
  "platformWorkbench.changeWorkspaceOwner": {
    title: "Change Workspace Owner…",
    inPalette: true,
    menus: [row("2_change@6", onWorkspace)],
  },
  "platformWorkbench.sendConfiguration": {
    title: "Send Workspace Configuration…",
    icon: "$(cloud-upload)",
    inPalette: onConfiguration,
    menus: [editor("navigation@1", onConfiguration)],
    keys: [{ key: "ctrl+s", mac: "cmd+s", when: onConfiguration }],
  },
  "platformWorkbench.interruptRunningKernel": {
    title: "Interrupt",
    icon: "$(debug-stop)",
    inPalette: false,
    menus: [row("inline@1", onKernel), row("2_change@1", onKernel)],
  },
  "platformWorkbench.restartRunningKernel": {
    title: "Restart…",
    icon: "$(debug-restart)",
    inPalette: false,
    menus: [row("2_change@2", onKernel)],
  },
  "platformWorkbench.shutDownRunningKernel": {
    title: "Shut Down…",
    icon: "$(circle-slash)",
    inPalette: false,
    menus: [row("inline@2", onKernel), row("2_change@3", onKernel)],
  },
  "platformWorkbench.shutDownIdleKernels": {
    title: "Shut Down Idle Kernels…",
    inPalette: true,
    menus: [row("2_change@8", onRow("workspaces", "workspace\\.running"))],
  },
  "platformWorkbench.showKernelMemory": {
    title: "Show Kernels and Memory…",
    icon: "$(dashboard)",
    inPalette: true,
    menus: [row("1_open@6", onRow("workspaces", "workspace\\.running"))],
  },
  "platformWorkbench.showInstanceSettings": {
    title: "Show Notebook Settings",
    icon: "$(settings)",
    inPalette: true,
    menus: [title("1_open@1", inView("workspaces"))],
  },
  "platformWorkbench.copyWorkspaceId": {
    title: "Copy Workspace ID…",
    icon: "$(copy)",
    inPalette: true,
  },
  "platformWorkbench.updateDataflow": {
    title: "Update Dataflow…",
    icon: "$(watch)",
    inPalette: onNotebook,
    menus: [editor("4_schedule@1", onNotebook)],
  },
  "platformWorkbench.sendDataflow": {
    title: "Send Dataflow Update…",
    icon: "$(cloud-upload)",
    inPalette: false,
    menus: [editor("navigation", onDocument("dataflow"))],
  },
} as const satisfies CommandDeclarations;

export type WorkspacesCommandId = keyof typeof workspacesDeclarations;
