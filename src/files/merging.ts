import * as vscode from "vscode";
import { addressOf } from "./address.ts";
import { documentAt } from "./editor-documents.ts";
import { type MergeOutcome, mergeNotebooks } from "./merge-notebook.ts";
import { mergeTexts } from "./merge-text.ts";
import type { PlatformFileSystem } from "./platform-file-system.ts";
import { serverVersionOf, snapshotOf } from "./server-version.ts";

/** Opens what the server has beside what the editor has: text or notebook, in the editor's own diff editor. */
export async function compareWithServer(uri: vscode.Uri): Promise<void> {
  const title = vscode.l10n.t("{0}: the server's ↔ yours", nameIn(uri));
  await vscode.commands.executeCommand("vscode.diff", serverVersionOf(uri), uri, title);
}

/**
 * Merges the server's version into the unsaved changes of the editor: from the version that the editor's copy came from,
 * for a notebook cell by cell. The result stays in the editor, unsaved, and can be undone; what both sides changed opens
 * in the editor's merge editor, in a notebook it stands between conflict markers. A save may replace the version that was
 * merged, and no newer one.
 */
export async function mergeWithServer(files: PlatformFileSystem, uri: vscode.Uri): Promise<void> {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const { reading, versions } = files.workspace(tenantId, workspaceId);
  const name = nameIn(uri);
  const document = documentAt(uri.authority, path);
  if (document === undefined) {
    throw new Error(vscode.l10n.t("{0} is not open. Open it, then try again.", name));
  }
  const base = versions.baseContent(path);
  const { bytes, version } = await reading.peekVersion(path);
  if (base === undefined) {
    await compareWithServer(uri);
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "{0} cannot be merged: the version that you began with is not known any more. Both are shown side by side.",
        name,
      ),
    );
    return;
  }
  const labels = { ours: vscode.l10n.t("Yours"), theirs: vscode.l10n.t("The server's") };
  const sides = { base: snapshotOf(uri, base), theirs: snapshotOf(uri, bytes) };
  const outcome = await ("cellCount" in document
    ? mergeNotebooks(
        await vscode.workspace.openNotebookDocument(sides.base),
        document,
        await vscode.workspace.openNotebookDocument(sides.theirs),
        labels,
      )
    : mergeText(document, sides, labels));
  if (outcome === undefined) {
    throw new Error(vscode.l10n.t("{0} was edited while it was merged. Nothing was changed; merge again.", name));
  }
  versions.rebase(path, version, bytes);
  if ("cellCount" in document || outcome.conflicts === 0) {
    const title = vscode.l10n.t("{0}: the server's ↔ merged", name);
    await vscode.commands.executeCommand("vscode.diff", sides.theirs, uri, title);
  }
  void tell(name, outcome);
}

async function mergeText(
  document: vscode.TextDocument,
  sides: { readonly base: vscode.Uri; readonly theirs: vscode.Uri },
  labels: { readonly ours: string; readonly theirs: string },
): Promise<MergeOutcome | undefined> {
  const base = await vscode.workspace.openTextDocument(sides.base);
  const theirs = await vscode.workspace.openTextDocument(sides.theirs);
  const { version } = document;
  const ours = document.getText();
  const merged = mergeTexts(base.getText(), ours, theirs.getText(), labels);
  if (merged.text !== ours) {
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
    edit.replace(document.uri, whole, merged.text);
    if (document.version !== version || !(await vscode.workspace.applyEdit(edit))) {
      return undefined;
    }
  }
  if (merged.conflicts > 0) {
    const yours = snapshotOf(document.uri, await vscode.workspace.encode(ours, { uri: document.uri }));
    await vscode.commands.executeCommand("_open.mergeEditor", {
      base: sides.base,
      input1: { uri: sides.theirs, title: labels.theirs },
      input2: { uri: yours, title: labels.ours },
      output: document.uri,
    });
  }
  return { conflicts: merged.conflicts, kept: 0 };
}

async function tell(name: string, { conflicts, kept }: MergeOutcome): Promise<void> {
  const parts = [
    conflicts === 0
      ? vscode.l10n.t("{0} has the server's changes and yours. Save it to put both on the server.", name)
      : conflicts === 1
        ? vscode.l10n.t("{0} is merged but for one place that both changed. Settle it, then save.", name)
        : vscode.l10n.t("{0} is merged but for {1} places that both changed. Settle them, then save.", name, conflicts),
    kept === 0 ? "" : vscode.l10n.t("Cells that one side deleted and the other changed were kept."),
  ];
  const text = parts.filter((part) => part !== "").join(" ");
  await (conflicts === 0 ? vscode.window.showInformationMessage(text) : vscode.window.showWarningMessage(text));
}

function nameIn(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}
