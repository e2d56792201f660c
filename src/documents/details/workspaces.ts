import * as vscode from "vscode";
import { getWorkspace } from "../../api/operations/workspaces.ts";
import type { DetailsReader } from "./details.ts";
import { plainDetails } from "./fields.ts";

/** Reads workspaces for their documents. */
export const workspaceReaders = {
  workspace: async ({ client, resource }) =>
    plainDetails(vscode.l10n.t("Workspace"), await client.call(getWorkspace, { workspaceId: resource.id })),
} satisfies Record<string, DetailsReader>;
