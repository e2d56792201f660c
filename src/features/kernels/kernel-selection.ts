import * as vscode from "vscode";
import type { KernelController } from "./kernel-controller.ts";
import { kernelNameOf } from "./notebook-metadata.ts";
import type { WorkspaceKernels } from "./workspace-kernels.ts";

const extension = "platform-workbench.platform-workbench";

/** Has the editor choose our kernels for notebooks, so that the person need not. */
export class KernelSelection {
  /** Notebooks whose kernels the editor knows, and for which none was chosen yet. */
  readonly #offered = new WeakSet<vscode.NotebookDocument>();
  readonly #workspaceOf: (notebook: vscode.NotebookDocument) => WorkspaceKernels;

  constructor(workspaceOf: (notebook: vscode.NotebookDocument) => WorkspaceKernels) {
    this.#workspaceOf = workspaceOf;
  }

  /** The editor knows the kernels for the notebook. One is chosen as soon as the notebook is in front. */
  async offer(notebook: vscode.NotebookDocument): Promise<void> {
    this.#offered.add(notebook);
    await this.chooseFirst();
  }

  /** Chooses a kernel for the notebook in front, unless it has one. */
  async chooseFirst(): Promise<void> {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    if (notebook === undefined || !this.#offered.delete(notebook)) {
      return;
    }
    const { spec, controller } = this.#workspaceOf(notebook).controllerOf(notebook);
    const named = kernelNameOf(notebook);
    if (named !== undefined && named !== spec.name) {
      // Its code is for a kernel that the server does not have: the person chooses.
      return;
    }
    const { id } = controller;
    const skipIfAlreadySelected = true;
    await vscode.commands.executeCommand("notebook.selectKernel", { id, extension, skipIfAlreadySelected });
  }

  /** Chooses this kernel for a notebook that shows. */
  async choose(notebook: vscode.NotebookDocument, { controller: { id } }: KernelController): Promise<void> {
    const notebookEditor = vscode.window.visibleNotebookEditors.find((candidate) => candidate.notebook === notebook);
    if (notebookEditor !== undefined) {
      await vscode.commands.executeCommand("notebook.selectKernel", { notebookEditor, id, extension });
    }
  }
}

/** Kernels of the editor's list say so where every notebook that shows on them only follows its kernel. */
export function markFollowing(
  controllers: readonly KernelController[],
  isFollowing: (notebook: vscode.NotebookDocument) => boolean,
): void {
  const shown = vscode.window.visibleNotebookEditors.map(({ notebook }) => notebook);
  for (const controller of controllers) {
    const notebooks = shown.filter((notebook) => controller.isSelectedFor(notebook));
    controller.isFollowing = notebooks.length > 0 && notebooks.every(isFollowing);
  }
}
