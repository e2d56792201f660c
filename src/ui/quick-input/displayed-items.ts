import type * as vscode from "vscode";
import { nameWithoutIcons } from "../../api/displayed-text.ts";

/**
 * The item as a quick pick shows it. Its texts can contain names from a server, which must not become icons, change how
 * the list reads, or delay the window. Icons of the extension are in `iconPath`. All quick picks get these items.
 */
export function displayedItem<Item extends vscode.QuickPickItem>(item: Item): Item {
  const { label, description, detail } = item;
  return {
    ...item,
    label: nameWithoutIcons(label),
    ...(description === undefined ? {} : { description: nameWithoutIcons(description) }),
    ...(detail === undefined ? {} : { detail: nameWithoutIcons(detail) }),
  };
}
