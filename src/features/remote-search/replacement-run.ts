import * as vscode from "vscode";
import { errorText } from "../../tenants/error-text.ts";
import { previewFirst } from "../../ui/documents/previewed-edit.ts";
import { appliedEdits } from "./replaced-edits.ts";
import type { LeftFile, PlannedDocument, PlannedFile } from "./replacement-plan.ts";

/** What a replacement has changed. */
export interface Replaced {
  /** Number of matches that were replaced. */
  readonly matches: number;
  /** The changed files. */
  readonly files: readonly PlannedFile[];
  /** Files that are not saved with their replacements, and why. */
  readonly unsaved: readonly LeftFile[];
}

/**
 * Shows the changes in the editor's preview, in which the user can deselect some of them. Resolves with false if the user
 * discards them, or if the editor can't apply them, because a document has changed meanwhile.
 */
export async function applyWithPreview(files: readonly PlannedFile[], label: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, edits, ranges } of files.flatMap(({ documents }) => documents)) {
    for (const [index, range] of ranges.entries()) {
      edit.replace(uri, range, edits[index]?.text ?? "");
    }
  }
  // After a search for a text, a user deselects some of the matches, and not the other way.
  previewFirst(edit, label);
  return vscode.workspace.applyEdit(edit);
}

/**
 * Saves the files that the editor has changed, with its ordinary questions. Those that had unsaved changes before are not
 * saved, nor those in which something else has changed: the user decides about them.
 */
export async function saveReplaced(files: readonly PlannedFile[]): Promise<Replaced> {
  const unsaved: LeftFile[] = [];
  const changed: PlannedFile[] = [];
  let matches = 0;
  const save = async (file: PlannedFile): Promise<void> => {
    const { path, uri, isNotebook, wasDirty } = file;
    try {
      const document = isNotebook
        ? await vscode.workspace.openNotebookDocument(uri)
        : await vscode.workspace.openTextDocument(uri);
      const texts = new Map(
        ("cellCount" in document ? document.getCells().map((cell) => cell.document) : [document]).map((text) => [
          text.uri.toString(),
          text.getText(),
        ]),
      );
      const counts = file.documents.map((planned) => countIn(planned, texts.get(planned.uri.toString())));
      const count = counts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
      const isAsPlanned = !counts.includes(undefined);
      if (count === 0 && isAsPlanned) {
        return;
      }
      if (!(isAsPlanned || document.isDirty)) {
        unsaved.push({ path, reason: vscode.l10n.t("It has changed since the search.") });
        return;
      }
      changed.push(file);
      matches += count;
      if (!isAsPlanned) {
        unsaved.push({ path, reason: vscode.l10n.t("It has changed since the search. Check it, then save it.") });
      } else if (wasDirty) {
        unsaved.push({ path, reason: vscode.l10n.t("It had unsaved changes before, so it was not saved.") });
      } else if (document.isDirty && !(await document.save())) {
        unsaved.push({ path, reason: vscode.l10n.t("It could not be saved.") });
      }
    } catch (error) {
      unsaved.push({ path, reason: errorText(error) });
    }
  };
  // All at once: the editor opens a tab for each document that has unsaved changes and isn't being saved.
  await Promise.all(files.map(save));
  return { matches, files: changed, unsaved };
}

/** The number of edits that were applied. Undefined if the text has other changes. */
function countIn({ before, edits }: PlannedDocument, after: string | undefined): number | undefined {
  return after === undefined ? undefined : appliedEdits(before, edits, after)?.length;
}
