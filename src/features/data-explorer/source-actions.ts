import * as vscode from "vscode";
import { uriOf } from "../../tenants/workspace-uri.ts";
import type { FrameSubject, SourceAction } from "./messages.ts";
import { readingCode } from "./reading-code.ts";

/** Milliseconds for which the confirmation is shown. */
const shownMs = 5_000;

/** What can be done if the file or the variable can't be shown. */
export function sourceActionsFor(subject: FrameSubject): { readonly action: SourceAction; readonly title: string }[] {
  if (subject.type === "expression") {
    return [{ action: "openNotebook", title: vscode.l10n.t("Open Notebook") }];
  }
  const download = isWeb()
    ? vscode.l10n.t("Download to the Editor's Server…")
    : vscode.l10n.t("Download to This Computer…");
  return [
    { action: "copyCode", title: vscode.l10n.t("Copy Code") },
    { action: "download", title: download },
    ...(/\.parquet$/i.test(subject.path)
      ? []
      : [{ action: "openText" as const, title: vscode.l10n.t("Open as Text") }]),
  ];
}

export async function runSourceAction(action: SourceAction, subject: FrameSubject): Promise<void> {
  if (subject.type === "expression") {
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.parse(subject.notebook));
    await vscode.window.showNotebookDocument(notebook);
    return;
  }
  const uri = uriOf(subject.tenantId, subject.workspaceId, subject.path);
  switch (action) {
    case "copyCode":
      await vscode.env.clipboard.writeText(readingCode(uri));
      vscode.window.setStatusBarMessage(vscode.l10n.t("Code copied"), shownMs);
      return;
    case "download":
      await vscode.commands.executeCommand(
        isWeb() ? "platformWorkbench.downloadToServer" : "platformWorkbench.download",
        uri,
      );
      return;
    case "openText":
      await vscode.commands.executeCommand("vscode.openWith", uri, "default");
      return;
    case "openNotebook":
  }
}

function isWeb(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Web;
}
