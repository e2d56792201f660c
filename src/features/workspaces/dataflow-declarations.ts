import { type CommandDeclarations, editor, inWorkspaceFile } from "../../ui/commands/declaration.ts";

export const dataflowDeclarations = {
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
} as const satisfies CommandDeclarations;
