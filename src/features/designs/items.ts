import { LRUCache } from "lru-cache";
import * as vscode from "vscode";
import type { Design } from "../../api/catalogue/models/designs.ts";
import type { AccountValue } from "../../api/client/account-scope.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { readDesignAssets } from "../../api/families/design-assets.ts";
import { causeOf } from "../../api/http/errors.ts";
import { isoDate, relativeDate } from "../../ui/format/dates.ts";
import { versionLabel } from "../../ui/format/labels.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import type { TreeParts } from "../../ui/tree/definition.ts";
import { card, cardDate, rowPage, treeItem } from "../../ui/tree/presentation.ts";
import { designFileUri } from "./files.ts";
import {
  type DesignListRow,
  type DesignRow,
  type DesignTreeRow,
  type DesignVersionRow,
  latestVersionOf,
} from "./rows.ts";

const { Collapsed } = vscode.TreeItemCollapsibleState;

/** The tree item of a row of the App Designs view. */
export function designItem(row: DesignTreeRow): vscode.TreeItem {
  switch (row.type) {
    case "design": {
      const { name } = row.resource;
      const description = descriptionOf(row.design);
      return treeItem({
        label: name,
        description,
        icon: "symbol-color",
        state: Collapsed,
        accessibilityLabel: `${name}, ${description}`,
      });
    }
    case "designVersions":
    case "designOwners":
    case "designCards":
      return listItem(row);
    case "designVersion":
      return versionItem(row);
    case "designOwner": {
      const { name, email } = row;
      return treeItem({
        label: name,
        // The granted permission. The row's card shows the role in the tenant, which is unrelated.
        description: vscode.l10n.t("Admin"),
        icon: "person",
        accessibilityLabel: [name, vscode.l10n.t("Admin"), email].filter(Boolean).join(", "),
      });
    }
    case "designCard":
      return treeItem({ label: row.title, icon: "graph" });
    case "designFolder": {
      const item = new vscode.TreeItem(row.name, Collapsed);
      item.iconPath = vscode.ThemeIcon.Folder;
      return item;
    }
    case "designFile": {
      const size = sizeText(row.bytes, vscode.env.language);
      const item = new vscode.TreeItem(row.name);
      item.resourceUri = designFileUri(row);
      item.iconPath = vscode.ThemeIcon.File;
      item.tooltip = `${row.path} · ${size}`;
      item.accessibilityInformation = { label: `${row.path}, ${size}` };
      return item;
    }
  }
}

/** The description of a design: `v1.4.0 · 2 owners`. */
function descriptionOf(design: Design): string {
  const latest = latestVersionOf(design);
  const owners = design.owners?.length;
  return [
    ...(design.deletedDate === null || design.deletedDate === undefined ? [] : [vscode.l10n.t("deleted")]),
    ...(latest === undefined ? [] : [versionLabel(latest)]),
    ...(owners === undefined ? [] : [owners === 1 ? vscode.l10n.t("1 owner") : vscode.l10n.t("{0} owners", owners)]),
  ].join(" · ");
}

const lists = {
  designVersions: { icon: "versions", label: () => vscode.l10n.t("Versions") },
  designOwners: { icon: "organization", label: () => vscode.l10n.t("Owners") },
  designCards: { icon: "graph", label: () => vscode.l10n.t("Cards") },
} as const;

function listItem({ type, count }: DesignListRow): vscode.TreeItem {
  const { label, icon } = lists[type];
  return treeItem({ label: label(), description: count?.toString(), icon, state: Collapsed });
}

function versionItem({ resource, version, isDraft, created }: DesignVersionRow): vscode.TreeItem {
  const state = isDraft ? vscode.l10n.t("draft") : undefined;
  const age = relativeDate(isoDate(created), vscode.env.language);
  const description = [age, state].filter(Boolean).join(" · ");
  return treeItem({
    label: versionLabel(version.version),
    description,
    icon: isDraft ? "edit" : "tag",
    state: Collapsed,
    contextValue: isDraft ? "designVersion.draft" : "designVersion.released",
    accessibilityLabel: [resource.name, description].filter(Boolean).join(", "),
  });
}

