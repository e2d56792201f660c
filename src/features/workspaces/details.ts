import * as vscode from "vscode";
import * as z from "zod/mini";
import { getWorkspace } from "../../api/catalogue/operations/workspaces.ts";
import type { DetailSection, DetailsReader } from "../../ui/details/details.ts";
import { codeOf } from "../../ui/details/values.ts";
import { userNames } from "../../ui/resources/user-names.ts";
import { workspaceCard, workspaceRow } from "../../ui/resources/workspace-rows.ts";
import { notebookSettingsReader } from "./instance-settings.ts";

const text = z.nullish(z.string());

const dataset = { dataSourceId: z.nullish(z.union([z.string(), z.number()])) };

/**
 * Data that notebooks read or write by an alias: a list, or an object with the aliases as keys. The API description does
 * not specify more.
 */
const boundData = z.array(z.looseObject({ alias: text, ...dataset }));
const dataByAlias = z.record(z.string(), z.looseObject(dataset));

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
        ...dataTable(vscode.l10n.t("Input Data"), workspace.inputConfiguration),
        ...dataTable(vscode.l10n.t("Output Data"), workspace.outputConfiguration),
      ],
      raw: workspace,
    };
  },
  notebookSettings: notebookSettingsReader,
} satisfies Record<string, DetailsReader>;

function dataTable(title: string, configuration: unknown): readonly DetailSection[] {
  const { data: byAlias = {} } = z.safeParse(dataByAlias, configuration);
  const listed = Object.entries(byAlias).map(([alias, bound]) => ({ ...bound, alias }));
  const { data: bound = listed } = z.safeParse(boundData, configuration);
  const columns = [vscode.l10n.t("Alias"), vscode.l10n.t("Dataset")];
  const rows = bound.map(({ alias, dataSourceId }) => [
    alias ?? "",
    dataSourceId === null || dataSourceId === undefined ? undefined : codeOf(String(dataSourceId)),
  ]);
  return rows.length === 0 ? [] : [{ type: "table", title, columns, rows, empty: "" }];
}
