import * as vscode from "vscode";
import { displayedName, displayedTooltip } from "../../api/displayed-text.ts";
import type { TenantRegistry } from "../../tenants/tenant-registry.ts";
import { absoluteDate, isoDate } from "../format/dates.ts";
import { resourcePage } from "../resources/resource-pages.ts";
import type { TreeRow } from "./definition.ts";

/** The parts of a tree item. */
export interface ItemParts {
  readonly label: string | vscode.TreeItemLabel;
  readonly description?: string | undefined;
  /** A codicon's name. */
  readonly icon: string;
  /** The name of a theme color. */
  readonly color?: string | undefined;
  /** The collapsible state of the row. */
  readonly state?: vscode.TreeItemCollapsibleState;
  /** The context value for menus; the row's type by default. */
  readonly contextValue?: string;
  /** The accessible name, if the editor's combination of label and description is not enough. */
  readonly accessibilityLabel?: string;
}

/** Creates the tree item of a row. */
export function treeItem({ label, icon, color, ...parts }: ItemParts): vscode.TreeItem {
  const item = new vscode.TreeItem(label, parts.state);
  item.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
  if (parts.description !== undefined) {
    item.description = parts.description;
  }
  if (parts.contextValue !== undefined) {
    item.contextValue = parts.contextValue;
  }
  if (parts.accessibilityLabel !== undefined) {
    item.accessibilityInformation = { label: parts.accessibilityLabel };
  }
  return item;
}

/** The content of a row's hover card. */
export interface CardParts {
  readonly name: string;
  readonly description?: string | undefined;
  /** Names and values; lines without a value are left out. */
  readonly lines: readonly (readonly [name: string, value: string | undefined])[];
  /** The page in the browser. */
  readonly page?: string | undefined;
  /** An image as a `data:` address, shown below the name. */
  readonly image?: string | undefined;
}

/** Pixels; leaves room for the card's text. */
const imageWidth = 280;

/** The card of a row. Text from the platform is escaped, because it may contain Markdown. */
export function card({ name, description = "", lines, page, image }: CardParts): vscode.MarkdownString {
  const text = new vscode.MarkdownString("**").appendText(displayedName(name)).appendMarkdown("**\n\n");
  if (description.trim() !== "") {
    text.appendText(displayedTooltip(description.trim())).appendMarkdown("\n\n");
  }
  if (image !== undefined) {
    text.appendMarkdown(`![${vscode.l10n.t("Thumbnail")}](${image}|width=${imageWidth})\n\n`);
  }
  text.appendMarkdown("| | |\n|:--|:--|\n");
  for (const [title, value] of lines) {
    if (value !== undefined && value !== "") {
      text
        .appendMarkdown("| ")
        .appendText(title)
        .appendMarkdown(" | ")
        .appendText(cell(displayedName(value)))
        .appendMarkdown(" |\n");
    }
  }
  if (page !== undefined) {
    const address = vscode.Uri.parse(page, true).toString();
    text.appendMarkdown(`\n[${vscode.l10n.t("Open in Browser")}](${address})`);
  }
  return text;
}

function cell(value: string): string {
  return value.replace(/[|\r\n]+/g, " ");
}

/** A platform time for a card, in full with its zone. */
export function cardDate(value: string | number | null | undefined): string | undefined {
  return absoluteDate(isoDate(value), vscode.env.language);
}

/** The address of the row's page in the browser, if its resource has one. */
export function rowPage(row: TreeRow, registry: Pick<TenantRegistry, "get">): string | undefined {
  const tenant = registry.get(row.tenantId);
  return tenant === undefined || row.resource === undefined ? undefined : resourcePage(tenant, row.resource);
}
