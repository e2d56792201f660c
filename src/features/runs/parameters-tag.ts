import * as vscode from "vscode";
import * as z from "zod/mini";
import { displayedName } from "../../api/displayed-text.ts";
import { parametersTag } from "../../api/runs/parameters.ts";
import { shortened } from "../../api/text.ts";
import { pickItem } from "../../ui/quick-input/show-input.ts";

const maxLabelLength = 80;

const cellShape = z.looseObject({ metadata: z.optional(z.looseObject({ tags: z.optional(z.array(z.string())) })) });

/**
 * Says that a notebook has no parameters. Resolves with true to run it without, and with false after the user has tagged
 * a cell. Throws a CancellationError if canceled.
 */
export async function runsWithoutParameters(uri: vscode.Uri, title: string): Promise<boolean> {
  const run = { label: vscode.l10n.t("Run Without Parameters"), iconPath: new vscode.ThemeIcon("play"), isRun: true };
  const tag = { label: vscode.l10n.t("Tag a Cell…"), iconPath: new vscode.ThemeIcon("tag"), isRun: false };
  const placeHolder = vscode.l10n.t('No cell is tagged "parameters". Tag the one that sets them.');
  const { isRun } = await pickItem([run, tag], { title, placeHolder });
  if (isRun) {
    return true;
  }
  await tagCell(await vscode.workspace.openNotebookDocument(uri), title);
  return false;
}

async function tagCell(notebook: vscode.NotebookDocument, title: string): Promise<void> {
  const items = notebook
    .getCells()
    .filter(({ kind, document }) => kind === vscode.NotebookCellKind.Code && document.getText().trim() !== "")
    .map((cell) => ({
      label: displayedName(shortened(cell.document.lineAt(0).text.trim(), maxLabelLength) || "…"),
      description: vscode.l10n.t("cell {0}", cell.index + 1),
      iconPath: new vscode.ThemeIcon("code"),
      cell,
    }));
  const placeHolder = vscode.l10n.t("Choose the cell that sets the parameters");
  const { cell } = await pickItem(items, { title, placeHolder });
  const before = z.safeParse(cellShape, cell.metadata).data?.metadata ?? {};
  const metadata = { ...cell.metadata, metadata: { ...before, tags: [...(before.tags ?? []), parametersTag] } };
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.updateCellMetadata(cell.index, metadata)]);
  await vscode.workspace.applyEdit(edit);
  if (!(await notebook.save())) {
    throw new Error(vscode.l10n.t("The tagged notebook couldn't be saved. Save it, then try again."));
  }
}
