import * as vscode from "vscode";
import { parentOf } from "../../../api/catalogue/content-path.ts";
import { SerialWork } from "../../../api/serial-work.ts";
import { addressOf } from "../../../tenants/workspace-uri.ts";
import type { KernelController } from "../controllers/kernel-controller.ts";
import type { NotebookKernels } from "../notebook-kernels.ts";
import { notebookType } from "../notebook-metadata.ts";
import { isUntitled } from "../untitled/untitled-notebook.ts";

const stateKey = "kernels.consoles";
/** Maximum number of scripts whose consoles are stored. */
const maxStored = 100;

/**
 * The consoles of scripts: an untitled notebook beside each script whose selections were run, with one cell for each run.
 * The kernel's working directory is the script's folder. A notebook, not the editor's interactive window, because it shows
 * widgets, keeps its kernel across a reload, and can be saved to the workspace.
 */
export class Consoles {
  readonly #kernels: NotebookKernels;
  readonly #state: vscode.Memento;
  readonly #work = new SerialWork();

  /** `state`: that of the window, whose untitled notebooks the editor restores. */
  constructor(kernels: NotebookKernels, state: vscode.Memento) {
    this.#kernels = kernels;
    this.#state = state;
  }

  /** Adds code to a script's console as a cell, and runs it. The script keeps the focus. */
  run(script: vscode.TextDocument, code: string): Promise<void> {
    return this.#work.run([script.uri.toString()], () => this.#run(script, code));
  }

  async #run(script: vscode.TextDocument, code: string): Promise<void> {
    const known = this.#consoleOf(script.uri);
    const notebook = known ?? (await this.#create(script));
    const shown =
      vscode.window.visibleNotebookEditors.find((editor) => editor.notebook === notebook) ??
      (await vscode.window.showNotebookDocument(notebook, {
        viewColumn: vscode.ViewColumn.Beside,
        preserveFocus: true,
      }));
    const controller = await this.#kernels.selectForConsole(notebook, {
      authority: script.uri.authority,
      folder: parentOf(addressOf(script.uri).path),
      languageId: script.languageId,
    });
    const range = await addCell(notebook, code, languageOf(controller));
    shown.revealRange(range, vscode.NotebookEditorRevealType.Default);
    await vscode.commands.executeCommand("notebook.cell.execute", {
      ranges: [{ start: range.start, end: range.end }],
      document: notebook.uri,
    });
  }

  #consoleOf(script: vscode.Uri): vscode.NotebookDocument | undefined {
    const uri = this.#stored[script.toString()];
    return vscode.workspace.notebookDocuments.find(
      (notebook) =>
        isUntitled(notebook) && notebook.uri.toString() === uri && this.#kernels.isConsole(notebook, script),
    );
  }

  async #create(script: vscode.TextDocument): Promise<vscode.NotebookDocument> {
    const notebook = await vscode.workspace.openNotebookDocument(notebookType, new vscode.NotebookData([]));
    const others = Object.entries(this.#stored).filter(([uri]) => uri !== script.uri.toString());
    await this.#state.update(
      stateKey,
      Object.fromEntries([...others.slice(1 - maxStored), [script.uri.toString(), notebook.uri.toString()]]),
    );
    return notebook;
  }

  /** The URIs of consoles by the URIs of their scripts. */
  get #stored(): Readonly<Record<string, unknown>> {
    const stored: unknown = this.#state.get(stateKey);
    return typeof stored === "object" && stored !== null ? { ...stored } : {};
  }
}

/** The language of cells that the kernel runs. */
function languageOf({ controller }: KernelController): string {
  return controller.supportedLanguages?.[0] ?? "python";
}

/** Adds a cell at the end, or fills the only one that the editor has created. */
async function addCell(
  notebook: vscode.NotebookDocument,
  code: string,
  languageId: string,
): Promise<vscode.NotebookRange> {
  const isEmpty = notebook.cellCount === 1 && notebook.cellAt(0).document.getText().trim() === "";
  const start = isEmpty ? 0 : notebook.cellCount;
  const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, code, languageId);
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [
    vscode.NotebookEdit.replaceCells(new vscode.NotebookRange(start, isEmpty ? 1 : start), [cell]),
  ]);
  await vscode.workspace.applyEdit(edit);
  return new vscode.NotebookRange(start, start + 1);
}