/** The card of a row; undefined if the row already shows everything. */
export async function designCard(
  { connections, registry }: TreeParts,
  row: DesignTreeRow,
  signal: AbortSignal,
): Promise<vscode.MarkdownString | undefined> {
  switch (row.type) {
    case "design":
      return cardWithThumbnail(row, rowPage(row, registry), await connections.platform(row.tenantId), signal);
    case "designVersion": {
      const { version, resource, isDraft, created } = row;
      return card({
        name: resource.name,
        lines: [
          [vscode.l10n.t("State"), isDraft ? vscode.l10n.t("draft") : vscode.l10n.t("released")],
          [vscode.l10n.t("Created"), cardDate(created)],
          [vscode.l10n.t("Updated"), cardDate(version.updatedDate)],
          [vscode.l10n.t("Released"), cardDate(version.releasedDate)],
          [vscode.l10n.t("ID"), String(version.id ?? version.version)],
        ],
      });
    }
    case "designOwner":
      return card({
        name: row.name,
        lines: [
          [vscode.l10n.t("Access"), vscode.l10n.t("Admin")],
          [vscode.l10n.t("Role in the tenant"), row.role],
          [vscode.l10n.t("Email"), row.email],
          [vscode.l10n.t("ID"), row.resource.id],
        ],
      });
    case "designCard":
      return card({ name: row.title, lines: [[vscode.l10n.t("ID"), row.resource?.id]] });
    default:
      return undefined;
  }
}

async function cardWithThumbnail(
  { design, resource }: DesignRow,
  page: string | undefined,
  client: PlatformClient,
  signal: AbortSignal,
): Promise<vscode.MarkdownString> {
  const image = await thumbnailOf(client, design);
  signal.throwIfAborted();
  const owners = (design.owners ?? []).flatMap(({ displayName }) => displayName ?? []);
  return card({
    name: resource.name,
    description: design.description ?? undefined,
    image,
    lines: [
      [vscode.l10n.t("Latest version"), latestVersionOf(design)],
      [vscode.l10n.t("Owners"), owners.join(", ")],
      [vscode.l10n.t("Creator"), design.creator?.displayName ?? undefined],
      [vscode.l10n.t("Updated"), cardDate(design.updatedDate)],
      [vscode.l10n.t("Created"), cardDate(design.createdDate)],
      [vscode.l10n.t("ID"), design.id],
    ],
    page,
  });
}

/** The editor truncates a card after 100,000 characters. */
const maxImageCharacters = 80_000;
const imageTypes: readonly (readonly [type: string, pattern: RegExp])[] = [
  ["image/png", /^iVBORw0KGgo/],
  ["image/jpeg", /^\/9j\//],
  ["image/gif", /^R0lGOD/],
];
/** Limits of a download for a card: 4 MiB. */
const thumbnailLimits = { bytes: 4 * 1024 * 1024, entries: 2000 };
const maxThumbnails = 100;
const thumbnailsOfAccount: AccountValue<LRUCache<string, Promise<string | undefined>>> = {
  create: () => new LRUCache({ max: maxThumbnails }),
};

/** The thumbnail as a `data:` address: from the design's response, or from the latest version's files. */
async function thumbnailOf(client: PlatformClient, design: Design): Promise<string | undefined> {
  const inline = typeof design.thumbnail === "string" ? dataAddress(design.thumbnail) : undefined;
  const version = latestVersionOf(design);
  if (inline !== undefined || design.hasThumbnail !== true || version === undefined) {
    return inline;
  }
  const key = [design.id, version].join("/");
  const thumbnails = client.account.get(thumbnailsOfAccount);
  const thumbnail = thumbnails.get(key) ?? readThumbnail(client, design.id, version, () => thumbnails.delete(key));
  thumbnails.set(key, thumbnail);
  return thumbnail;
}

/**
 * Undefined for a version without a thumbnail or with a large source. After other failures, the next card tries again.
 */
async function readThumbnail(
  client: PlatformClient,
  designId: string,
  version: string,
  onFailure: () => void,
): Promise<string | undefined> {
  const files = await readDesignAssets(client, { designId, version }, thumbnailLimits).catch((error: unknown) => {
    if (causeOf(error)?.type !== "receiver") {
      onFailure();
    }
    return undefined;
  });
  const [, content] = [...(files ?? [])].find(([path]) => /(?:^|\/)thumbnail\.(?:png|jpe?g|gif)$/i.test(path)) ?? [];
  return content === undefined ? undefined : dataAddress(Buffer.from(content).toString("base64"));
}

/** A small image as a `data:` address, from a `data:` address or from Base64. */
function dataAddress(text: string): string | undefined {
  if (text.length > maxImageCharacters) {
    return undefined;
  }
  if (/^data:image\/(?:png|jpeg|gif);base64,[\w+/=]+$/.test(text)) {
    return text;
  }
  const type = imageTypes.find(([, pattern]) => pattern.test(text))?.[0];
  return type === undefined || !/^[\w+/=]+$/.test(text) ? undefined : `data:${type};base64,${text}`;
}
