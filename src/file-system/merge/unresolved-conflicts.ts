import * as vscode from "vscode";
import { showWarning } from "../../tenants/messages.ts";
import { FileError } from "../errors.ts";
import type { SideLabels } from "./merge-text.ts";
import { saveQuestions } from "./save-questions.ts";

/** The context key with the URIs of documents that ask before they are saved with conflicts. */
const contextKey = "platformWorkbench.unresolvedConflicts";

/** A document with the result of a merge. */
interface MergedDocument {
  readonly uri: vscode.Uri;
  /** The name of the file. */
  readonly name: string;
  /** The current number of conflicts. */
  readonly conflicts: () => number | Promise<number>;
  /** Shows the next conflict. */
  readonly showConflict: () => Thenable<unknown>;
}

const merged = new Map<string, MergedDocument>();

/** Number of conflicts that the user agreed to save, by the URI of the document that is being saved. */
const agreed = new Map<string, number>();

/** Lets the save command ask before the document is saved, until the returned function is called. */
export function askOnSave(document: MergedDocument): () => void {
  const key = document.uri.toString();
  merged.set(key, document);
  updateContext();
  return () => {
    if (merged.get(key) === document) {
      merged.delete(key);
      updateContext();
    }
  };
}

function updateContext(): void {
  void vscode.commands.executeCommand("setContext", contextKey, [...merged.keys()]);
}

/** The first of these documents that asks before it is saved. */
export function mergedDocument(uris: readonly vscode.Uri[]): MergedDocument | undefined {
  return uris.flatMap((uri) => merged.get(uri.toString()) ?? [])[0];
}

/**
 * Asks if the document has conflicts, then saves the active editor. A file system can't cancel a save, so if the user
 * declines during the editor's own save, the editor reports an error. Here, no error is shown.
 */
export async function saveMerged({ uri, name, conflicts, showConflict }: MergedDocument): Promise<void> {
  const count = await conflicts();
  const choice = count === 0 ? "save" : await askAboutConflicts(name, count);
  if (choice === "resolve") {
    await showConflict();
  }
  if (choice !== "save") {
    return;
  }
  const key = uri.toString();
  agreed.set(key, count);
  try {
    await vscode.commands.executeCommand("workbench.action.files.save");
  } finally {
    agreed.delete(key);
  }
}

/**
 * Asks before saving a file with unresolved conflicts, unless the user has just agreed. Throws if the user declines.
 * `uri` is the document that is being saved.
 */
export async function askToSaveUnresolved(uri: vscode.Uri, name: string, conflicts: number): Promise<void> {
  if (conflicts > (agreed.get(uri.toString()) ?? 0) && (await askAboutConflicts(name, conflicts)) !== "save") {
    throw unsaved(name);
  }
}

/** The dialog's default button is the one that changes nothing for other users. */
async function askAboutConflicts(name: string, conflicts: number): Promise<"save" | "resolve" | undefined> {
  const resolve = vscode.l10n.t("Resolve Conflicts");
  const save = vscode.l10n.t("Save with Conflicts");
  const chosen = await showWarning(
    conflicts === 1
      ? vscode.l10n.t("1 conflict in {0} isn't resolved. Save it anyway?", name)
      : vscode.l10n.t("{0} conflicts in {1} aren't resolved. Save it anyway?", conflicts, name),
    { modal: true, detail: vscode.l10n.t("Other users of the file will see the conflict markers.") },
    resolve,
    save,
  );
  return chosen === save ? "save" : chosen === resolve ? "resolve" : undefined;
}

function unsaved(name: string): FileError {
  return new FileError("cancelled", name, vscode.l10n.t("{0} still has conflicts. Resolve them, then save.", name));
}

/** The cells of a notebook with conflict markers of a merge. */
function cellsWithMarkers(
  notebook: vscode.NotebookDocument,
  { ours, theirs }: SideLabels,
): readonly vscode.NotebookCell[] {
  return notebook.getCells().filter(({ document }) => {
    const text = document.getText();
    return text.includes(`<<<<<<< ${ours}`) && text.includes(`>>>>>>> ${theirs}`);
  });
}

/** Asks once before the notebook is saved with conflict markers. An automatic save fails instead. */
export function askBeforeSaving(notebook: vscode.NotebookDocument, name: string, labels: SideLabels): void {
  const { uri } = notebook;
  const key = uri.toString();
  const conflicts = (): number => cellsWithMarkers(notebook, labels).length;
  const showConflict = async (): Promise<void> => {
    const index = cellsWithMarkers(notebook, labels)[0]?.index ?? 0;
    await vscode.window.showNotebookDocument(notebook, { selections: [new vscode.NotebookRange(index, index + 1)] });
  };
  let reason = vscode.TextDocumentSaveReason.Manual;
  const endAsking = askOnSave({ uri, name, conflicts, showConflict });
  const listeners = vscode.Disposable.from(
    vscode.workspace.onWillSaveNotebookDocument((event) => {
      if (event.notebook === notebook) {
        reason = event.reason;
      }
    }),
    vscode.workspace.onDidCloseNotebookDocument((closed) => (closed === notebook ? end() : undefined)),
  );
  const end = (): void => {
    listeners.dispose();
    endAsking();
    if (saveQuestions.get(key) === question) {
      saveQuestions.delete(key);
    }
  };
  const question = async (): Promise<void> => {
    const count = conflicts();
    if (count > 0) {
      if (reason !== vscode.TextDocumentSaveReason.Manual) {
        throw unsaved(name);
      }
      await askToSaveUnresolved(uri, name, count);
    }
    end();
  };
  saveQuestions.set(key, question);
}
