import * as vscode from "vscode";
import { getWorkspace } from "../../api/catalogue/operations/workspaces.ts";
import { workspaceDatasets } from "../../api/families/workspace-data.ts";
import type { DetailSection, DetailsReader, DetailValue } from "../../ui/details/details.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import { workspaceCard, workspaceRow } from "../../ui/resources/workspace-rows.ts";
import { notebookSettingsReader } from "./instance-settings.ts";

/** Reads workspaces for their documents. */
export const workspaceReaders = {
  workspace: async ({ client, resource }) => {
    const workspace = await client.call(getWorkspace, { workspaceId: resource.id });
    const names = await userNames(client, [workspace.owner]);
    const { stateText } = workspaceRow(workspace, false, vscode.l10n.t);
    return {
      kind: vscode.l10n.t("Workspace"),
      description: workspace.description ?? undefined,
      lines: workspaceCard(workspace, stateText, vscode.env.language, vscode.l10n.t, undefined, names),
      sections: [
        ...dataTable(vscode.l10n.t("Input Data"), resource.tenantId, workspace.inputConfiguration),
        ...dataTable(vscode.l10n.t("Output Data"), resource.tenantId, workspace.outputConfiguration),
      ],
      raw: workspace,
    };
  },
  notebookSettings: notebookSettingsReader,
} satisfies Record<string, DetailsReader>;

function dataTable(title: string, tenantId: string, configuration: unknown): readonly DetailSection[] {
  const columns = [vscode.l10n.t("Alias"), vscode.l10n.t("Dataset")];
  const rows = workspaceDatasets(configuration).map(({ alias, datasetId }): readonly (DetailValue | undefined)[] => [
    alias,
    datasetId === undefined
      ? undefined
      : { type: "resource", resource: { type: "dataset", tenantId, id: datasetId, name: alias || datasetId } },
  ]);
  return rows.length === 0 ? [] : [{ type: "table", title, columns, rows, empty: "" }];
}
