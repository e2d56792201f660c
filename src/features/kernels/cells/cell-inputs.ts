import * as vscode from "vscode";
import { nameOf } from "../../../api/catalogue/content-path.ts";
import { showInformation, withoutLinks } from "../../../tenants/messages.ts";
import type { NotebookKernel } from "../notebook-kernel.ts";
import type { NotebookKernels } from "../notebook-kernels.ts";
import type { CellRun } from "./cell-run.ts";
import { isInFront, showCell } from "./show-cell.ts";

/** Input boxes for running cells, and notifications for cells that are not in the active notebook. */
export class CellInputs implements vscode.Disposable {
  readonly #open = new Map<CellRun, vscode.InputBox>();
  readonly #listener: vscode.Disposable;

  constructor(kernels: NotebookKernels) {
    this.#listener = kernels.onEvent(({ kernel, event }) => {
      if (event.type === "input") {
        void this.#asked(kernel, event.run);
      } else if (event.type === "ended") {
        // The cell was interrupted, or its kernel ended.
        this.#open.get(event.run)?.hide();
      }
    });
  }

  /** Asks for the input that a cell of the notebook waits for. Throws if no cell waits. */
  async enter(kernel: NotebookKernel, cell?: vscode.NotebookCell): Promise<void> {
    const run = kernel.running.find(
      (candidate) => candidate.input !== undefined && (cell ?? candidate.cell) === candidate.cell,
    );
    if (run === undefined) {
      throw new Error(vscode.l10n.t("No cell in this notebook is waiting for input."));
    }
    await this.#ask(kernel, run);
  }

  /** Shows the input box for a cell, or a notification if its notebook is not active. */
  async #asked(kernel: NotebookKernel, run: CellRun): Promise<void> {
    if (isInFront(kernel.notebook)) {
      await this.#ask(kernel, run);
      return;
    }
    const enter = vscode.l10n.t("Enter Input");
    const show = vscode.l10n.t("Show Cell");
    const chosen = await showInformation(
      vscode.l10n.t("Cell {0} of {1} is waiting for input.", run.cell.index + 1, nameOf(kernel.notebook.uri.path)),
      enter,
      show,
    );
    if (chosen === show || (chosen === enter && run.input !== undefined)) {
      await showCell(run.cell);
    }
    if (chosen === enter && run.input !== undefined) {
      await this.#ask(kernel, run);
    }
  }

  /** Shows the input box. A user who closes it can open it again from the cell's status bar. */
  async #ask(kernel: NotebookKernel, run: CellRun): Promise<void> {
    const request = run.input;
    if (request === undefined || this.#open.has(run)) {
      this.#open.get(run)?.show();
      return;
    }
    const box = vscode.window.createInputBox();
    this.#open.set(run, box);
    box.title = vscode.l10n.t("Input for Cell {0} of {1}", run.cell.index + 1, nameOf(kernel.notebook.uri.path));
    box.prompt = withoutLinks(request.prompt);
    box.password = request.password;
    box.ignoreFocusOut = true;
    await new Promise<void>((resolve) => {
      box.onDidAccept(() => {
        kernel.sendInput(run, box.value);
        box.hide();
      });
      box.onDidHide(() => resolve());
      box.show();
    });
    this.#open.delete(run);
    box.dispose();
  }

  dispose(): void {
    this.#listener.dispose();
    for (const box of this.#open.values()) {
      box.dispose();
    }
  }
}
