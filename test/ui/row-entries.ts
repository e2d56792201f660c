import assert from "node:assert/strict";
import type { Context } from "../harness/conditions.ts";
import { expectedTitles, ownAmong } from "../harness/manifest-menus.ts";
import type { TreeRow } from "../harness/workbench/tree.ts";

/** True for entries that are icons of a view's title or of a row. The others are in a menu. */
export const isIcon = (group: string): boolean => group === "inline" || group === "navigation";

/** Asserts that the icons and the context menu of a row have exactly our entries for it. */
export async function assertRowEntries(row: TreeRow, context: Context & { readonly viewItem: string }): Promise<void> {
  const entries = (isWanted: (group: string) => boolean): readonly string[] =>
    expectedTitles("view/item/context", context, isWanted);
  const inMenu = entries((group) => !isIcon(group));
  assert.deepEqual(ownAmong(await row.inlineActions()), entries(isIcon), context.viewItem);
  // A row without entries has no menu.
  assert.deepEqual(inMenu.length === 0 ? [] : await ownInMenu(row), inMenu, context.viewItem);
}

async function ownInMenu(row: TreeRow): Promise<readonly string[]> {
  const menu = await row.openContextMenu();
  const titles = await menu.titles();
  await menu.dismiss();
  return ownAmong(titles);
}
