import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { errorText } from "../../tenants/error-text.ts";
import { addressOf, siblingUri } from "../../tenants/workspace-uri.ts";
import type { ConflictError } from "../errors.ts";
import { documentAt, type OpenEditors, saveEditor } from "../session/open-documents.ts";
import type { ContentVersion } from "../versions/content-version.ts";
import type { EditorVersions } from "../versions/editor-versions.ts";
import { type MergeOutcome, mergeNotebooks } from "./merge-notebook.ts";
import { mergeResultOf } from "./merge-results.ts";
import { mergeTexts } from "./merge-text.ts";
import { serverVersionOf, snapshotOf } from "./server-version.ts";
import { askBeforeSaving, askToSaveUnresolved } from "./unresolved-conflicts.ts";

/** Opens what the server has beside what the editor has: text or notebook, in the editor's own diff editor. */
export async function compareWithServer(uri: vscode.Uri): Promise<void> {
  const title = vscode.l10n.t("{0}: Server ↔ Yours", nameIn(uri));
  await vscode.commands.executeCommand("vscode.diff", serverVersionOf(uri), uri, title);
}

/** The files whose conflicts with the server are resolved. */
export interface ConflictFiles {
  workspace(
    tenantId: string,
    workspaceId: string,
  ): {
    readonly contents: {
      peek(path: string): Promise<{ readonly bytes: Uint8Array; readonly version: ContentVersion }>;
    };
    readonly versions: Pick<EditorVersions, "rebase">;
    readonly editors: Pick<OpenEditors, "isDirty">;
    /** Keeps the server's version before it is replaced. */
    readonly beforeReplacing: (path: string, server: ContentVersion) => Promise<void>;
  };
  /** The bytes of the version that the editor's copy of a file came from, where they are known. */
  baseOf(uri: vscode.Uri): Promise<Uint8Array | undefined>;
}

/** One merge: what it is of, and what is to be done with it. */
interface Merge {
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly labels: { readonly ours: string; readonly theirs: string };
  /** Read-only documents of the version that the editor's copy came from, and of the server's. */
  readonly base: vscode.Uri;
  readonly theirs: vscode.Uri;
  /** The editor has the server's changes too: a save may replace that version, and no newer one. */
  readonly taken: () => void;
}

/**
 * Merges the server's version into the unsaved changes of the editor: from the version that the editor's copy came from,
 * for a notebook cell by cell. The result stays in the editor, unsaved, and can be undone. Where both changed the same
 * lines, a text opens in the editor's merge editor, whose result comes into the file when it is saved; in a notebook both
 * stand in the cell between conflict markers.
 */
export async function mergeWithServer(files: ConflictFiles, uri: vscode.Uri): Promise<void> {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const { contents, versions } = files.workspace(tenantId, workspaceId);
  const name = nameIn(uri);
  const document = documentAt(uri.authority, path);
  if (document === undefined) {
    throw new Error(vscode.l10n.t("{0} is not open. Open it, then try again.", name));
  }
  const base = await files.baseOf(uri);
  if (base === undefined) {
    await compareWithServer(uri);
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "Can't merge {0}: the version that you started from is no longer available. Both versions are shown side by side.",
        name,
      ),
    );
    return;
  }
  const { bytes, version } = await contents.peek(path);
  const merge: Merge = {
    name,
    uri,
    base: snapshotOf(uri, base),
    theirs: snapshotOf(uri, bytes),
    labels: { ours: vscode.l10n.t("Yours"), theirs: vscode.l10n.t("Server") },
    taken: () => versions.rebase(path, version, bytes),
  };
  await ("cellCount" in document ? mergeNotebook(merge, document) : mergeText(merge, document));
}

async function mergeNotebook(merge: Merge, document: vscode.NotebookDocument): Promise<void> {
  const outcome = await mergeNotebooks(
    await vscode.workspace.openNotebookDocument(merge.base),
    document,
    await vscode.workspace.openNotebookDocument(merge.theirs),
    merge.labels,
  );
  if (outcome === undefined) {
    throw editedMeanwhile(merge);
  }
  merge.taken();
  if (outcome.conflicts > 0) {
    askBeforeSaving(document, merge.name, merge.labels);
  }
  await showMerged(merge);
  void tell(merge, outcome);
}

