import * as vscode from "vscode";
import { showWarning } from "../../tenants/messages.ts";
import { FileError } from "../errors.ts";
import type { SideLabels } from "./merge-text.ts";
import { saveQuestions } from "./save-questions.ts";

/** Asks before saving a file with unresolved conflicts. Throws if the user declines. */
export async function askToSaveUnresolved(name: string, conflicts: number): Promise<void> {
  const save = vscode.l10n.t("Save with Conflicts");
  const chosen = await showWarning(
    conflicts === 1
      ? vscode.l10n.t("1 conflict in {0} isn't resolved. Save it anyway?", name)
      : vscode.l10n.t("{0} conflicts in {1} aren't resolved. Save it anyway?", conflicts, name),
    { modal: true, detail: vscode.l10n.t("Everyone who uses the file gets it with the conflicts.") },
    save,
  );
  if (chosen !== save) {
    throw unsaved(name);
  }
}

function unsaved(name: string): FileError {
  return new FileError("cancelled", name, vscode.l10n.t("{0} still has conflicts. Resolve them, then save.", name));
}

/** Number of a notebook's cells with conflict markers of a merge. */
function cellsWithMarkers(notebook: vscode.NotebookDocument, { ours, theirs }: SideLabels): number {
  const cells = notebook.getCells().map(({ document }) => document.getText());
  return cells.filter((text) => text.includes(`<<<<<<< ${ours}`) && text.includes(`>>>>>>> ${theirs}`)).length;
}

/** Asks once before the notebook is saved with conflict markers. An automatic save fails instead. */
export function askBeforeSaving(notebook: vscode.NotebookDocument, name: string, labels: SideLabels): void {
  const key = notebook.uri.toString();
  let reason = vscode.TextDocumentSaveReason.Manual;
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
    if (saveQuestions.get(key) === question) {
      saveQuestions.delete(key);
    }
  };
  const question = async (): Promise<void> => {
    const conflicts = cellsWithMarkers(notebook, labels);
    if (conflicts > 0) {
      if (reason !== vscode.TextDocumentSaveReason.Manual) {
        throw unsaved(name);
      }
      await askToSaveUnresolved(name, conflicts);
    }
    end();
  };
  saveQuestions.set(key, question);
}
