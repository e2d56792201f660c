import * as vscode from "vscode";
import * as z from "zod/mini";
import { listPackages, type PackageEnvironment } from "../../api/companion/operations/packages.ts";
import { confirm } from "../../ui/commands/confirmation.ts";
import { changePackages } from "./package-changes.ts";
import { installWords, toolFor } from "./package-commands.ts";
import { type ProvidingPackage, packageOf } from "./package-names.ts";
import type { PackageServices } from "./package-services.ts";
import { kernelTarget, type PackagesTarget } from "./package-session.ts";

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
  item.tooltip = vscode.l10n.t("Installs {0} in the environment of this kernel.", name);
  item.command = {
    command: "platformWorkbench.installMissingPackage",
    title: vscode.l10n.t("Install"),
    arguments: [cell],
  };
  return [item];
}

/**
 * Installs the package that a cell failed to import; without a cell, the selected one. pip runs in a cell above, which
 * works without terminals and shows in the notebook what it needs. uv and conda, which cells don't have, run in a terminal.
 */
export async function installMissingPackage(services: PackageServices, argument: unknown): Promise<void> {
  const editor = vscode.window.activeNotebookEditor;
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const cell = cells.find((one) => one === argument) ?? editor?.notebook.cellAt(editor.selection.start);
  const missing = cell && missingPackageOf(cell);
  if (cell === undefined || missing === undefined) {
    throw new Error(vscode.l10n.t("Select a cell that failed to import a package, then try again."));
  }
  await confirmGuess(missing);
  const target = kernelTarget(services, cell.notebook);
  const environment = target && (await environmentOf(target));
  const tool = environment && toolFor(environment);
  if (target !== undefined && environment !== undefined && (tool === "uv" || tool === "conda")) {
    await changePackages(services, {
      place: target.place,
      environment,
      words: installWords(environment, tool, [missing.name]),
    });
  } else {
    await installInCell(cell, missing.name);
  }
}

/** Undefined if the kernel can't be asked. */
async function environmentOf({ kernel }: PackagesTarget): Promise<PackageEnvironment | undefined> {
  try {
    const program = await kernel?.program();
    return (await program?.request(listPackages, {}))?.environment;
  } catch {
    return undefined;
  }
}

/** Adds a cell above that installs the package with the kernel's own pip, and runs it. */
async function installInCell({ index, notebook }: vscode.NotebookCell, name: string): Promise<void> {
  // The cell may have been removed meanwhile.
  if (index < 0 || notebook.isClosed) {
    throw new vscode.CancellationError();
  }
  const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, `%pip install ${name}`, "python");
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
