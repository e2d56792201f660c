import { type CommandDeclaration, type KeyEntry, withTenant } from "../ui/commands/declaration.ts";
import { category, commands } from "./declarations.ts";

interface ManifestCommand {
  readonly command: string;
  readonly title: string;
  readonly category: string;
  readonly icon?: string;
}

interface ManifestMenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

/**
 * What the declarations make of package.json's `contributes.commands`, `contributes.menus` and `contributes.keybindings`.
 * `texts` are the words that stand there as `%key%`, for package.nls.json.
 */
export function commandContributions(): {
  readonly contributes: {
    readonly commands: readonly ManifestCommand[];
    readonly menus: Readonly<Record<string, readonly ManifestMenuItem[]>>;
    readonly keybindings: readonly (KeyEntry & { readonly command: string })[];
  };
  readonly texts: Readonly<Record<string, string>>;
} {
  const declared: readonly (readonly [string, CommandDeclaration])[] = Object.entries(commands);
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
  const keyOf = (command: string): string => command.replace(/^platformWorkbench\./, commandKey);
  return {
    contributes: {
      commands: declared.map(([command, { icon }]) => ({
        command,
        title: `%${keyOf(command)}%`,
        category: `%${commandKey}category%`,
        ...(icon === undefined ? {} : { icon }),
      })),
      menus,
      keybindings: declared.flatMap(([command, { keys = [] }]) => keys.map((key) => ({ command, ...key }))),
    },
    texts: {
      [`${commandKey}category`]: category,
      ...Object.fromEntries(declared.map(([command, { title }]) => [keyOf(command), title])),
    },
  };
}

/** What the keys of commands' texts begin with. */
export const commandKey = "command.";
