import * as vscode from "vscode";
import { notebookProblemOf } from "../../api/content-server/notebook-problem.ts";
import { isSameContent } from "../../api/content-server/write-verification.ts";
import { showInformation, showWarning } from "../../tenants/messages.ts";
import { addressOf } from "../../tenants/workspace-uri.ts";
import type { MetadataReader } from "../read/directory-reader.ts";
import { unmergeable } from "../read/notebook-messages.ts";
import { contentKeys, documentAt, saveEditor } from "../session/editor-documents.ts";
import { kindOf, type OpenEditors } from "../session/open-documents.ts";
import { type ContentVersion, isSameVersion, versionOf } from "../versions/content-version.ts";
import type { ContentKeys } from "../versions/editor-copy.ts";
import type { CopyKind, EditorVersions } from "../versions/editor-versions.ts";
import type { UnconfirmedSaves } from "../write/unconfirmed-saves.ts";
import { inKeyOrderOf } from "./key-order.ts";
import { type MergeOutcome, mergeNotebooks } from "./merge-notebook.ts";
import { mergeResultOf } from "./merge-results.ts";
import { type MergedText, mergeTexts } from "./merge-text.ts";
import { serverVersionOf, snapshotOf } from "./server-version.ts";
import { askBeforeSaving, askOnSave, askToSaveUnresolved } from "./unresolved-conflicts.ts";

/** Compares the server's version with the editor's in the diff editor, for text files and notebooks. */
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
    readonly metadata: Pick<MetadataReader, "statContent">;
    readonly versions: Pick<EditorVersions, "base" | "createAgain" | "merged" | "rebase">;
    readonly unconfirmed: Pick<UnconfirmedSaves, "sentFrom">;
    readonly editors: Pick<OpenEditors, "isDirty">;
    /** Saves the server's version before it is replaced. */
    readonly beforeReplacing: (path: string, server: ContentVersion) => Promise<void>;
  };
  /** The bytes of the version that an editor's copy is based on; undefined if they are unknown. */
  baseOf(uri: vscode.Uri, kind: CopyKind): Promise<Uint8Array | undefined>;
}

/** A merge of one file. */
interface Merge {
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly labels: { readonly ours: string; readonly theirs: string };
  /** URIs of read-only documents: the version that the editor's copy is based on, and the server's version. */
  readonly base: vscode.Uri;
  readonly theirs: vscode.Uri;
  /**
   * Called when the editor has the server's changes. A save of this content can then replace that version, but not a
   * newer one. `before` has the keys of the content before the merge, to which the user can return.
   */
  readonly applied: (before: ContentKeys) => void;
}

/**
 * Merges the server's version into the editor's unsaved changes, based on their common version; for a notebook, cell by
 * cell. The result stays in the editor, unsaved, and can be undone. If both changed the same lines, a text file opens
 * in the merge editor, whose result is written to the file when it is saved. In a notebook, the cell contains both
 * versions between conflict markers.
 */
export async function mergeWithServer(files: ConflictFiles, uri: vscode.Uri): Promise<void> {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const { contents, unconfirmed, versions } = files.workspace(tenantId, workspaceId);
  const name = nameIn(uri);
  const document = documentAt(uri.authority, path);
  if (document === undefined) {
    throw new Error(vscode.l10n.t("{0} isn't open. Open it, then try again.", name));
  }
  const kind = kindOf(document);
  const base = await files.baseOf(uri, kind);
  if (base === undefined) {
    await compareWithServer(uri);
    void showWarning(
      vscode.l10n.t(
        "Can't merge {0}: the version that you started from is no longer available. Both versions are shown side by side.",
        name,
      ),
    );
    return;
  }
  const { bytes, version } = await contents.peek(path);
  const isOnServer = (content: Uint8Array): boolean =>
    kind === "notebook" ? isSameContent(path, bytes, content) : Buffer.compare(bytes, content) === 0;
  const sent = unconfirmed.sentFrom(path, kind, versions.base(path, kind));
  const isSent = sent !== undefined && isOnServer(sent);
  if (isSent || isOnServer(base)) {
    // The same content can have a newer date, which would block a save.
    versions.rebase(path, version, bytes, kind);
    void showInformation(
      isSent
        ? vscode.l10n.t("The server has what you last saved in {0}. There is nothing to merge.", name)
        : vscode.l10n.t("{0} hasn't changed on the server since you opened it. There is nothing to merge.", name),
    );
    return;
  }
  const problem = kind === "notebook" ? notebookProblemOf(bytes) : undefined;
  if (problem !== undefined) {
    throw unmergeable(name, problem);
  }
  const merge: Merge = {
    name,
    uri,
    base: snapshotOf(uri, base),
    theirs: snapshotOf(uri, kind === "notebook" ? inKeyOrderOf(base, bytes) : bytes),
    labels: { ours: vscode.l10n.t("Yours"), theirs: vscode.l10n.t("Server") },
    applied: (before) => {
      versions.merged(path, version, { from: before, to: contentKeys(document), bytes }, kind);
    },
  };
  await ("cellCount" in document ? mergeNotebook(merge, document) : mergeText(merge, document));
}

