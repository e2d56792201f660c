import * as vscode from "vscode";
import * as z from "zod/mini";
import { pickItem } from "../../ui/quick-input/show-input.ts";
import {
  type KeptSide,
  keptSides,
  type LineRange,
  linesToDelete,
  type MarkedConflict,
  markedConflicts,
} from "./conflict-markers.ts";

/** The argument of the command behind a lens: the document, and the line of the conflict's first marker. */
const accepted = z.object({ document: z.string(), line: z.number(), kept: z.enum(keptSides) });

/** The lenses above each conflict in a text or a cell. */
export function lensesOf(document: vscode.TextDocument): readonly vscode.CodeLens[] {
  return conflictsIn(document).flatMap(({ whole: { start } }) =>
    keptSides.map(
      (kept) =>
        new vscode.CodeLens(new vscode.Range(start, 0, start, 0), {
          title: titleOf(kept),
          command: "platformWorkbench.acceptChange",
          arguments: [{ document: document.uri.toString(), line: start, kept } satisfies z.output<typeof accepted>],
        }),
    ),
  );
}

/**
 * Keeps one side of a conflict, or both, and deletes the markers. Without an argument, asks what to keep of the conflict at
 * the cursor. Throws if the conflict isn't there anymore, for example because the text was edited, or a CancellationError.
 */
export async function acceptChange(argument: unknown): Promise<void> {
  const { data } = z.safeParse(accepted, argument ?? (await chosenAtCursor()));
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === data?.document);
  const conflict =
    document === undefined ? undefined : conflictsIn(document).find(({ whole }) => whole.start === data?.line);
  if (data === undefined || document === undefined || conflict === undefined) {
    throw new Error(vscode.l10n.t("The conflict isn't there anymore. Select the action above a conflict again."));
  }
  const edit = new vscode.WorkspaceEdit();
  for (const range of linesToDelete(conflict, data.kept)) {
    edit.delete(document.uri, rangeOf(document, range));
  }
  await vscode.workspace.applyEdit(edit);
}

/** What the user chooses to keep of the conflict at the cursor. */
async function chosenAtCursor(): Promise<z.output<typeof accepted>> {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  const line = selection?.active.line ?? 0;
  const conflict =
    document === undefined
      ? undefined
      : conflictsIn(document).find(({ whole }) => line >= whole.start && line < whole.end);
  if (document === undefined || conflict === undefined) {
    throw new Error(vscode.l10n.t("Put the cursor between the markers of a conflict, then try again."));
  }
  const items = keptSides.map((kept) => ({ label: titleOf(kept), kept }));
  const { kept } = await pickItem(items, { title: vscode.l10n.t("Accept Change") });
  return { document: document.uri.toString(), line: conflict.whole.start, kept };
}

function conflictsIn(document: vscode.TextDocument): readonly MarkedConflict[] {
  const text = document.getText();
  return text.includes("<<<<<<< ") ? markedConflicts(text.split(/\r\n|\n/)) : [];
}

/** The range of whole lines with their line ends; for the last lines, with the line end before them. */
function rangeOf(document: vscode.TextDocument, { start, end }: LineRange): vscode.Range {
  if (end < document.lineCount) {
    return new vscode.Range(start, 0, end, 0);
  }
  const last = document.lineAt(document.lineCount - 1).range.end;
  return new vscode.Range(start === 0 ? new vscode.Position(0, 0) : document.lineAt(start - 1).range.end, last);
}

function titleOf(kept: KeptSide): string {
  switch (kept) {
    case "current":
      return vscode.l10n.t("Accept Current");
    case "incoming":
      return vscode.l10n.t("Accept Incoming");
    case "both":
      return vscode.l10n.t("Accept Both");
  }
}
