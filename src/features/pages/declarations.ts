import {
  type CommandDeclarations,
  editor,
  onDocument,
  onRow,
  row,
  title,
  treeDeclarations,
  whileVisible,
} from "../../ui/commands/declaration.ts";

const onPage = onRow("pages", "page");
const onCollections = onRow("pages", "pageCollections");
const onCollection = onRow("pages", "collection");
const onFilterView = onRow("pages", "filterView");
const onSettings = onDocument("filter-view");

export const pagesDeclarations = {
  ...treeDeclarations("Pages", { many: "Pages", one: "Page" }),
  "platformWorkbench.showPageSummary": {
    title: "Show Page Summary…",
    icon: "$(table)",
    inPalette: true,
    menus: [title("1_open@1", "view == platformWorkbench.pages"), row("1_open@1", onPage)],
  },
  "platformWorkbench.createPage": {
    title: "Create Page…",
    icon: "$(add)",
    inPalette: true,
    menus: [title("navigation@0", "view == platformWorkbench.pages"), row("2_change@0", onPage)],
  },
  "platformWorkbench.movePages": {
    title: "Move Page…",
    inPalette: true,
    menus: [row("2_change@1", onPage)],
  },
  "platformWorkbench.movePageUp": {
    title: "Move Page Up",
    icon: "$(arrow-up)",
    inPalette: true,
    menus: [row("2_change@2", onPage)],
  },
  "platformWorkbench.movePageDown": {
    title: "Move Page Down",
    icon: "$(arrow-down)",
    inPalette: true,
    menus: [row("2_change@3", onPage)],
  },
  "platformWorkbench.dropPages": { title: "Drop Pages", inPalette: false },
  "platformWorkbench.duplicatePage": {
    title: "Duplicate Page…",
    icon: "$(copy)",
    inPalette: true,
    menus: [row("2_change@4", onPage)],
  },
  "platformWorkbench.sharePage": {
    title: "Share Page…",
    icon: "$(person-add)",
    inPalette: true,
    menus: [row("2_change@5", onPage)],
  },
  "platformWorkbench.addPageOwners": {
    title: "Add Page Owners…",
    inPalette: true,
    menus: [row("2_change@6", onPage)],
  },
  "platformWorkbench.addPageCollection": {
    title: "Add Page Collection…",
    icon: "$(add)",
    inPalette: whileVisible("pages"),
    menus: [row("inline@1", onCollections), row("2_change@7", onPage), row("2_change@1", onCollections)],
  },
  "platformWorkbench.sendCardAction": {
    title: "Send Card Action…",
    inPalette: true,
    menus: [row("2_change@8", onPage)],
  },
  "platformWorkbench.editAnalyzerSettings": {
    title: "Edit Analyzer Settings…",
    inPalette: true,
    menus: [row("2_change@9", onPage)],
  },
  "platformWorkbench.sendPageSettings": {
    title: "Send Page Settings…",
    icon: "$(cloud-upload)",
    inPalette: onSettings,
    menus: [editor("navigation@1", onSettings)],
    keys: [{ key: "ctrl+s", mac: "cmd+s", when: onSettings }],
  },
  "platformWorkbench.removePageOwners": {
    title: "Remove Page Owners…",
    inPalette: whileVisible("pages"),
    menus: [row("7_delete@1", onPage)],
  },
  "platformWorkbench.removePageSharing": {
    title: "Remove Page Sharing…",
    inPalette: true,
    menus: [row("7_delete@2", onPage)],
  },
  "platformWorkbench.deletePage": {
    title: "Delete Page…",
    icon: "$(trash)",
    inPalette: true,
    menus: [row("7_delete@3", onPage)],
  },
  "platformWorkbench.changePageCollection": {
    title: "Change Page Collection…",
    icon: "$(edit)",
    inPalette: whileVisible("pages"),
    menus: [row("inline@1", onCollection), row("2_change@1", onCollection)],
  },
  "platformWorkbench.removePageCollection": {
    title: "Remove Page Collection…",
    icon: "$(trash)",
    inPalette: whileVisible("pages"),
    menus: [row("7_delete@1", onCollection)],
  },
  "platformWorkbench.showFilterView": { title: "Show Filter View…", inPalette: whileVisible("pages") },
  "platformWorkbench.editFilterView": {
    title: "Edit Filter View…",
    icon: "$(edit)",
    inPalette: whileVisible("pages"),
    menus: [row("inline@1", onFilterView), row("2_change@1", onFilterView)],
  },
  "platformWorkbench.deleteFilterView": {
    title: "Delete Filter View…",
    icon: "$(trash)",
    inPalette: whileVisible("pages"),
    menus: [row("7_delete@1", onFilterView)],
  },
} as const satisfies CommandDeclarations;

export type PagesCommandId = keyof typeof pagesDeclarations;
