import { type CommandDeclarations, onRow, row, treeDeclarations } from "../../ui/commands/declaration.ts";

const onApp = onRow("apps", "studioApp");

export const appStudioDeclarations = {
  ...treeDeclarations("Apps", { many: "App Studio Apps", one: "App Studio App" }),
  "platformWorkbench.shareApp": {
    title: "Share App Studio App…",
    icon: "$(person-add)",
    inPalette: true,
    menus: [row("2_change@1", onApp)],
  },
} as const satisfies CommandDeclarations;

export type AppStudioCommandId = keyof typeof appStudioDeclarations;
