import * as z from "zod/mini";

const entries = z.array(z.looseObject({ command: z.optional(z.string()) }));
const manifestShape = z.looseObject({
  contributes: z.looseObject({
    menus: z.looseObject({ "view/item/context": entries, "view/title": entries }),
  }),
});

/**
 * True if a row's menu ran this command, but the editor no longer knows the row, or a selected one, because its view is
 * being drawn again. `values` are the command's arguments: a row's menu passes the row and the selection, and the palette
 * passes nothing. The title of a view passes its focused row in the same way, or nothing if no row has the focus, so this
 * can't tell for a command that is in both menus.
 */
export function isRowLost(commandId: string, values: readonly unknown[], manifest: unknown): boolean {
  const [row, selection] = values;
  const selected: readonly unknown[] = Array.isArray(selection) ? selection : [];
  if (values.length < 2 || ![row, ...selected].includes(undefined)) {
    return false;
  }
  const { menus } = z.parse(manifestShape, manifest).contributes;
  const isIn = (menu: "view/item/context" | "view/title"): boolean =>
    menus[menu].some(({ command }) => command === commandId);
  return isIn("view/item/context") && !isIn("view/title");
}
