import type { CommandDeclarations } from "../../ui/commands/declaration.ts";

const inWorkspace =
  "resourceScheme == platform-contents || workspaceFolderCount > 0 && virtualWorkspace == platform-contents";

/** A window with folders of workspaces alone, where the editor's own shortcuts find nothing; a setting gives them back. */
const inPlaceOfEditor =
  "workspaceFolderCount > 0 && virtualWorkspace == platform-contents && config.platformWorkbench.search.useEditorShortcuts && !inQuickOpen";

/** Finding files and text on a content server, where the editor's own search does not reach. */
export const remoteSearchDeclarations = {
  "platformWorkbench.goToFile": {
    title: "Go to Remote File…",
    icon: "$(go-to-file)",
    inPalette: true,
    keys: [
      { key: "ctrl+k ctrl+y", mac: "cmd+k cmd+y", when: inWorkspace },
      { key: "ctrl+p", mac: "cmd+p", when: inPlaceOfEditor },
    ],
  },
  "platformWorkbench.searchInWorkspace": {
    title: "Search in Workspace…",
    icon: "$(search)",
    inPalette: true,
    keys: [
      { key: "ctrl+k ctrl+shift+f", mac: "cmd+k cmd+shift+f", when: inWorkspace },
      { key: "ctrl+shift+f", mac: "cmd+shift+f", when: inPlaceOfEditor },
    ],
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
} as const satisfies CommandDeclarations;

export type RemoteSearchCommandId = keyof typeof remoteSearchDeclarations;
