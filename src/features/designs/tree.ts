import * as vscode from "vscode";
import { listDesigns } from "../../api/catalogue/operations/designs.ts";
import { pageSizeOf } from "../../api/catalogue/paging.ts";
import type { Branch, TreeDefinition, TreeParts, TreeRow } from "../../ui/tree/definition.ts";
import { rowsOfKinds } from "../../ui/tree/row-kind.ts";
import { designQuery } from "./design-filter.ts";
import { askForDesignFilter, filterMessage } from "./filter-form.ts";
import { card, cardList, design, designRow, owner, ownerList } from "./rows/design.ts";
import { file, folder, version, versionList } from "./rows/version.ts";

const kinds = [design, versionList, version, folder, file, ownerList, owner, cardList, card];

/** The App Designs view: designs, and below each its versions with their files, its owners, and its cards. */
export function designsTree(parts: TreeParts): TreeDefinition<TreeRow> {
  return {
    view: "designs",
    words: {
      signedOut: vscode.l10n.t("Sign in to see its app designs"),
      filterTitle: vscode.l10n.t("Filter App Designs"),
      filterPlaceholder: vscode.l10n.t("Search app designs by name"),
      filtered: filterMessage,
    },
    askForFilter: askForDesignFilter,
    top: designsBranch,
    ...rowsOfKinds(kinds, undefined, parts),
  };
}

/** Reads app designs and their versions for their documents. */
export const designReaders = { design: design.details, designVersion: version.details };

/** The app designs of a tenant, filtered by the server. */
export function designsBranch(tenantId: string): Branch<TreeRow> {
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
      return { rows: designs.map((one) => designRow(tenantId, one)), hasMore: designs.length >= limit };
    },
  };
}
