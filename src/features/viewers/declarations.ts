import type { CommandDeclarations } from "../../ui/commands/declaration.ts";

/** Commands of the screens that files have instead of an editor. */
export const viewersDeclarations = {
  "platformWorkbench.copyReadingCode": {
    title: "Copy Code That Reads the File",
    inPalette: false,
  },
} as const satisfies CommandDeclarations;

export type ViewersCommandId = keyof typeof viewersDeclarations;
