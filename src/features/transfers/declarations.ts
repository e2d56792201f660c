import { type CommandDeclarations, explorer, inWorkspaceFile } from "../../ui/commands/declaration.ts";

const onFolder = `${inWorkspaceFile} && explorerResourceIsFolder`;
const inWorkspaceWindow = "virtualWorkspace == platform-contents";

/** Files between this machine and a workspace. */
export const transfersDeclarations = {
  "platformWorkbench.uploadFiles": {
    title: "Upload Files…",
    icon: "$(cloud-upload)",
    inPalette: inWorkspaceWindow,
    menus: [explorer("5_transfer@1", onFolder)],
  },
  "platformWorkbench.uploadFolder": {
    title: "Upload Folder…",
    inPalette: inWorkspaceWindow,
    menus: [explorer("5_transfer@2", onFolder)],
  },
  "platformWorkbench.download": {
    title: "Download to This Machine…",
    icon: "$(cloud-download)",
    inPalette: inWorkspaceWindow,
    menus: [explorer("5_transfer@3", inWorkspaceFile)],
  },
  "platformWorkbench.downloadArchive": {
    title: "Download Folder as ZIP…",
    icon: "$(file-zip)",
    inPalette: inWorkspaceWindow,
    menus: [explorer("5_transfer@4", onFolder)],
  },
} as const satisfies CommandDeclarations;

export type TransfersCommandId = keyof typeof transfersDeclarations;
