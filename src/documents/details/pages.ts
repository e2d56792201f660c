import * as vscode from "vscode";
import { getPage } from "../../api/operations/reads.ts";
import type { DetailsReader } from "./details.ts";
import { plainDetails } from "./fields.ts";

/** Reads pages and what belongs to them for their documents. */
export const pageReaders = {
  page: async ({ client, resource }) =>
    plainDetails(vscode.l10n.t("Page"), await client.call(getPage, { id: resource.id })),
} satisfies Record<string, DetailsReader>;
