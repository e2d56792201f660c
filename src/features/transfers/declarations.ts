import { type CommandDeclarations, explorer, inWorkspaceFile } from "../../ui/commands/declaration.ts";

const onFolder = `${inWorkspaceFile} && explorerResourceIsFolder`;
const inWorkspaceWindow = "virtualWorkspace == platform-contents";

/** In a desktop editor, the editor's dialogs show the user's computer. */
const onDesktop = (condition: string): string => `${condition} && !platformWorkbench.inBrowser`;

/**
 * In a browser, the editor's dialogs show the computer that runs the editor's server. For the user's computer, the
 * editor has its own entries in the same menu: Upload… and Download….
 */
const inBrowser = (condition: string): string => `${condition} && platformWorkbench.inBrowser`;

/** Commands that copy files between a computer and a workspace. */
export const transfersDeclarations = {
  "platformWorkbench.uploadFiles": {
    title: "Upload Files…",
    icon: "$(cloud-upload)",
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
    icon: "$(cloud-download)",
    inPalette: onDesktop(inWorkspaceWindow),
    menus: [explorer("5_transfer@3", onDesktop(inWorkspaceFile))],
  },
  "platformWorkbench.downloadArchive": {
    title: "Download Folder as ZIP…",
    icon: "$(file-zip)",
    inPalette: onDesktop(inWorkspaceWindow),
    menus: [explorer("5_transfer@4", onDesktop(onFolder))],
  },
  "platformWorkbench.uploadFilesFromServer": {
    title: "Upload Files from the Editor's Server…",
    icon: "$(cloud-upload)",
    inPalette: inBrowser(inWorkspaceWindow),
    menus: [explorer("5_transfer@1", inBrowser(onFolder))],
  },
  "platformWorkbench.uploadFolderFromServer": {
    title: "Upload Folder from the Editor's Server…",
    inPalette: inBrowser(inWorkspaceWindow),
    menus: [explorer("5_transfer@2", inBrowser(onFolder))],
  },
  "platformWorkbench.downloadToServer": {
    title: "Download to the Editor's Server…",
    icon: "$(cloud-download)",
    inPalette: inBrowser(inWorkspaceWindow),
    menus: [explorer("5_transfer@3", inBrowser(inWorkspaceFile))],
  },
  "platformWorkbench.downloadArchiveToServer": {
    title: "Download Folder as ZIP to the Editor's Server…",
    icon: "$(file-zip)",
    inPalette: inBrowser(inWorkspaceWindow),
    menus: [explorer("5_transfer@4", inBrowser(onFolder))],
  },
} as const satisfies CommandDeclarations;

export type TransfersCommandId = keyof typeof transfersDeclarations;