async function mergeNotebook(merge: Merge, document: vscode.NotebookDocument): Promise<void> {
  const base = await vscode.workspace.openNotebookDocument(merge.base);
  const theirs = await vscode.workspace.openNotebookDocument(merge.theirs);
  const before = contentKeys(document);
  const outcome = await mergeNotebooks(base, document, theirs, merge.labels);
  if (outcome === undefined) {
    throw editedMeanwhile(merge);
  }
  merge.applied(before);
  if (outcome.conflicts > 0) {
    askBeforeSaving(document, merge.name, merge.labels);
  }
  await showMerged(merge);
  void reportMerge(merge, outcome);
}

async function mergeText(merge: Merge, document: vscode.TextDocument): Promise<void> {
  const base = await vscode.workspace.openTextDocument(merge.base);
  const theirs = await vscode.workspace.openTextDocument(merge.theirs);
  const ours = document.getText();
  const { text, conflicts, unresolvedIn } = await mergeTexts(base.getText(), ours, theirs.getText(), merge.labels);
  let applied: string | undefined;
  const apply = async (merged: string): Promise<void> => {
    const before = contentKeys(document);
    if (document.isClosed || document.getText() !== (applied ?? ours) || !(await replaceText(document, merged))) {
      throw editedMeanwhile(merge);
    }
    if (applied === undefined) {
      merge.applied(before);
    }
    applied = document.getText();
  };
  if (conflicts === 0) {
    await apply(text);
    await showMerged(merge);
  } else {
    const encode = (content: string): Thenable<Uint8Array> => vscode.workspace.encode(content, { uri: document.uri });
    // With conflict markers, the merge editor starts with everything that could be merged.
    const output = mergeResultOf(merge.uri, await encode(text), async (bytes) => {
      const result = await vscode.workspace.decode(bytes, { uri: document.uri });
      await askToSaveUnresolved(output, merge.name, await unresolvedIn(result));
      await apply(result);
      await document.save();
    });
    const input2 = { uri: snapshotOf(merge.uri, await encode(ours)), title: merge.labels.ours };
    const following = vscode.Disposable.from(followResult(output, merge.name, unresolvedIn), focusWhenShown(output));
    try {
      await vscode.commands.executeCommand("_open.mergeEditor", {
        base: merge.base,
        input1: { uri: merge.theirs, title: merge.labels.theirs },
        input2,
        output,
      });
    } catch (error) {
      following.dispose();
      throw error;
    }
  }
  void reportMerge(merge, { conflicts, kept: 0 });
}

/** While the result's document is open, asks before it is saved with conflicts. */
function followResult(uri: vscode.Uri, name: string, unresolvedIn: MergedText["unresolvedIn"]): vscode.Disposable {
  const isResult = (one: vscode.TextDocument): boolean => one.uri.toString() === uri.toString();
  const conflicts = (): Promise<number> => unresolvedIn(vscode.workspace.textDocuments.find(isResult)?.getText() ?? "");
  const showConflict = (): Thenable<unknown> => vscode.commands.executeCommand("merge.goToNextUnhandledConflict");
  const following = vscode.Disposable.from(
    { dispose: askOnSave({ uri, name, conflicts, showConflict }) },
    vscode.workspace.onDidCloseTextDocument((closed) => (isResult(closed) ? following.dispose() : undefined)),
  );
  return following;
}

/**
 * Focuses the merge editor once it shows its result. It opens after its command has ended, and takes the focus from the
 * editor that it covers without receiving it.
 */
