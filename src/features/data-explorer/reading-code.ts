import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import type { FileAction } from "./messages.ts";

/** Python code that reads a CSV, TSV, or Parquet file. Kernels run in the folder of their notebook. */
export function readingCode(uri: vscode.Uri): string {
  const name = nameOf(addressOf(uri).path);
  // A string of JSON is also one of Python.
  const read = /\.parquet$/i.test(name)
    ? `read_parquet(${JSON.stringify(name)})`
    : `read_csv(${JSON.stringify(name)}${/\.tsv$/i.test(name) ? ', sep="\\t"' : ""})`;
  return `import pandas as pd\n\ndf = pd.${read}\ndf.head()`;
}

/** What can be done with a file that the data explorer can't show. */
export function fileActionsFor(path: string): readonly { readonly action: FileAction; readonly title: string }[] {
  const download =
    vscode.env.uiKind === vscode.UIKind.Web
      ? vscode.l10n.t("Download to the Editor's Server…")
      : vscode.l10n.t("Download to This Computer…");
  return [
    { action: "copyCode", title: vscode.l10n.t("Copy Code") },
    { action: "download", title: download },
    ...(/\.parquet$/i.test(path) ? [] : [{ action: "openText" as const, title: vscode.l10n.t("Open as Text") }]),
  ];
}

export async function runFileAction(action: FileAction, uri: vscode.Uri): Promise<void> {
  switch (action) {
    case "copyCode":
      await vscode.env.clipboard.writeText(readingCode(uri));
      vscode.window.setStatusBarMessage(vscode.l10n.t("Code copied"), shownMs);
      return;
    case "download": {
      const isWeb = vscode.env.uiKind === vscode.UIKind.Web;
      await vscode.commands.executeCommand(
        isWeb ? "platformWorkbench.downloadToServer" : "platformWorkbench.download",
        uri,
      );
      return;
    }
    case "openText":
      await vscode.commands.executeCommand("vscode.openWith", uri, "default");
  }
}

/** Milliseconds for which the confirmation is shown. */
const shownMs = 5_000;
