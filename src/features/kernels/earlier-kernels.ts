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

/**
 * Milliseconds since the last cell was run in which late output of ended cells, for example of threads, is expected.
 */
const lateWithinMs = 24 * 60 * 60_000;

/** What is left of the runs of an earlier window. `late`: all cells have ended, but more output may come. */
type Rest = "running" | "late" | "none";

/** Reconnects notebooks to the kernels that they used before this window, or their editor, was opened. */
export class EarlierKernels {
  readonly #parts: EarlierKernelsParts;
  /** Notebooks whose cells an earlier window ran, until their kernel is selected again. */
  readonly #toResume = new Map<vscode.NotebookDocument, Exclude<Rest, "none">>();
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
   * Handles an opened notebook. If its cells still run, or have ended lately, their output is shown when the editor has
   * selected their kernel.
   */
  async opened(notebook: vscode.NotebookDocument): Promise<void> {
    const rest = await this.#restOf(notebook);
    if (rest === "none" || this.#resumed.has(notebook)) {
      return;
    }
    this.#toResume.set(notebook, rest);
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
    const rest = this.#toResume.get(notebook);
    this.#toResume.delete(notebook);
    if (rest === undefined || binding === undefined || binding.specName !== controller.spec.name) {
      return;
    }
    this.#resumed.add(notebook);
    try {
      const kernel = kernelOf(notebook, controller);
      if (rest === "running") {
        await kernel.resume(await attachments.bound(kernel, binding));
      } else if (await this.#exists(notebook, binding.kernelId)) {
        await kernel.resumeLateOutput(() => attachments.bound(kernel, binding));
      }
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        log[rest === "late" ? "debug" : "error"](`kernels: ${errorMessage(error)}`);
      }
    }
  }

  async #exists(notebook: vscode.NotebookDocument, kernelId: string): Promise<boolean> {
    const running = await this.#parts.workspaceOf(notebook).server.kernel(kernelId);
    return running !== undefined && !notebook.isClosed;
  }

  /** The widgets of the notebook's kernel. Connects to the kernel that an earlier window used, if it still exists. */
  async widgetsOf(notebook: vscode.NotebookDocument): Promise<WidgetSession | undefined> {
    const { attachments, bindings, kernelOf, log, workspaceOf } = this.#parts;
    const known = this.#parts.known(notebook);
    const binding = bindings.get(notebook.uri);
    if (known?.connection !== undefined || binding === undefined || this.#isRunning(notebook)) {
      return known?.widgets;
    }
    try {
      const workspace = workspaceOf(notebook);
      const running = await workspace.server.kernel(binding.kernelId);
      const controller = workspace.controllers.get(binding.specName);
      if (running === undefined || controller === undefined || notebook.isClosed || this.#isRunning(notebook)) {
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

  #isRunning(notebook: vscode.NotebookDocument): boolean {
    return this.#toResume.get(notebook) === "running";
  }

  closed(notebook: vscode.NotebookDocument): void {
    this.#toResume.delete(notebook);
  }

  async #restOf({ uri }: vscode.NotebookDocument): Promise<Rest> {
    const binding = this.#parts.bindings.get(uri);
    if (binding === undefined) {
      return "none";
    }
    if (this.#expected.delete(uri.toString())) {
      return "running";
    }
    const journal = await this.#parts.journals.of(binding.sessionId).read(binding.kernelId);
    const entries = journal?.entries ?? [];
    if (entries.some(({ isFinished }) => !isFinished)) {
      return "running";
    }
    return entries.some(({ sentAt }) => Date.now() - sentAt < lateWithinMs) ? "late" : "none";
  }
}
