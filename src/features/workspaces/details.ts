import * as vscode from "vscode";
import { getWorkspace } from "../../api/catalogue/operations/workspaces.ts";
import type { DetailsReader } from "../../ui/details/details.ts";
import { plainDetails } from "../../ui/details/fields.ts";
import { notebookSettingsReader } from "./instance-settings.ts";

/** Reads workspaces for their documents. */
export const workspaceReaders = {
  workspace: async ({ client, resource }) =>
    plainDetails(vscode.l10n.t("Workspace"), await client.call(getWorkspace, { workspaceId: resource.id })),
  notebookSettings: notebookSettingsReader,
} satisfies Record<string, DetailsReader>;
