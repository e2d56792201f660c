import * as vscode from "vscode";
import { errorMessage } from "../../api/error-message.ts";
import type { WidgetSession } from "../../api/kernels/widgets/widget-session.ts";
import type { ExtensionLog } from "../../tenants/extension-log.ts";
import type { KernelAttachments } from "./kernel-attachments.ts";
import type { KernelController } from "./kernel-controller.ts";
import type { NotebookKernel } from "./notebook-kernel.ts";
import type { JournalFiles } from "./sessions/journal-files.ts";
import type { KernelBindings } from "./sessions/kernel-bindings.ts";
import type { WorkspaceKernels } from "./workspace-kernels.ts";

interface EarlierKernelsParts {
  readonly bindings: KernelBindings;
  readonly attachments: KernelAttachments;
  readonly journals: Pick<JournalFiles, "of">;
  readonly log: ExtensionLog;
  readonly workspaceOf: (notebook: vscode.NotebookDocument) => WorkspaceKernels;
  /** The notebook's kernel, if it has one. */
  readonly known: (notebook: vscode.NotebookDocument) => NotebookKernel | undefined;
  /** The notebook's kernel, created with this controller if the notebook has none. */
  readonly kernelOf: (notebook: vscode.NotebookDocument, controller: KernelController) => NotebookKernel;
}

/** Reconnects notebooks to the kernels that they used before this window, or their editor, was opened. */
export class EarlierKernels {
  readonly #parts: EarlierKernelsParts;
  /** Notebooks whose cells ran when an earlier window was closed, until their kernel is selected again. */
  readonly #toResume = new Set<vscode.NotebookDocument>();
  /** Notebooks that were resumed. A renamed notebook is handled again once its session has the new name. */
  readonly #resumed = new WeakSet<vscode.NotebookDocument>();
  /** URIs of notebooks that are being renamed while their cells run. */
  readonly #expected = new Set<string>();

  constructor(parts: EarlierKernelsParts) {
    this.#parts = parts;
  }

  /**
   * Call this if a notebook with running cells is about to reopen under this URI. Its output until then is shown there,
   * too.
   */
  expect(uri: vscode.Uri): void {
    this.#expected.add(uri.toString());
  }

  /**
   * Handles an opened notebook. If its cells still run, their output is shown when the editor has selected their
   * kernel.
   */
  async opened(notebook: vscode.NotebookDocument): Promise<void> {
    if (!(await this.#hasRunningCells(notebook)) || this.#resumed.has(notebook)) {
      return;
    }
    this.#toResume.add(notebook);
    // If another notebook of the workspace is open, the editor knows the kernels, and selects one before it reports the
    // notebook.
    const controllers = [...this.#parts.workspaceOf(notebook).controllers.values()];
    const selected = controllers.find((controller) => controller.isSelectedFor(notebook));
    if (selected !== undefined) {
      void this.selected(selected, notebook);
    }
  }

  /** Resumes the notebook's cells if the editor selected their kernel. Never rejects. */
  async selected(controller: KernelController, notebook: vscode.NotebookDocument): Promise<void> {
    const { attachments, bindings, kernelOf, log } = this.#parts;
    const binding = bindings.get(notebook.uri);
    if (!this.#toResume.delete(notebook) || binding === undefined || binding.specName !== controller.spec.name) {
      return;
    }
    this.#resumed.add(notebook);
    const kernel = kernelOf(notebook, controller);
    try {
      await kernel.resume(await attachments.bound(kernel, binding));
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        log.error(`kernels: ${errorMessage(error)}`);
      }
    }
  }

  /** The widgets of the notebook's kernel. Connects to the kernel that an earlier window used, if it still exists. */
  async widgetsOf(notebook: vscode.NotebookDocument): Promise<WidgetSession | undefined> {
    const { attachments, bindings, kernelOf, log, workspaceOf } = this.#parts;
    const known = this.#parts.known(notebook);
    const binding = bindings.get(notebook.uri);
    if (known?.connection !== undefined || binding === undefined || this.#toResume.has(notebook)) {
      return known?.widgets;
    }
    try {
      const workspace = workspaceOf(notebook);
      const running = await workspace.server.kernel(binding.kernelId);
      const controller = workspace.controllers.get(binding.specName);
      if (running === undefined || controller === undefined || notebook.isClosed || this.#toResume.has(notebook)) {
        return undefined;
      }
      const kernel = kernelOf(notebook, controller);
      await kernel.connected(() => attachments.bound(kernel, binding));
      return kernel.widgets;
    } catch (error) {
      // For example, the workspace isn't running. The user is asked when a cell is run.
      log.debug(`widgets of ${notebook.uri.path}: ${errorMessage(error)}`);
      return undefined;
    }
  }

  /** Call this if this window has left the notebook's kernel. Its cells are resumed when it is handled again. */
  left(notebook: vscode.NotebookDocument): void {
    this.#resumed.delete(notebook);
  }

  closed(notebook: vscode.NotebookDocument): void {
    this.#toResume.delete(notebook);
  }

  async #hasRunningCells({ uri }: vscode.NotebookDocument): Promise<boolean> {
    const binding = this.#parts.bindings.get(uri);
    if (binding === undefined) {
      return false;
    }
    if (this.#expected.delete(uri.toString())) {
      return true;
    }
    const journal = await this.#parts.journals.of(binding.sessionId).read(binding.kernelId);
    return journal?.entries.some(({ isFinished }) => !isFinished) ?? false;
  }
}
