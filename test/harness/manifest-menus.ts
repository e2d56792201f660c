import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { applies, type Context } from "./conditions.ts";

const projectDirectory = join(import.meta.dirname, "..", "..");
const menuItem = z.looseObject({
  command: z.optional(z.string()),
  submenu: z.optional(z.string()),
  when: z.optional(z.string()),
  group: z.optional(z.string()),
});
const manifestShape = z.looseObject({
  contributes: z.looseObject({
    commands: z.array(z.looseObject({ command: z.string(), title: z.string(), icon: z.optional(z.string()) })),
    menus: z.record(z.string(), z.array(menuItem)),
    submenus: z.array(z.looseObject({ id: z.string(), label: z.string() })),
  }),
});
const json = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(projectDirectory, name), "utf8"));
const { commands, menus, submenus } = z.parse(manifestShape, await json("package.json")).contributes;

export { menus };

const words = z.parse(z.record(z.string(), z.string()), await json("package.nls.json"));
const wordsOf = (text: string): string => words[text.replaceAll("%", "")] ?? text;
/** The titles of our commands by their ids. */
export const titles = new Map(commands.map(({ command, title }) => [command, wordsOf(title)]));
const submenuTitles = new Map(submenus.map(({ id, label }) => [id, wordsOf(label)]));
export const commandCategory = words["command.category"] ?? "";
const ownTitles = new Set([...titles.values(), ...submenuTitles.values()]);

/** Titles of our entries in a menu, in the editor's order: `navigation` first, then groups by name and their `@order`. */
export function expectedTitles(
  menu: string,
  context: Context,
  isWanted: (group: string) => boolean = () => true,
): readonly string[] {
  return (menus[menu] ?? [])
    .filter(({ when }) => applies(when, context))
    .map(({ command = "", submenu = "", group = "" }) => {
      const [name = "", order = "0"] = group.split("@");
      return {
        title: titles.get(command) ?? submenuTitles.get(submenu) ?? command,
        name,
        order: Number(order),
        isIcon: name === "navigation",
      };
    })
    .filter(({ name }) => isWanted(name))
    .toSorted(
      (a, b) =>
        Number(b.isIcon) - Number(a.isIcon) ||
        a.name.localeCompare(b.name) ||
        a.order - b.order ||
        a.title.localeCompare(b.title),
    )
    .map(({ title }) => title);
}

/** Our entries among the titles that a menu shows, without the keyboard shortcut at the end of an icon's title. */
export function ownAmong(shown: readonly string[]): readonly string[] {
  return shown.map((title) => title.replace(/ \([^)]*\)$/, "")).filter((title) => ownTitles.has(title));
}
