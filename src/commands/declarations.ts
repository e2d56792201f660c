/** Where a command shows besides the palette; `when` is added to the place's own condition. */
export interface MenuEntry {
  readonly menu: "view/title" | "view/item/context" | "editor/title";
  readonly when: string;
  /** The editor's group names: `navigation` and `inline` show as an icon. */
  readonly group: string;
}

/** A command as the manifest, the palette and the runner know it. */
export interface CommandDeclaration {
  /** Title Case, verb first; an ellipsis when it asks for more. */
  readonly title: string;
  readonly icon?: string;
  /** False for what only a row or a click can mean. */
  readonly inPalette: boolean;
  readonly menus?: readonly MenuEntry[];
}

export const category = "Platform";
export const workspacesViewId = "platformWorkbench.workspaces";

const inView = `view == ${workspacesViewId}`;
const onWorkspace = `${inView} && viewItem =~ /^workspace\\b/`;
const onStoppedWorkspace = `${inView} && viewItem == workspace.stopped`;
const onActiveWorkspace = `${inView} && viewItem =~ /^workspace\\.(starting|running)$/`;
const onTenant = `${inView} && viewItem =~ /^tenant\\b/`;
const inWorkspaceFile = "resourceScheme == platform-files";

const onOperation = (kind: string): string =>
  `resourceScheme == platform-documents && resourcePath =~ /^\\/operation-${kind}\\//`;

const title = (group: string, when = inView): MenuEntry => ({ menu: "view/title", when, group });
const row = (group: string, when: string): MenuEntry => ({ menu: "view/item/context", when, group });
const editor = (group: string, when: string): MenuEntry => ({ menu: "editor/title", when, group });

/** Every command, declared once: the manifest is generated from this, the runner demands a handler for each. */
export const commands = {
  "platformWorkbench.addTenant": {
    title: "Add Tenant…",
    icon: "$(add)",
    inPalette: true,
    menus: [title("1_tenants@1")],
  },
  "platformWorkbench.editTenant": {
    title: "Edit Tenant…",
    inPalette: true,
    menus: [title("1_tenants@3", `${inView} && platformWorkbench.tenants != none`), row("2_change@1", onTenant)],
  },
  "platformWorkbench.removeTenant": {
    title: "Remove Tenant…",
    inPalette: true,
    menus: [title("1_tenants@4", `${inView} && platformWorkbench.tenants != none`), row("7_delete@1", onTenant)],
  },
  "platformWorkbench.switchTenant": {
    title: "Switch Tenant…",
    inPalette: true,
    menus: [title("1_tenants@2", `${inView} && platformWorkbench.tenants == several`)],
  },
  "platformWorkbench.signIn": {
    title: "Sign In…",
    icon: "$(sign-in)",
    inPalette: true,
    menus: [row("inline@1", `${inView} && viewItem == tenant.signedOut`)],
  },
  "platformWorkbench.signOut": {
    title: "Sign Out…",
    icon: "$(sign-out)",
    inPalette: true,
    menus: [
      title("1_tenants@5", `${inView} && platformWorkbench.tenants != none`),
      row("2_change@2", `${inView} && viewItem == tenant.signedIn`),
    ],
  },
  "platformWorkbench.setFrontDoorToken": { title: "Set Front Door Token…", icon: "$(key)", inPalette: true },
  "platformWorkbench.removeFrontDoorToken": { title: "Remove Front Door Token…", icon: "$(trash)", inPalette: true },
  "platformWorkbench.trySampleTenant": {
    title: "Try the Sample Tenant",
    icon: "$(beaker)",
    inPalette: true,
    menus: [title("1_tenants@6")],
  },
  "platformWorkbench.refreshWorkspaces": {
    title: "Refresh Workspaces",
    icon: "$(refresh)",
    inPalette: true,
    menus: [title("navigation@3")],
  },
  "platformWorkbench.filterWorkspaces": {
    title: "Filter Workspaces…",
    icon: "$(filter)",
    inPalette: true,
    menus: [title("navigation@1", `${inView} && !platformWorkbench.workspacesFiltered`)],
  },
  "platformWorkbench.clearWorkspaceFilter": {
    title: "Clear Workspace Filter",
    icon: "$(clear-all)",
    inPalette: true,
    menus: [title("navigation@2", `${inView} && platformWorkbench.workspacesFiltered`)],
  },
  "platformWorkbench.changeWorkspaceFilter": {
    title: "Change Workspace Filter…",
    icon: "$(filter-filled)",
    inPalette: false,
    menus: [title("navigation@1", `${inView} && platformWorkbench.workspacesFiltered`)],
  },
  "platformWorkbench.loadMoreWorkspaces": { title: "Load More Workspaces", inPalette: false },
  "platformWorkbench.retryWorkspaces": {
    title: "Retry",
    icon: "$(refresh)",
    inPalette: false,
    menus: [row("inline@1", `${inView} && viewItem == error`)],
  },
  "platformWorkbench.clickWorkspace": { title: "Select Workspace", inPalette: false },
  "platformWorkbench.openSelection": { title: "Open the Selected Workspace", inPalette: false },
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
    menus: [row("1_open@3", onWorkspace)],
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
  "platformWorkbench.editConfiguration": {
    title: "Edit Workspace Configuration…",
    icon: "$(gear)",
    inPalette: true,
    menus: [row("2_change@3", onWorkspace)],
  },
  "platformWorkbench.copyWorkspaceId": {
    title: "Copy Workspace Id…",
    icon: "$(copy)",
    inPalette: true,
    menus: [row("5_copy@1", onWorkspace)],
  },
  "platformWorkbench.createCheckpoint": {
    title: "Create Checkpoint",
    icon: "$(save-as)",
    inPalette: true,
    menus: [editor("3_platform@1", inWorkspaceFile)],
  },
  "platformWorkbench.listCheckpoints": {
    title: "List Checkpoints…",
    icon: "$(history)",
    inPalette: true,
    menus: [editor("3_platform@2", inWorkspaceFile)],
  },
  "platformWorkbench.restoreCheckpoint": {
    title: "Restore Checkpoint…",
    icon: "$(discard)",
    inPalette: true,
    menus: [editor("3_platform@3", inWorkspaceFile)],
  },
  "platformWorkbench.updateDataflow": {
    title: "Update Dataflow…",
    icon: "$(watch)",
    inPalette: true,
    menus: [editor("3_platform@4", `${inWorkspaceFile} && resourceExtname == .ipynb`)],
  },
  "platformWorkbench.sendDataflow": {
    title: "Send Dataflow Update…",
    icon: "$(cloud-upload)",
    inPalette: false,
    menus: [editor("navigation", "resourceScheme == platform-documents && resourcePath =~ /^\\/dataflow\\//")],
  },
  "platformWorkbench.runOperation": { title: "Run API Operation…", icon: "$(play)", inPalette: true },
  "platformWorkbench.sendOperation": {
    title: "Send API Operation…",
    icon: "$(cloud-upload)",
    inPalette: false,
    menus: [editor("navigation", onOperation("body"))],
  },
  "platformWorkbench.copyOperationAsCurl": {
    title: "Copy as curl",
    icon: "$(terminal)",
    inPalette: false,
    menus: [editor("navigation", onOperation("(body|answer)"))],
  },
  "platformWorkbench.showLog": { title: "Show Log", icon: "$(output)", inPalette: true, menus: [title("9_log@1")] },
} as const satisfies Readonly<Record<string, CommandDeclaration>>;

export type CommandId = keyof typeof commands;
