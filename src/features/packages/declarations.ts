import { type CommandDeclarations, onOurKernel, onRow, row, title } from "../../ui/commands/declaration.ts";

const view = "view == platformWorkbench.packages";
/** True while the view is in use. */
const shown = "platformWorkbench.showsPackages";
const onPackage = `${view} && viewItem =~ /^package\\b/`;
const onOutdated = `${view} && viewItem =~ /;outdated\\b/`;

/** The rows of packages have the context value `package`, with the mark `;outdated` if there is a newer version. */
export const packagesDeclarations = {
  "platformWorkbench.showPackages": {
    title: "Show Packages",
    icon: "$(package)",
    inPalette: true,
    menus: [row("1_open@7", onRow("workspaces", "workspace"))],
  },
  "platformWorkbench.installPackage": {
    title: "Install Package…",
    icon: "$(add)",
    inPalette: shown,
    menus: [title("navigation@1", view)],
  },
  "platformWorkbench.searchPackageIndex": {
    title: "Search Package Index…",
    icon: "$(globe)",
    inPalette: shown,
    menus: [title("navigation@2", view)],
  },
  "platformWorkbench.checkForPackageUpdates": {
    title: "Check for Package Updates",
    icon: "$(cloud-download)",
    inPalette: shown,
    menus: [title("navigation@3", view)],
  },
  "platformWorkbench.findPackage": {
    title: "Find Package",
    icon: "$(search)",
    inPalette: shown,
    menus: [title("navigation@4", view)],
  },
  "platformWorkbench.refreshPackages": {
    title: "Refresh Packages",
    icon: "$(refresh)",
    inPalette: shown,
    menus: [title("navigation@5", view)],
  },
  "platformWorkbench.installRequirements": {
    title: "Install from Requirements…",
    inPalette: shown,
    menus: [title("1_files@1", view)],
  },
  "platformWorkbench.freezePackages": {
    title: "Freeze Packages to File…",
    inPalette: shown,
    menus: [title("1_files@2", view)],
  },
  "platformWorkbench.upgradePackage": {
    title: "Upgrade Package",
    icon: "$(arrow-up)",
    inPalette: false,
    menus: [
      row("inline@1", onOutdated),
      row("2_change@1", onOutdated),
      row("2_change@1", `${onPackage} && viewItem != package;outdated`),
    ],
  },
  "platformWorkbench.uninstallPackage": {
    title: "Uninstall Package…",
    icon: "$(trash)",
    inPalette: false,
    menus: [row("inline@2", onPackage), row("7_delete@1", onPackage)],
  },
  "platformWorkbench.copyPackageName": {
    title: "Copy Package Name",
    icon: "$(copy)",
    inPalette: false,
    menus: [row("5_copy@1", onPackage)],
  },
  "platformWorkbench.installMissingPackage": {
    title: "Install Missing Package",
    inPalette: onOurKernel,
  },
} as const satisfies CommandDeclarations;

export type PackagesCommandId = keyof typeof packagesDeclarations;
