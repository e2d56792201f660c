import { type CommandDeclarations, editor, onDocument } from "../../ui/commands/declaration.ts";

const onOperation = (kind: string): string => onDocument(`operation-${kind}`);

export const apiExplorerDeclarations = {
  "platformWorkbench.runOperation": { title: "Run API Operation…", icon: "$(play)", inPalette: true },
  "platformWorkbench.sendOperation": {
    title: "Send API Operation…",
    icon: "$(cloud-upload)",
    inPalette: onOperation("body"),
    menus: [editor("navigation@1", onOperation("body"))],
  },
  "platformWorkbench.copyOperationAsCurl": {
    title: "Copy API Operation as curl",
    icon: "$(terminal)",
    inPalette: onOperation("(body|answer)"),
    menus: [editor("navigation@2", onOperation("(body|answer)"))],
  },
} as const satisfies CommandDeclarations;

export type ApiExplorerCommandId = keyof typeof apiExplorerDeclarations;
