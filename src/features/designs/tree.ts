import * as vscode from "vscode";
import { getDesign, listDesigns, listDesignVersions } from "../../api/catalogue/operations/designs.ts";
import { pageSizeOf } from "../../api/catalogue/paging.ts";
import { cardsOf, versionsOf } from "../../api/families/designs.ts";
import { absoluteDate, isoDate, relativeDate } from "../../ui/format/dates.ts";
import { versionLabel } from "../../ui/format/labels.ts";
import { sizeText } from "../../ui/format/quantities.ts";
import { resourcePage } from "../../ui/resources/resource-pages.ts";
import { card } from "../../ui/tree/card.ts";
import type { Branch, TreeDefinition, TreeParts } from "../../ui/tree/definition.ts";
import { designCard } from "./card.ts";
import { designFileUri } from "./files.ts";
import {
  type DesignRow,
  type DesignTreeRow,
  type DesignVersionRow,
  designCardRow,
  designDescription,
  designOwnerRow,
  designRow,
  fileRows,
  newestFirst,
  partLists,
  versionRow,
} from "./rows.ts";
import { sourceFiles } from "./sources.ts";

const { None, Collapsed } = vscode.TreeItemCollapsibleState;

/** The App Designs view: the tenant's app designs, searched by the server; below each its versions, owners and cards. */
export function designsTree(parts: TreeParts): TreeDefinition<DesignTreeRow> {
  return {
    view: "designs",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its app designs"),
      filterTitle: vscode.l10n.t("Filter App Designs"),
      filterPlaceholder: vscode.l10n.t("Part of a design's name"),
      filtered: (filter) => vscode.l10n.t('App designs with "{0}" in their name', filter),
    },
    top: (tenantId) => ({
      key: "designs",
      pageSize: pageSizeOf(listDesigns),
      words: {
        things: vscode.l10n.t("app designs"),
        empty: vscode.l10n.t("No app designs yet"),
        nothingFits: vscode.l10n.t("No app design has this in its name"),
      },
      read: async ({ client, filter, offset, signal }) => {
        const limit = pageSizeOf(listDesigns);
        const designs = await client.call(listDesigns, { search: filter, limit, offset }, { signal });
        return { rows: designs.map((design) => designRow(tenantId, design)), hasMore: designs.length >= limit };
      },
    }),
    below: (row) => below(row),
    item: (row) => item(row),
    card: (row, signal) => rowCard(parts, row, signal),
    open: (row) =>
      row.type === "designFile"
        ? { command: "vscode.open", title: vscode.l10n.t("Open"), arguments: [designFileUri(row), { preview: true }] }
        : undefined,
  };
}

function below(row: DesignTreeRow): readonly DesignTreeRow[] | Branch<DesignTreeRow> | undefined {
  switch (row.type) {
    case "design":
      return partLists(row);
    case "designVersions":
      return versionsBranch(row.of);
    case "designOwners":
      return ownersBranch(row.of);
    case "designCards":
      return cardsBranch(row.of);
    case "designVersion":
      return filesBranch(row);
    case "designFolder":
      return row.below;
    case "designOwner":
    case "designCard":
    case "designFile":
      return undefined;
  }
}

function versionsBranch(of: DesignRow): Branch<DesignTreeRow> {
  return {
    key: `${of.key}/versions`,
    pageSize: 1000,
    words: { things: vscode.l10n.t("versions"), empty: vscode.l10n.t("No versions yet") },
    read: async ({ client, signal }) => {
      const versions = await client.call(listDesignVersions, { designId: of.design.id }, { signal });
      return { rows: newestFirst(versionsOf(versions)).map((version) => versionRow(of, version)), hasMore: false };
    },
  };
}

function ownersBranch(of: DesignRow): Branch<DesignTreeRow> {
  return {
    key: `${of.key}/owners`,
    pageSize: 1000,
    words: { things: vscode.l10n.t("owners"), empty: vscode.l10n.t("No owners") },
    read: async ({ client, signal }) => {
      const { owners } = await client.call(getDesign, { designId: of.design.id, parts: "owners" }, { signal });
      return { rows: (owners ?? []).map((owner) => designOwnerRow(of, owner)), hasMore: false };
    },
  };
}

function cardsBranch(of: DesignRow): Branch<DesignTreeRow> {
  return {
    key: `${of.key}/cards`,
    pageSize: 1000,
    words: { things: vscode.l10n.t("cards"), empty: vscode.l10n.t("No card shows it") },
    read: async ({ client, signal }) => {
      const design = await client.call(getDesign, { designId: of.design.id, parts: "cards" }, { signal });
      return { rows: cardsOf(design).map((one, index) => designCardRow(of, one, index)), hasMore: false };
    },
  };
}

