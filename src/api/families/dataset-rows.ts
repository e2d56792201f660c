import type { ResponseOf } from "../catalogue/operation.ts";
import { queryDataset } from "../catalogue/operations/dataset-queries.ts";
import type { CallOptions, PlatformClient } from "../client/client.ts";
import { isRecord } from "../records.ts";

/** Rows of a dataset. A row has a value for each column; the values are JSON values of any kind. */
export interface DatasetRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The maximum number of rows in a preview. */
export const maxPreviewRows = 100;

/** The query for the first rows of a dataset. */
export const previewQuery = `SELECT * FROM table LIMIT ${maxPreviewRows}`;

/** Runs a SQL query on a dataset, in which the dataset is called `table`. The API description has no such operation. */
export async function readDatasetRows(
  client: PlatformClient,
  datasetId: string,
  sql: string,
  options: CallOptions = {},
): Promise<DatasetRows> {
  return rowsOf(await client.call(queryDataset, { datasetId, body: { sql } }, options));
}

/** The rows of a response: columns and lists of values, or a list of objects. */
export function rowsOf(response: ResponseOf<typeof queryDataset>): DatasetRows {
  if (!Array.isArray(response)) {
    const { columns, rows } = response;
    return { columns: (columns ?? []).map(String), rows: rows ?? [] };
  }
  const columns = [...new Set(response.flatMap((row) => Object.keys(row)))];
  return { columns, rows: response.map((row) => columns.map((name) => (Object.hasOwn(row, name) ? row[name] : null))) };
}

/** A value of a row as text; empty for a missing value. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) {
    return "";
  }
  return Array.isArray(value) || isRecord(value) ? JSON.stringify(value) : String(value);
}
