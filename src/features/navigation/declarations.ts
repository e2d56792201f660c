import {
  type CommandDeclarations,
  explorer,
  inWorkspaceFile,
  onMarked,
  row,
  withTenant,
} from "../../ui/commands/declaration.ts";
import { viewId, viewNames } from "../../ui/tree/definition.ts";

/**
 * In a browser, links with the editor's own scheme can't be clicked, so a row has a link only if it has a web page. The
 * link is the page's address, except for a workspace, whose link opens an editor window.
 */
const inBrowser = (condition: string): string => `${condition} && platformWorkbench.inBrowser`;
const onDesktop = (condition: string): string => `${condition} && !platformWorkbench.inBrowser`;

/** Commands that find any resource on the platform, and commands for rows in all trees. */
export const navigationDeclarations = {
  "platformWorkbench.goToAnything": {
    title: "Go to Anything on the Platform…",
    icon: "$(search)",
    inPalette: true,
    keys: [{ key: "ctrl+k ctrl+g", mac: "cmd+k cmd+g", when: withTenant }],
  },
  "platformWorkbench.openLink": { title: "Open Link…", inPalette: true },
  "platformWorkbench.copyFileLink": {
    title: "Copy Platform Link",
    icon: "$(link)",
    inPalette: inWorkspaceFile,
    menus: [
      explorer("6_copypath@90", inWorkspaceFile),
      { menu: "editor/title/context", when: inWorkspaceFile, group: "1_cutcopypaste@90" },
    ],
  },
  "platformWorkbench.showDetails": {
    title: "Show Details",
    icon: "$(info)",
    inPalette: false,
    menus: [row("1_open@5", onMarked("details"))],
  },
  "platformWorkbench.showJson": {
    title: "Show Raw JSON",
    icon: "$(json)",
    inPalette: false,
    menus: [row("1_open@6", onMarked("details"))],
  },
  "platformWorkbench.openInBrowser": {
    title: "Open in Browser",
    icon: "$(link-external)",
    inPalette: false,
    menus: [row("1_open@7", onMarked("page"))],
  },
  "platformWorkbench.copyId": {
    title: "Copy ID",
    icon: "$(copy)",
    inPalette: false,
    menus: [row("5_copy@1", onMarked("id"))],
  },
  "platformWorkbench.copyName": {
    title: "Copy Name",
    inPalette: false,
    menus: [row("5_copy@2", onMarked("id"))],
  },
  "platformWorkbench.copyLink": {
    title: "Copy Link",
    icon: "$(link)",
    inPalette: false,
    menus: [row("5_copy@3", onDesktop(onMarked("link"))), row("5_copy@3", inBrowser(onMarked("page")))],
  },
  "platformWorkbench.copyWebAddress": {
    title: "Copy Web Address",
    icon: "$(globe)",
    inPalette: false,
    menus: [
      row("5_copy@4", onDesktop(onMarked("page"))),
      row("5_copy@4", inBrowser(`${onMarked("page")} && view == ${viewId("workspaces")}`)),
    ],
  },
  "platformWorkbench.showDetailsOf": { title: "Show Details of…", icon: "$(info)", inPalette: true },
  "platformWorkbench.showJsonOf": { title: "Show Raw JSON of…", icon: "$(json)", inPalette: true },
  "platformWorkbench.openInBrowserOf": { title: "Open in Browser…", icon: "$(link-external)", inPalette: true },
  "platformWorkbench.copyIdOf": { title: "Copy ID of…", icon: "$(copy)", inPalette: true },
  "platformWorkbench.copyLinkOf": { title: "Copy Link to…", icon: "$(link)", inPalette: true },
  "platformWorkbench.openSelectedRow": {
    title: "Open the Selected Row",
    inPalette: false,
    keys: viewNames.map((view) => ({
      key: "enter",
      when: `focusedView == ${viewId(view)} && listFocus && !inputFocus && !treestickyScrollFocused`,
      args: { view },
    })),
  },
  "platformWorkbench.clickRow": { title: "Select Row", inPalette: false },
  "platformWorkbench.loadMore": { title: "Load More", inPalette: false },
  "platformWorkbench.loadAll": {
    title: "Load All",
    icon: "$(fold-down)",
    inPalette: false,
    menus: [
      row("inline@1", "view =~ /^platformWorkbench\\./ && viewItem == more"),
      row("1_open@1", "view =~ /^platformWorkbench\\./ && viewItem == more"),
    ],
  },
  "platformWorkbench.retry": {
    title: "Retry",
    icon: "$(refresh)",
    inPalette: false,
    menus: [
      row("inline@1", "view =~ /^platformWorkbench\\./ && viewItem == error"),
      row("1_open@1", "view =~ /^platformWorkbench\\./ && viewItem == error"),
    ],
  },
} as const satisfies CommandDeclarations;

export type NavigationCommandId = keyof typeof navigationDeclarations;
