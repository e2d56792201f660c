import * as vscode from "vscode";
import { getDesign } from "../../api/operations/designs.ts";
import type { DetailsReader } from "./details.ts";
import { plainDetails } from "./fields.ts";

/** Reads app designs for their documents. */
export const designReaders = {
  design: async ({ client, resource }) =>
    plainDetails(vscode.l10n.t("App design"), await client.call(getDesign, { designId: resource.id })),
} satisfies Record<string, DetailsReader>;
