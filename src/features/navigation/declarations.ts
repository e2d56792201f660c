import {
  type CommandDeclarations,
  explorer,
  inWorkspaceFile,
  onWorkspaceFile,
  withTenant,
} from "../../ui/commands/declaration.ts";

const inWorkspace =
  "resourceScheme == platform-contents || workspaceFolderCount > 0 && virtualWorkspace == platform-contents";

/** What leads to something, wherever it is on the platform. */
export const navigationDeclarations = {
  "platformWorkbench.goToAnything": {
    title: "Go to Anything on the Platform…",
    icon: "$(search)",
    inPalette: true,
    keys: [{ key: "ctrl+k ctrl+g", mac: "cmd+k cmd+g", when: withTenant }],
  },
  "platformWorkbench.goToFile": {
    title: "Go to Remote File…",
    icon: "$(go-to-file)",
    inPalette: true,
    keys: [{ key: "ctrl+k ctrl+y", mac: "cmd+k cmd+y", when: inWorkspace }],
  },
  "platformWorkbench.searchInWorkspace": {
    title: "Search in Workspace…",
    icon: "$(search)",
    inPalette: true,
    keys: [{ key: "ctrl+k ctrl+shift+f", mac: "cmd+k cmd+shift+f", when: inWorkspace }],
  },
  "platformWorkbench.clearSearch": {
    title: "Clear Search Results",
    icon: "$(clear-all)",
    inPalette: "platformWorkbench.searched",
    menus: [{ menu: "view/title", when: "view == platformWorkbench.searchResults", group: "navigation@2" }],
  },
  "platformWorkbench.repeatSearch": {
    title: "Search Again",
    icon: "$(refresh)",
    inPalette: "platformWorkbench.searched",
    menus: [{ menu: "view/title", when: "view == platformWorkbench.searchResults", group: "navigation@1" }],
  },
  "platformWorkbench.openSearchResult": { title: "Open Search Result", inPalette: false },
  "platformWorkbench.openLink": { title: "Open Link…", inPalette: true },
  "platformWorkbench.copyFileLink": {
    title: "Copy Platform Link",
    icon: "$(link)",
    inPalette: inWorkspaceFile,
    menus: [
      explorer("6_copypath@90", onWorkspaceFile),
      { menu: "editor/title/context", when: inWorkspaceFile, group: "1_cutcopypaste@90" },
    ],
  },
  "platformWorkbench.showTenantMenu": { title: "Show Tenant Menu…", inPalette: true },
} as const satisfies CommandDeclarations;
