import { type CommandDeclarations, onRow, row, treeDeclarations } from "../../ui/commands/declaration.ts";

const onDesign = onRow("designs", "design");
const onVersion = onRow("designs", "designVersion");
const onDesignOrVersion = onRow("designs", "design(Version|Versions)?");
const onOwners = onRow("designs", "designOwners");

export const designsDeclarations = {
  ...treeDeclarations("Designs", { many: "App Designs", one: "App Design" }),
  "platformWorkbench.browseDesignFiles": {
    title: "Browse App Design Files…",
    icon: "$(go-to-file)",
    inPalette: true,
    menus: [row("1_open@1", onDesignOrVersion)],
  },
  "platformWorkbench.downloadDesignSource": {
    title: "Download App Design Source…",
    icon: "$(cloud-download)",
    inPalette: true,
    menus: [row("inline@2", onVersion), row("1_open@2", onDesignOrVersion)],
  },
  "platformWorkbench.compareDesignVersions": {
    title: "Compare App Design Versions…",
    icon: "$(diff-multiple)",
    inPalette: true,
    menus: [row("inline@1", onVersion), row("1_open@3", onDesignOrVersion)],
  },
  "platformWorkbench.compareDesignWithFolder": {
    title: "Compare App Design with Local Folder…",
    inPalette: true,
    menus: [row("1_open@4", onDesignOrVersion)],
  },
  "platformWorkbench.addDesignAdmins": {
    title: "Add App Design Admins…",
    icon: "$(person-add)",
    inPalette: true,
    menus: [row("inline@1", onOwners), row("2_change@1", onDesign), row("2_change@1", onOwners)],
  },
  "platformWorkbench.changeDesignOwner": {
    title: "Change App Design Owner…",
    inPalette: true,
    menus: [row("2_change@2", onDesign)],
  },
} as const satisfies CommandDeclarations;

export type DesignsCommandId = keyof typeof designsDeclarations;