async function mergeText(merge: Merge, document: vscode.TextDocument): Promise<void> {
  const base = await vscode.workspace.openTextDocument(merge.base);
  const theirs = await vscode.workspace.openTextDocument(merge.theirs);
  const ours = document.getText();
  const { text, conflicts, unresolvedIn } = mergeTexts(base.getText(), ours, theirs.getText(), merge.labels);
  let taken: string | undefined;
  const take = async (merged: string): Promise<void> => {
    if (document.isClosed || document.getText() !== (taken ?? ours) || !(await replaceText(document, merged))) {
      throw editedMeanwhile(merge);
    }
    if (taken === undefined) {
      merge.taken();
    }
    taken = document.getText();
  };
  if (conflicts === 0) {
    await take(text);
    await showMerged(merge);
  } else {
    const encode = (content: string): Thenable<Uint8Array> => vscode.workspace.encode(content, { uri: document.uri });
    await vscode.commands.executeCommand("_open.mergeEditor", {
      base: merge.base,
      input1: { uri: merge.theirs, title: merge.labels.theirs },
      input2: { uri: snapshotOf(merge.uri, await encode(ours)), title: merge.labels.ours },
      // With the markers in it, the merge editor begins with what could be merged.
      output: mergeResultOf(merge.uri, await encode(text), async (bytes) => {
        const result = await vscode.workspace.decode(bytes, { uri: document.uri });
        const unresolved = unresolvedIn(result);
        if (unresolved > 0) {
          await askToSaveUnresolved(merge.name, unresolved);
        }
        await take(result);
        await document.save();
      }),
    });
  }
  void tell(merge, { conflicts, kept: 0 });
}

async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  if (document.getText() === text) {
    return true;
  }
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end);
  edit.replace(document.uri, whole, text);
  return vscode.workspace.applyEdit(edit);
}

async function showMerged({ name, theirs, uri }: Merge): Promise<void> {
  await vscode.commands.executeCommand("vscode.diff", theirs, uri, vscode.l10n.t("{0}: Server ↔ Merged", name));
}

function editedMeanwhile({ name }: Merge): Error {
  return new Error(vscode.l10n.t("{0} was edited during the merge. Nothing was changed. Merge again.", name));
}

async function tell({ name }: Merge, { conflicts, kept }: MergeOutcome): Promise<void> {
  const parts = [
    conflicts === 0
      ? vscode.l10n.t("Merged {0}. Save it to upload both the server's changes and yours.", name)
      : conflicts === 1
        ? vscode.l10n.t("1 conflict left in {0}. Resolve it, then save.", name)
        : vscode.l10n.t("{0} conflicts left in {1}. Resolve them, then save.", conflicts, name),
    kept === 0 ? "" : vscode.l10n.t("Cells that one side deleted and the other changed were kept."),
  ];
  const text = parts.filter((part) => part !== "").join(" ");
  await (conflicts === 0 ? vscode.window.showInformationMessage(text) : vscode.window.showWarningMessage(text));
}

function nameIn(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}

/**
 * Asks what to do about a save that found another version on the server. Where the editor detects that itself, its
 * own dialog comes first; this one covers the versions that it cannot detect.
 */
export async function resolveConflict(files: ConflictFiles, uri: vscode.Uri, conflict: ConflictError): Promise<void> {
  const { path } = addressOf(uri);
  const name = nameOf(path);
  const merge = vscode.l10n.t("Merge");
  const compare = vscode.l10n.t("Compare");
  const overwrite = vscode.l10n.t("Overwrite");
  const takeTheirs = vscode.l10n.t("Accept Server");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("{0} was changed on the server since you opened it. Nothing was overwritten.", name),
    merge,
    compare,
    overwrite,
    takeTheirs,
  );
  try {
    if (chosen === merge) {
      await mergeWithServer(files, uri);
    } else if (chosen === compare) {
      await compareWithServer(uri);
      await resolveConflict(files, uri, conflict);
    } else if (chosen === overwrite) {
      await overwriteServer(files, uri, conflict);
    } else if (chosen === takeTheirs) {
      await vscode.commands.executeCommand("vscode.open", siblingUri(uri, path));
      await vscode.commands.executeCommand("workbench.action.files.revert");
    }
  } catch (error) {
    void vscode.window.showErrorMessage(errorText(error));
  }
}

/** Replaces the version that the person was shown, and no newer one; it is kept as a checkpoint before. */
async function overwriteServer(files: ConflictFiles, uri: vscode.Uri, { server }: ConflictError): Promise<void> {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const { editors, versions, beforeReplacing } = files.workspace(tenantId, workspaceId);
  if (!editors.isDirty(path)) {
    throw new Error(vscode.l10n.t("{0} no longer has unsaved changes. Nothing was overwritten.", path));
  }
  await beforeReplacing(path, server);
  versions.rebase(path, server);
  await saveEditor(uri.authority, path);
}
