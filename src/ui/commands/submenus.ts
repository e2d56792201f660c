import { explorer, inWorkspaceFile, type MenuEntry, type SubmenuId } from "./declaration.ts";

/** A menu in another one, with its title and its place there. */
interface Submenu {
  readonly title: string;
  readonly place: MenuEntry;
}

/** The submenus by their ids. Only the manifest needs them. */
export const submenus: Readonly<Record<SubmenuId, Submenu>> = {
  // In a browser, the editor has its own entries for the user's computer, so those for its server are in a second place.
  "platformWorkbench.editorServer": {
    title: "Transfer with the Editor's Server",
    place: explorer("5_transfer@1", `${inWorkspaceFile} && platformWorkbench.inBrowser`),
  },
};
