import {
  type CommandDeclarations,
  explorer,
  inEditorServerMenu,
  inWorkspaceFile,
} from "../../ui/commands/declaration.ts";

const onFolder = `${inWorkspaceFile} && explorerResourceIsFolder`;
const inWorkspaceWindow = "virtualWorkspace == platform-contents";

/** In a desktop editor, the editor's dialogs show the user's computer. */
const onDesktop = (condition: string): string => `${condition} && !platformWorkbench.inBrowser`;

/**
 * In a browser, the editor's dialogs show the computer that runs the editor's server. For the user's computer, the
 * editor has its own entries in the Explorer's menu, Upload… and Download…, and ours are in a submenu of it.
 */
const inBrowserWindow = `${inWorkspaceWindow} && platformWorkbench.inBrowser`;

/** Commands that copy files between a computer and a workspace. */
export const transfersDeclarations = {
  "platformWorkbench.uploadFiles": {
    title: "Upload Files…",
    inPalette: onDesktop(inWorkspaceWindow),
    menus: [explorer("5_transfer@1", onDesktop(onFolder))],
  },
  "platformWorkbench.uploadFolder": {
    title: "Upload Folder…",
    inPalette: onDesktop(inWorkspaceWindow),
    menus: [explorer("5_transfer@2", onDesktop(onFolder))],
  },
  "platformWorkbench.download": {
    title: "Download to This Computer…",
    inPalette: onDesktop(inWorkspaceWindow),
    menus: [explorer("5_transfer@3", onDesktop(inWorkspaceFile))],
  },
  "platformWorkbench.downloadArchive": {
    title: "Download Folder as ZIP…",
    inPalette: onDesktop(inWorkspaceWindow),
    menus: [explorer("5_transfer@4", onDesktop(onFolder))],
  },
  "platformWorkbench.uploadFilesFromServer": {
    title: "Upload Files from the Editor's Server…",
    inPalette: inBrowserWindow,
    menus: [inEditorServerMenu("1_upload@1", onFolder)],
  },
  "platformWorkbench.uploadFolderFromServer": {
    title: "Upload Folder from the Editor's Server…",
    inPalette: inBrowserWindow,
    menus: [inEditorServerMenu("1_upload@2", onFolder)],
  },
  "platformWorkbench.downloadToServer": {
    title: "Download to the Editor's Server…",
    inPalette: inBrowserWindow,
    menus: [inEditorServerMenu("2_download@1", inWorkspaceFile)],
  },
  "platformWorkbench.downloadArchiveToServer": {
    title: "Download Folder as ZIP to the Editor's Server…",
    inPalette: inBrowserWindow,
    menus: [inEditorServerMenu("2_download@2", onFolder)],
  },
} as const satisfies CommandDeclarations;

export type TransfersCommandId = keyof typeof transfersDeclarations;