function focusWhenShown(result: vscode.Uri): vscode.Disposable {
  const listener = vscode.window.onDidChangeVisibleTextEditors((editors) => {
    if (editors.some(({ document }) => document.uri.toString() === result.toString())) {
      listener.dispose();
      void vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
    }
  });
  return listener;
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

/** Compares the server's version with the merge until it is saved, which makes both sides equal. */
async function showMerged({ name, theirs, uri }: Merge): Promise<void> {
  await vscode.commands.executeCommand("vscode.diff", theirs, uri, vscode.l10n.t("{0}: Server ↔ Merged", name));
  const [of, shown] = [uri.toString(), theirs.toString()];
  const saved = (document: vscode.TextDocument | vscode.NotebookDocument): void => {
    if (document.uri.toString() === of) {
      listeners.dispose();
      void closeComparison(shown, uri);
    }
  };
  const closed = (document: vscode.TextDocument | vscode.NotebookDocument): void => {
    if (document.uri.toString() === of) {
      listeners.dispose();
    }
  };
  const { workspace } = vscode;
  const listeners = vscode.Disposable.from(
    workspace.onDidSaveTextDocument(saved),
    workspace.onDidSaveNotebookDocument(saved),
    workspace.onDidCloseTextDocument(closed),
    workspace.onDidCloseNotebookDocument(closed),
  );
}

/** Closes the comparisons with this version. Shows the file in the place of an active one. */
async function closeComparison(original: string, uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) &&
        input.original.toString() === original,
    );
  const isActive = tabs.some((tab) => tab.isActive && tab.group.isActive);
  await vscode.window.tabGroups.close(tabs);
  if (isActive) {
    await vscode.commands.executeCommand("vscode.open", uri);
  }
}

function editedMeanwhile({ name }: Merge): Error {
  return new Error(vscode.l10n.t("{0} was edited during the merge. Nothing was changed. Merge again.", name));
}

async function reportMerge({ name }: Merge, { conflicts, kept }: MergeOutcome): Promise<void> {
  const parts = [
    conflicts === 0
      ? vscode.l10n.t("Merged {0}. Save it to upload both the server's changes and yours.", name)
      : conflicts === 1
        ? vscode.l10n.t("1 conflict left in {0}. Resolve it, then save.", name)
        : vscode.l10n.t("{0} conflicts left in {1}. Resolve them, then save.", conflicts, name),
    kept === 0 ? "" : vscode.l10n.t("Cells that one side deleted and the other changed were kept."),
  ];
  const text = parts.filter((part) => part !== "").join(" ");
  await (conflicts === 0 ? showInformation(text) : showWarning(text));
}

function nameIn(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}

/**
 * The server's version of a file, if the editor's copy is based on another version; `missing` if the file no longer
 * exists.
 */
export async function newerVersionOf(
  files: ConflictFiles,
  uri: vscode.Uri,
): Promise<ContentVersion | "missing" | undefined> {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const { metadata, versions } = files.workspace(tenantId, workspaceId);
  const item = await metadata.statContent(path);
  if (item === undefined) {
    return "missing";
  }
  const server = versionOf(item);
  const base = versions.base(path, editedKind(uri));
  return server === undefined || (base !== undefined && isSameVersion(base, server)) ? undefined : server;
}

/** The kind of the copy that the user works in. */
function editedKind(uri: vscode.Uri): CopyKind {
  const document = documentAt(uri.authority, addressOf(uri).path);
  return document === undefined ? "file" : kindOf(document);
}

/** Saves the editor's version of a file that no longer exists on the server. */
export async function createAgain(files: ConflictFiles, uri: vscode.Uri): Promise<void> {
  const { tenantId, workspaceId, path } = addressOf(uri);
  files.workspace(tenantId, workspaceId).versions.createAgain(path, editedKind(uri));
  await saveEditor(uri.authority, path, true);
}

/**
 * Overwrites this version on the server with the editor's version, but not a newer one. Saves the server's version
 * first.
 */
export async function overwriteServer(files: ConflictFiles, uri: vscode.Uri, server: ContentVersion): Promise<void> {
  const { tenantId, workspaceId, path } = addressOf(uri);
  const { editors, versions, beforeReplacing } = files.workspace(tenantId, workspaceId);
  if (!editors.isDirty(path)) {
    throw new Error(vscode.l10n.t("{0} no longer has unsaved changes. Nothing was overwritten.", nameIn(uri)));
  }
  await beforeReplacing(path, server);
  versions.rebase(path, server, undefined, editedKind(uri));
  await saveEditor(uri.authority, path, true);
}
