import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { jupyterKeys } from "../../src/features/kernels/jupyter-keys.ts";
import { type CommandDeclaration, type KeyEntry, withTenant } from "../../src/ui/commands/declaration.ts";
import { submenus } from "../../src/ui/commands/submenus.ts";
import { findFiles } from "../find-files.ts";
import { projectDirectory } from "../set-up/paths.ts";

const category = "Platform";

/** A command's id and its declaration. */
export type DeclaredCommand = readonly [id: string, declaration: CommandDeclaration];

/**
 * The commands of all features, from the features' declarations.ts in the order of their paths. These are plain data
 * and can be read without an editor. Throws for an id that is declared twice.
 */
export async function declaredCommands(): Promise<readonly DeclaredCommand[]> {
  const found = await findFiles(join(projectDirectory, "src", "features"), "declarations.ts");
  const files = found.filter((file) => basename(file) === "declarations.ts");
  const modules: readonly Readonly<Record<string, Readonly<Record<string, CommandDeclaration>>>>[] = await Promise.all(
    files.map((file) => import(pathToFileURL(file).href)),
  );
  const declared = modules.flatMap((module) => Object.values(module).flatMap((commands) => Object.entries(commands)));
  const twice = declared.map(([id]) => id).find((id, index, ids) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`the command ${twice} is declared twice`);
  return declared;
}

interface ManifestCommand {
  readonly command: string;
  readonly title: string;
  readonly category: string;
  readonly icon?: string;
}

type ManifestMenuItem = ({ readonly command: string } | { readonly submenu: string }) & {
  readonly when?: string;
  readonly group?: string;
};

/**
 * The contents of package.json's `contributes.commands`, `contributes.menus`, `contributes.submenus`, and `contributes.keybindings`. `texts`
 * are the messages for package.nls.json, which package.json references as `%key%`.
 */
export function commandContributions(declared: readonly DeclaredCommand[]): {
  readonly contributes: {
    readonly commands: readonly ManifestCommand[];
    readonly menus: Readonly<Record<string, readonly ManifestMenuItem[]>>;
    readonly submenus: readonly { readonly id: string; readonly label: string }[];
    readonly keybindings: readonly (KeyEntry & { readonly command: string })[];
  };
  readonly texts: Readonly<Record<string, string>>;
} {
  const menus: Record<string, ManifestMenuItem[]> = {};
  for (const [command, { menus: entries = [], inPalette }] of declared) {
    for (const { menu, when, group } of entries) {
      menus[menu] = [...(menus[menu] ?? []), { command, when, group }];
    }
    if (inPalette !== "always") {
      const when = inPalette === true ? withTenant : inPalette === false ? "false" : inPalette;
      menus.commandPalette = [...(menus.commandPalette ?? []), { command, when }];
    }
  }
  for (const [submenu, { place }] of Object.entries(submenus)) {
    const { menu, when, group } = place;
    menus[menu] = [...(menus[menu] ?? []), { submenu, when, group }];
  }
  const keyOf = (command: string): string => command.replace(/^platformWorkbench\./, commandKey);
  const submenuKey = (id: string): string => `${keyOf(id)}.submenu`;
  return {
    contributes: {
      commands: declared.map(([command, { icon }]) => ({
        command,
        title: `%${keyOf(command)}%`,
        category: `%${commandKey}category%`,
        ...(icon === undefined ? {} : { icon }),
      })),
      menus,
      submenus: Object.keys(submenus).map((id) => ({ id, label: `%${submenuKey(id)}%` })),
      keybindings: [
        ...declared.flatMap(([command, { keys = [] }]) => keys.map((key) => ({ command, ...key }))),
        ...jupyterKeys,
      ],
    },
    texts: {
      [`${commandKey}category`]: category,
      ...Object.fromEntries(declared.map(([command, { title }]) => [keyOf(command), title])),
      ...Object.fromEntries(Object.entries(submenus).map(([id, { title }]) => [submenuKey(id), title])),
    },
  };
}

/** Prefix of the keys of commands' messages. */
export const commandKey = "command.";