function filesBranch(row: DesignVersionRow): Branch<DesignTreeRow> {
  return {
    key: `${row.key}/files`,
    pageSize: 20_000,
    words: { things: vscode.l10n.t("files"), empty: vscode.l10n.t("No files") },
    read: async ({ client }) => {
      const { tenantId, designId, version } = row;
      // A draft can have changed since it was looked at.
      const fresh = row.isDraft;
      const files = await sourceFiles(client, { tenantId, designId, version: version.version }, { fresh });
      return { rows: fileRows(row, files), hasMore: false };
    },
  };
}

function item(row: DesignTreeRow): vscode.TreeItem {
  switch (row.type) {
    case "design":
      return designItem(row);
    case "designVersions":
    case "designOwners":
    case "designCards":
      return listItem(row);
    case "designVersion":
      return versionItem(row);
    case "designOwner": {
      const { name, role, email } = row;
      const made = new vscode.TreeItem(name, None);
      made.description = role;
      made.iconPath = new vscode.ThemeIcon("person");
      made.accessibilityInformation = { label: [name, role, email].filter(Boolean).join(", ") };
      return made;
    }
    case "designCard": {
      const made = new vscode.TreeItem(row.title, None);
      made.iconPath = new vscode.ThemeIcon("graph");
      return made;
    }
    case "designFolder": {
      const made = new vscode.TreeItem(row.name, Collapsed);
      made.iconPath = vscode.ThemeIcon.Folder;
      return made;
    }
    case "designFile": {
      const made = new vscode.TreeItem(row.name, None);
      made.resourceUri = designFileUri(row);
      made.iconPath = vscode.ThemeIcon.File;
      made.tooltip = `${row.path} · ${sizeText(row.bytes, vscode.env.language)}`;
      made.accessibilityInformation = { label: `${row.path}, ${sizeText(row.bytes, vscode.env.language)}` };
      return made;
    }
  }
}

function designItem(row: DesignRow): vscode.TreeItem {
  const made = new vscode.TreeItem(row.resource.name, Collapsed);
  made.description = designDescription(row.design, vscode.l10n.t);
  made.iconPath = new vscode.ThemeIcon("symbol-color");
  made.accessibilityInformation = { label: `${row.resource.name}, ${made.description}` };
  return made;
}

const lists = {
  designVersions: { icon: "versions", label: () => vscode.l10n.t("Versions") },
  designOwners: { icon: "organization", label: () => vscode.l10n.t("Owners") },
  designCards: { icon: "graph", label: () => vscode.l10n.t("Cards") },
} as const;

function listItem({ type, count }: DesignTreeRow & { readonly type: keyof typeof lists }): vscode.TreeItem {
  const made = new vscode.TreeItem(lists[type].label(), Collapsed);
  made.iconPath = new vscode.ThemeIcon(lists[type].icon);
  if (count !== undefined) {
    made.description = String(count);
  }
  return made;
}

function versionItem({ resource, version, isDraft, created }: DesignVersionRow): vscode.TreeItem {
  const made = new vscode.TreeItem(versionLabel(version.version), Collapsed);
  const state = isDraft ? vscode.l10n.t("draft") : undefined;
  made.description = [relativeDate(isoDate(created), vscode.env.language), state].filter(Boolean).join(" · ");
  made.iconPath = new vscode.ThemeIcon(isDraft ? "edit" : "tag");
  made.contextValue = isDraft ? "designVersion.draft" : "designVersion.released";
  made.accessibilityInformation = { label: [resource.name, made.description].filter(Boolean).join(", ") };
  return made;
}

async function rowCard(
  { connections, registry }: TreeParts,
  row: DesignTreeRow,
  signal: AbortSignal,
): Promise<vscode.MarkdownString | undefined> {
  const date = (value: string | number | null | undefined): string | undefined =>
    absoluteDate(isoDate(value), vscode.env.language);
  switch (row.type) {
    case "design": {
      const tenant = registry.get(row.tenantId);
      const page = tenant === undefined ? undefined : resourcePage(tenant, row.resource);
      return designCard(row, page, await connections.platform(row.tenantId), signal);
    }
    case "designVersion": {
      const { version, resource, isDraft, created } = row;
      return card({
        name: resource.name,
        lines: [
          [vscode.l10n.t("State"), isDraft ? vscode.l10n.t("draft") : vscode.l10n.t("released")],
          [vscode.l10n.t("Created"), date(created)],
          [vscode.l10n.t("Updated"), date(version.updatedDate)],
          [vscode.l10n.t("Released"), date(version.releasedDate)],
          [vscode.l10n.t("Id"), String(version.id ?? version.version)],
        ],
      });
    }
    case "designOwner":
      return card({
        name: row.name,
        lines: [
          [vscode.l10n.t("Role in the tenant"), row.role],
          [vscode.l10n.t("Address"), row.email],
          [vscode.l10n.t("Id"), row.resource.id],
        ],
      });
    case "designCard":
      return card({ name: row.title, lines: [[vscode.l10n.t("Id"), row.resource?.id]] });
    default:
      return undefined;
  }
}
