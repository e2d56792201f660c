import { type CommandDeclarations, explorer, inWorkspaceFile, onRow, row } from "../../ui/commands/declaration.ts";

const inWorkspace =
  "resourceScheme == platform-contents || workspaceFolderCount > 0 && virtualWorkspace == platform-contents";

/**
 * True in windows in which all folders are workspaces, where the editor's own shortcuts find nothing. A setting
 * restores these shortcuts.
 */
const inPlaceOfEditor =
  "workspaceFolderCount > 0 && virtualWorkspace == platform-contents && config.platformWorkbench.search.useEditorShortcuts && !inQuickOpen";

const searched = "platformWorkbench.searched";
const onFolder = `${inWorkspaceFile} && explorerResourceIsFolder`;
const onWorkspace = onRow("workspaces", "workspace");
const onResults = "view == platformWorkbench.searchResults";
/** The panel is open and shows the results. */
const inPanel = "activePanel == workbench.view.extension.platformWorkbenchSearch";
/** The user has moved the results, or the panel shows something else. */
const elsewhere = "activePanel != workbench.view.extension.platformWorkbenchSearch";

/** Commands that find files and text on a content server, which the editor's own search does not support. */
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
    menus: [explorer("4_search@1", onFolder), row("1_open@6", onWorkspace)],
    keys: [
      { key: "ctrl+k ctrl+shift+f", mac: "cmd+k cmd+shift+f", when: inWorkspace },
      { key: "ctrl+shift+f", mac: "cmd+shift+f", when: inPlaceOfEditor },
    ],
  },
  "platformWorkbench.replaceInWorkspace": {
    title: "Replace in Workspace…",
    icon: "$(replace-all)",
    inPalette: true,
    menus: [explorer("4_search@2", onFolder), row("1_open@7", onWorkspace)],
    keys: [
      { key: "ctrl+k ctrl+shift+h", mac: "cmd+k cmd+shift+h", when: inWorkspace },
      { key: "ctrl+shift+h", mac: "cmd+shift+h", when: inPlaceOfEditor },
    ],
  },
  "platformWorkbench.replaceSearchResults": {
    title: "Replace Search Results…",
    icon: "$(replace-all)",
    inPalette: searched,
    menus: [{ menu: "view/title", when: onResults, group: "navigation@0" }],
  },
  // The editor's Search view has no place for a text, so the action in its title says what the view leaves out.
  "platformWorkbench.searchAllFiles": {
    title: "Search All Files of the Workspace, Not Only Open Ones…",
    icon: "$(search-fuzzy)",
    inPalette: false,
    menus: [
      {
        menu: "view/title",
        when: "view == workbench.view.search && virtualWorkspace == platform-contents",
        group: "navigation@0",
      },
    ],
  },
  "platformWorkbench.clearSearch": {
    title: "Clear Search Results",
    icon: "$(clear-all)",
    inPalette: `${searched} && ${elsewhere}`,
    menus: [{ menu: "view/title", when: `${onResults} && ${elsewhere}`, group: "navigation@2" }],
  },
  // Conditions can check the location of a view, but handlers can't.
  "platformWorkbench.clearSearchInPanel": {
    title: "Clear Search Results",
    icon: "$(clear-all)",
    inPalette: `${searched} && ${inPanel}`,
    menus: [{ menu: "view/title", when: `${onResults} && ${inPanel}`, group: "navigation@2" }],
  },
  "platformWorkbench.repeatSearch": {
    title: "Search Again",
    icon: "$(refresh)",
    inPalette: searched,
    menus: [{ menu: "view/title", when: onResults, group: "navigation@1" }],
  },
  "platformWorkbench.openSearchResult": { title: "Open Search Result", inPalette: false },
} as const satisfies CommandDeclarations;

export type RemoteSearchCommandId = keyof typeof remoteSearchDeclarations;
