import { type ViewName, viewId } from "../tree/definition.ts";

/** A menu, other than the palette, that contains a command. */
export interface MenuEntry {
  readonly menu:
    | "view/title"
    | "view/item/context"
    | "editor/title"
    | "editor/title/context"
    | "editor/title/run"
    | "editor/context"
    | "explorer/context"
    | SubmenuId
    | "notebook/cell/execute"
    | "notebook/cell/title"
    | "notebook/toolbar"
    | "scm/title";
  readonly when: string;
  /** The editor's group names: `navigation` and `inline` show as an icon. */
  readonly group: string;
}

/** A keyboard shortcut, in the editor's notation. */
export interface KeyEntry {
  readonly key: string;
  readonly mac?: string;
  readonly when: string;
  /** The argument of the command. */
  readonly args?: Readonly<Record<string, string>>;
}

/** A command as used by the manifest, the palette, and the runner. */
export interface CommandDeclaration {
  /** Title Case, verb first; with an ellipsis if the command asks for more. */
  readonly title: string;
  readonly icon?: string;
  /**
   * True to show the command in the palette if there is a tenant; `always` to show it even without one. False for
   * commands that need a row or a click. Any other string is the condition for the palette.
   */
  readonly inPalette: boolean | string;
  readonly menus?: readonly MenuEntry[];
  readonly keys?: readonly KeyEntry[];
}

export type CommandDeclarations = Readonly<Record<`platformWorkbench.${string}`, CommandDeclaration>>;

/** The condition for the title of a view or for all its rows. */
export const inView = (view: ViewName): string => `view == ${viewId(view)}`;

/**
 * The condition for the rows of a view whose type, or type and state, match the pattern: `workspace`,
 * `tenant\\.signedIn`.
 */
export const onRow = (view: ViewName, pattern: string): string => `${inView(view)} && viewItem =~ /^${pattern}\\b/`;

/** The condition for rows with this mark, such as `id` or `page`, in any of our views. */
export const onMarked = (mark: string): string => `view =~ /^platformWorkbench\\./ && viewItem =~ /;${mark}\\b/`;

/** True if there is a tenant, even before the views have counted the tenants. */
export const withTenant = "platformWorkbench.tenants != none";

/**
 * The condition for the palette of commands that are about what a view shows: they refresh or filter it, or change a part
 * of one of its rows. The palette would otherwise list more commands than anybody reads.
 */
export const whileVisible = (view: ViewName): string => `${withTenant} && view.${viewId(view)}.visible`;

/** A file or folder of a workspace: in an editor, a tab, the Explorer, or the palette. */
export const inWorkspaceFile = "resourceScheme == platform-contents";

/** A document from the platform whose kind matches the pattern: in an editor, a tab, or the palette. */
export const onDocument = (kind: string): string =>
  `resourceScheme == platform-documents && resourcePath =~ /^\\/${kind}\\//`;

/** True if the notebook in the active editor uses one of our kernels. */
export const onOurKernel = "notebookKernel =~ /^platform-workbench\\.platform-workbench\\//";

export const title = (group: string, when: string): MenuEntry => ({ menu: "view/title", when, group });
export const row = (group: string, when: string): MenuEntry => ({ menu: "view/item/context", when, group });
export const editor = (group: string, when: string): MenuEntry => ({ menu: "editor/title", when, group });
export const explorer = (group: string, when: string): MenuEntry => ({ menu: "explorer/context", when, group });

export type SubmenuId = "platformWorkbench.editorServer";

export const inEditorServerMenu = (group: string, when: string): MenuEntry => ({
  menu: "platformWorkbench.editorServer",
  when,
  group,
});

/** Ids of the commands that `treeDeclarations` declares. */
export type TreeCommand<Name extends string> =
  | `platformWorkbench.refresh${Name}`
  | `platformWorkbench.filter${Name}`
  | `platformWorkbench.change${Name}Filter`
  | `platformWorkbench.clear${Name}Filter`;

/** The refresh and filter commands of every tree. `words.filter` is as in "Filter <App Designs>". */
export function treeDeclarations<Name extends Capitalize<ViewName>>(
  name: Name,
  words: { readonly many: string; readonly one: string },
): Readonly<Record<TreeCommand<Name>, CommandDeclaration>> {
  const view = name.toLowerCase() as ViewName;
  const filtered = `platformWorkbench.${view}Filtered`;
  const declarations: CommandDeclarations = {
    [`platformWorkbench.refresh${name}`]: {
      title: `Refresh ${words.many}`,
      icon: "$(refresh)",
      inPalette: whileVisible(view),
      menus: [title("navigation@3", inView(view))],
    },
    [`platformWorkbench.filter${name}`]: {
      title: `Filter ${words.many}…`,
      icon: "$(filter)",
      inPalette: whileVisible(view),
      menus: [title("navigation@1", `${inView(view)} && !${filtered}`)],
    },
    [`platformWorkbench.clear${name}Filter`]: {
      title: `Clear ${words.one} Filter`,
      icon: "$(clear-all)",
      inPalette: filtered,
      menus: [title("navigation@2", `${inView(view)} && ${filtered}`)],
    },
    [`platformWorkbench.change${name}Filter`]: {
      title: `Change ${words.one} Filter…`,
      icon: "$(filter-filled)",
      inPalette: false,
      menus: [title("navigation@1", `${inView(view)} && ${filtered}`)],
    },
  };
  return declarations as Readonly<Record<TreeCommand<Name>, CommandDeclaration>>;
}
