import type * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";

/** Python code that reads a CSV, TSV, or Parquet file. Kernels run in the folder of their notebook. */
export function readingCode(uri: vscode.Uri): string {
  const name = nameOf(addressOf(uri).path);
  // A string of JSON is also one of Python.
  const read = /\.parquet$/i.test(name)
    ? `read_parquet(${JSON.stringify(name)})`
    : `read_csv(${JSON.stringify(name)}${/\.tsv$/i.test(name) ? ', sep="\\t"' : ""})`;
  return `import pandas as pd\n\ndf = pd.${read}\ndf.head()`;
}
