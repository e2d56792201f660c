import * as vscode from "vscode";
import { getDatasetSchema } from "../../api/catalogue/operations/data.ts";
import { queryDataset } from "../../api/catalogue/operations/dataset-queries.ts";
import type { PlatformClient } from "../../api/client/client.ts";
import { isMissingOperation } from "../../api/client/missing-operation.ts";
import {
  cellText,
  type DatasetRows,
  maxPreviewRows,
  previewQuery,
  readDatasetRows,
} from "../../api/families/dataset-rows.ts";
import { shortened } from "../../api/text.ts";
import type { DetailSection, DetailsReader } from "../../ui/details/details.ts";
import { codeOf } from "../../ui/details/values.ts";
import { sentenceWords } from "../../ui/format/labels.ts";

/** The maximum number of columns of a preview, and of characters of a value. */
const maxColumns = 40;
const maxCellLength = 200;

/** Reads datasets and the results of queries for their documents. */
export const datasetReaders = {
  dataset: async ({ client, resource }) => {
    const [schema, found] = await Promise.all([
      client.call(getDatasetSchema, { id: resource.id }),
      firstRows(client, resource.id),
    ]);
    const columns = (schema.tables ?? []).flatMap((table) => table.columns ?? []);
    return {
      kind: vscode.l10n.t("Dataset"),
      lines: [[vscode.l10n.t("ID"), codeOf(resource.id)]],
      sections: [
        ...(found === undefined ? [] : [rowTable(vscode.l10n.t("First Rows"), found)]),
        {
          type: "table",
          title: vscode.l10n.t("Columns"),
          columns: [vscode.l10n.t("Name"), vscode.l10n.t("Type")],
          rows: columns.map(({ name, type }) => [name ?? "", sentenceWords(type ?? "", vscode.l10n.t)]),
          empty: vscode.l10n.t("No columns."),
        },
      ],
      raw: { schema, rows: found },
    };
  },
  datasetQuery: async ({ client, resource }) => {
    const { id: sql, parentId: datasetId = "", tenantId } = resource;
    const found = await readDatasetRows(client, datasetId, sql);
    const dataset = { type: "dataset", tenantId, id: datasetId, name: datasetId } as const;
    return {
      kind: vscode.l10n.t("Query of a dataset"),
      lines: [[vscode.l10n.t("Dataset"), { type: "resource", resource: dataset }]],
      sections: [
        rowTable(vscode.l10n.t("Result"), found),
        { type: "code", title: vscode.l10n.t("Query"), language: "sql", text: sql },
      ],
      raw: found,
    };
  },
} satisfies Record<string, DetailsReader>;

/** The first rows; undefined on a platform that can't query datasets. */
async function firstRows(client: PlatformClient, datasetId: string): Promise<DatasetRows | undefined> {
  try {
    return await readDatasetRows(client, datasetId, previewQuery);
  } catch (error) {
    if (isMissingOperation(queryDataset, error)) {
      return undefined;
    }
    throw error;
  }
}

function rowTable(title: string, { columns, rows }: DatasetRows): DetailSection {
  const shown = columns.slice(0, maxColumns);
  const remarks = [
    rows.length > maxPreviewRows ? vscode.l10n.t("Only the first {0} rows are shown.", maxPreviewRows) : undefined,
    columns.length > maxColumns ? vscode.l10n.t("Only the first {0} columns are shown.", maxColumns) : undefined,
  ].filter((remark) => remark !== undefined);
  return {
    type: "table",
    title,
    columns: shown,
    rows: rows
      .slice(0, maxPreviewRows)
      .map((row) => shown.map((_, index) => shortened(cellText(row[index]), maxCellLength))),
    empty: vscode.l10n.t("No rows."),
    ...(remarks.length === 0 ? {} : { remark: remarks.join(" ") }),
  };
}
