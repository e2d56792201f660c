import * as vscode from "vscode";
import type { KernelController } from "./kernel-controller.ts";
import { kernelNameOf } from "./notebook-metadata.ts";
import type { WorkspaceKernels } from "./workspace-kernels.ts";

const extension = "platform-workbench.platform-workbench";

/** Makes the editor select a kernel of the workspace for a notebook automatically. */
export class KernelSelection {
  /** Notebooks whose kernels are registered, and for which none was selected yet. */
  readonly #offered = new WeakSet<vscode.NotebookDocument>();
  readonly #workspaceOf: (notebook: vscode.NotebookDocument) => WorkspaceKernels;

  constructor(workspaceOf: (notebook: vscode.NotebookDocument) => WorkspaceKernels) {
    this.#workspaceOf = workspaceOf;
  }

  /** Selects a kernel for the notebook as soon as it is active. Call this after its kernels are registered. */
  async offer(notebook: vscode.NotebookDocument): Promise<void> {
    this.#offered.add(notebook);
    await this.chooseFirst();
  }

  /** Selects a kernel for the active notebook, unless it has one. */
  async chooseFirst(): Promise<void> {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    if (notebook === undefined || !this.#offered.delete(notebook)) {
      return;
    }
    const { spec, controller } = this.#workspaceOf(notebook).controllerOf(notebook);
    const named = kernelNameOf(notebook);
    if (named !== undefined && named !== spec.name) {
      // The server doesn't have the notebook's kernel. The user must select one.
      return;
    }
    const { id } = controller;
    const skipIfAlreadySelected = true;
    await vscode.commands.executeCommand("notebook.selectKernel", { id, extension, skipIfAlreadySelected });
  }

  /** Selects this kernel for a visible notebook. */
  async choose(notebook: vscode.NotebookDocument, { controller: { id } }: KernelController): Promise<void> {
    const notebookEditor = vscode.window.visibleNotebookEditors.find((candidate) => candidate.notebook === notebook);
    if (notebookEditor !== undefined) {
      await vscode.commands.executeCommand("notebook.selectKernel", { notebookEditor, id, extension });
    }
  }
}

/** Marks a controller as following if all visible notebooks on it only follow their kernels. */
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
