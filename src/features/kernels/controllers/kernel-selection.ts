import * as vscode from "vscode";
import { kernelNameOf } from "../notebook-metadata.ts";
import type { KernelController } from "./kernel-controller.ts";
import type { WorkspaceKernels } from "./workspace-kernels.ts";

const extension = "platform-workbench.platform-workbench";

/** Makes the editor select a kernel of the workspace for a notebook automatically. */
export class KernelSelection implements vscode.Disposable {
  /** Notebooks whose kernels are registered, and for which none was selected yet, with their workspaces. */
  readonly #offered = new WeakMap<vscode.NotebookDocument, WorkspaceKernels>();
  readonly #listener = vscode.window.onDidChangeActiveNotebookEditor(() => void this.#chooseFirst());

  /** Selects a kernel for the notebook as soon as it is active. Call this after its kernels are registered. */
  async offer(notebook: vscode.NotebookDocument, workspace: WorkspaceKernels): Promise<void> {
    this.#offered.set(notebook, workspace);
    await this.#chooseFirst();
  }

  /** Selects this kernel for a visible notebook. */
  async choose(notebook: vscode.NotebookDocument, { controller: { id } }: KernelController): Promise<void> {
    const notebookEditor = vscode.window.visibleNotebookEditors.find((candidate) => candidate.notebook === notebook);
    if (notebookEditor !== undefined) {
      await vscode.commands.executeCommand("notebook.selectKernel", { notebookEditor, id, extension });
    }
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /** Selects a kernel for the active notebook, unless it has one. */
  async #chooseFirst(): Promise<void> {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    const workspace = notebook === undefined ? undefined : this.#offered.get(notebook);
    if (notebook === undefined || workspace === undefined) {
      return;
    }
    this.#offered.delete(notebook);
    const { spec, controller } = workspace.controllerOf(notebook);
    const named = kernelNameOf(notebook);
    if (named !== undefined && named !== spec.name) {
      // The server doesn't have the notebook's kernel. The user must select one.
      return;
    }
    const { id } = controller;
    const skipIfAlreadySelected = true;
    await vscode.commands.executeCommand("notebook.selectKernel", { id, extension, skipIfAlreadySelected });
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
