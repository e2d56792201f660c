import * as vscode from "vscode";
import * as z from "zod/mini";
import { confirm } from "../../ui/commands/confirmation.ts";
import { type ProvidingPackage, packageOf } from "./package-names.ts";

const errorShape = z.looseObject({ name: z.string(), message: z.string() });
/**
 * Python's message. It names the part of a dotted name that wasn't found: for `sklearn.svm`, that is `sklearn` unless
 * scikit-learn is installed, so that a message with a dot names nothing to install.
 */
const missingModule = /^No module named '([A-Za-z]\w{0,99})'/;
/** The editor's type of errors in outputs. */
const errorType = "application/vnd.code.notebook.error";
const maxErrorBytes = 100_000;

/** The package to install for the message of a ModuleNotFoundError; undefined if it names none. */
export function packageFor(message: string): ProvidingPackage | undefined {
  const module = missingModule.exec(message)?.[1];
  return module === undefined ? undefined : packageOf(module);
}

/** The package that a cell failed to import. */
export function missingPackageOf({
  outputs,
}: {
  readonly outputs: readonly { readonly items: readonly vscode.NotebookCellOutputItem[] }[];
}): ProvidingPackage | undefined {
  for (const { data, mime } of outputs.flatMap(({ items }) => items)) {
    if (mime === errorType && data.byteLength <= maxErrorBytes) {
      const error = z.safeParse(errorShape, parsed(data));
      if (error.success && error.data.name === "ModuleNotFoundError") {
        return packageFor(error.data.message);
      }
    }
  }
  return undefined;
}

function parsed(data: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    return undefined;
  }
}

/** The status bar items of a cell that failed to import a package. */
export function missingPackageItems(cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
  const name = missingPackageOf(cell)?.name;
  if (name === undefined) {
    return [];
  }
  const text = `$(cloud-download) ${vscode.l10n.t("Install {0}", name)}`;
  const item = new vscode.NotebookCellStatusBarItem(text, vscode.NotebookCellStatusBarAlignment.Left);
  item.tooltip = vscode.l10n.t(
    "Adds a cell above that installs {0} in the environment of this kernel, and runs it.",
    name,
  );
  item.command = {
    command: "platformWorkbench.installMissingPackage",
    title: vscode.l10n.t("Install"),
    arguments: [cell],
  };
  return [item];
}

/**
 * Adds a cell above that installs the missing package with the kernel's own pip, and runs it. Without a cell, it is the
 * selected one.
 */
export async function installMissingPackage(argument: unknown): Promise<void> {
  const editor = vscode.window.activeNotebookEditor;
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const cell = cells.find((one) => one === argument) ?? editor?.notebook.cellAt(editor.selection.start);
  const missing = cell && missingPackageOf(cell);
  if (cell === undefined || missing === undefined) {
    throw new Error(vscode.l10n.t("Select a cell that failed to import a package, then try again."));
  }
  await confirmGuess(missing);
  // Cells may have been added or removed during the question.
  const { index, notebook } = cell;
  if (index < 0 || notebook.isClosed) {
    throw new vscode.CancellationError();
  }
  const source = `%pip install ${missing.name}`;
  const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, source, "python");
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(index, [added])]);
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(vscode.l10n.t("The editor didn't add the cell."));
  }
  const ranges = [{ start: index, end: index + 1 }];
  await vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: notebook.uri });
}

/** Asks before a package is installed of which only the module's name is known: anybody can publish one with that name. */
async function confirmGuess({ isKnown, module, name }: ProvidingPackage): Promise<void> {
  if (!isKnown) {
    await confirm({
      question: vscode.l10n.t("Install the package {0}?", name),
      consequence: vscode.l10n.t(
        "The name is a guess, because the cell imports {0}. If that is a file of yours or a package with another name, cancel: anyone can publish a package with this name, and it runs code when it is installed.",
        module,
      ),
      action: vscode.l10n.t("Install"),
    });
  }
}
