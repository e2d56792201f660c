import type { CommandDeclaration, KeyEntry } from "./declarations/declaration.ts";
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

/** What the declarations make of package.json's `contributes.commands`, `contributes.menus` and `contributes.keybindings`. */
export function commandContributions(): {
  readonly commands: readonly ManifestCommand[];
  readonly menus: Readonly<Record<string, readonly ManifestMenuItem[]>>;
  readonly keybindings: readonly (KeyEntry & { readonly command: string })[];
} {
  const declared: readonly (readonly [string, CommandDeclaration])[] = Object.entries(commands);
  const menus: Record<string, ManifestMenuItem[]> = {};
  for (const [command, { menus: entries = [], inPalette }] of declared) {
    for (const { menu, when, group } of entries) {
      menus[menu] = [...(menus[menu] ?? []), { command, when, group }];
    }
    if (inPalette !== true) {
      const when = inPalette === false ? "false" : inPalette;
      menus.commandPalette = [...(menus.commandPalette ?? []), { command, when }];
    }
  }
  return {
    commands: declared.map(([command, { title, icon }]) => ({
      command,
      title,
      category,
      ...(icon === undefined ? {} : { icon }),
    })),
    menus,
    keybindings: declared.flatMap(([command, { keys = [] }]) => keys.map((key) => ({ command, ...key }))),
  };
}
