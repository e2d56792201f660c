import * as vscode from "vscode";
import { getDesign, listDesigns, listDesignVersions } from "../../api/catalogue/operations/designs.ts";
import { pageSizeOf } from "../../api/catalogue/paging.ts";
import { cardsOf, versionsOf } from "../../api/families/designs.ts";
import { type Branch, singlePageBranch } from "../../ui/tree/definition.ts";
import { designQuery } from "./design-filter.ts";
import {
  type DesignRow,
  type DesignTreeRow,
  type DesignVersionRow,
  designCardRow,
  designOwnerRow,
  designRow,
  fileRows,
  newestFirst,
  versionRow,
} from "./rows.ts";
import { sourceFiles } from "./sources.ts";

/** The app designs of a tenant, filtered by the server. */
export function designsBranch(tenantId: string): Branch<DesignTreeRow> {
  const limit = pageSizeOf(listDesigns);
  return {
    key: "designs",
    pageSize: limit,
    words: {
      things: vscode.l10n.t("app designs"),
      empty: vscode.l10n.t("No app designs yet"),
      nothingFits: vscode.l10n.t("No app designs match the filter"),
    },
    read: async ({ client, filter, offset, signal }) => {
      const designs = await client.call(listDesigns, { ...designQuery(filter), limit, offset }, { signal });
      return { rows: designs.map((design) => designRow(tenantId, design)), hasMore: designs.length >= limit };
    },
  };
}

export function versionsBranch(of: DesignRow): Branch<DesignTreeRow> {
  return singlePageBranch({
    key: `${of.key}/versions`,
    things: vscode.l10n.t("versions"),
    empty: vscode.l10n.t("No versions yet"),
    read: async ({ client, signal }) => {
      const versions = await client.call(listDesignVersions, { designId: of.design.id }, { signal });
      return newestFirst(versionsOf(versions)).map((version) => versionRow(of, version));
    },
  });
}

export function ownersBranch(of: DesignRow): Branch<DesignTreeRow> {
  return singlePageBranch({
    key: `${of.key}/owners`,
    things: vscode.l10n.t("owners"),
    empty: vscode.l10n.t("No owners"),
    read: async ({ client, signal }) => {
      const { owners } = await client.call(getDesign, { designId: of.design.id, parts: "owners" }, { signal });
      return (owners ?? []).map((owner) => designOwnerRow(of, owner));
    },
  });
}

export function cardsBranch(of: DesignRow): Branch<DesignTreeRow> {
  return singlePageBranch({
    key: `${of.key}/cards`,
    things: vscode.l10n.t("cards"),
    empty: vscode.l10n.t("No cards use this design"),
    read: async ({ client, signal }) => {
      const design = await client.call(getDesign, { designId: of.design.id, parts: "cards" }, { signal });
      return cardsOf(design).map((one, index) => designCardRow(of, one, index));
    },
  });
}

export function filesBranch(row: DesignVersionRow): Branch<DesignTreeRow> {
  return singlePageBranch({
    key: `${row.key}/files`,
    things: vscode.l10n.t("files"),
    empty: vscode.l10n.t("No files"),
    read: async ({ client }) => {
      const { designId, version } = row;
      // A draft may have changed since it was read.
      const fresh = row.isDraft;
      const files = await sourceFiles(client, { designId, version: version.version }, { fresh });
      return fileRows(row, files);
    },
  });
}
