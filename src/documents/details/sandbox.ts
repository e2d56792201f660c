import * as vscode from "vscode";
import { getRepository } from "../../api/operations/sandbox.ts";
import type { DetailsReader } from "./details.ts";
import { plainDetails } from "./fields.ts";

/** Reads repositories and their history for their documents. */
export const sandboxReaders = {
  repository: async ({ client, resource }) =>
    plainDetails(vscode.l10n.t("Repository"), await client.call(getRepository, { repositoryId: resource.id })),
} satisfies Record<string, DetailsReader>;
