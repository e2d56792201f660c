import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import type { KernelEvent } from "../../api/kernels/connection/connection.ts";
import { showError, showInformation, showWarning } from "../../tenants/messages.ts";
import { cellOfEntry } from "./cells/cell-lookup.ts";
import { isInFront, showCell } from "./cells/show-cell.ts";
import { kernelEndText } from "./kernel-reports.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { NotebookKernel } from "./notebook-kernel.ts";
import type { NotebookEvent, NotebookKernels } from "./notebook-kernels.ts";

/** Messages about kernels that ended, restarted, or were taken over, and the actions that the user chooses in them. */
export class KernelNotifications implements vscode.Disposable {
  readonly #kernels: NotebookKernels;
  readonly #services: Pick<KernelServices, "log" | "showError">;
  readonly #listener: vscode.Disposable;

  constructor(kernels: NotebookKernels, services: Pick<KernelServices, "log" | "showError">) {
    this.#kernels = kernels;
    this.#services = services;
    this.#listener = kernels.onEvent((event) => this.#handle(event));
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #handle({ kernel, event }: NotebookEvent): void {
    switch (event.type) {
      case "connection":
        this.#kernels.trouble.reportState(kernel.controller.address, event.state);
        return;
      case "takenOver": {
        const name = nameOf(kernel.notebook.uri.path);
        void showInformation(
          vscode.l10n.t("Another window took over the kernel of {0}. This window now follows it.", name),
        );
        return;
      }
      case "kernel": {
        if (event.event.type === "ended" && kernel.isEnding) {
          // The command that ended it reports this.
          return;
        }
        const text = kernelEndText(kernel.notebook, event.event, event.isFollowing);
        if (text !== undefined) {
          void this.#report(kernel, event, text);
        }
      }
    }
  }

  /** Reports that a kernel ended. Offers to restart it, or to start a new one if it no longer exists. */
  async #report(
    kernel: NotebookKernel,
    { event, isFollowing }: { readonly event: KernelEvent; readonly isFollowing: boolean },
    text: string,
  ): Promise<void> {
    const { log } = this.#services;
    log.warn(text);
    const restart = vscode.l10n.t("Restart Kernel");
    const start = vscode.l10n.t("Start New Kernel");
    const showLog = vscode.l10n.t("Show Log");
    const end = event.type === "ended" ? event.end : undefined;
    const remedies = end === undefined ? [] : end === "died" ? (isFollowing ? [] : [restart]) : [start];
    const [lost] = event.type === "activity" ? [] : event.running;
    const lostCell = lost === undefined ? undefined : cellOfEntry(kernel.notebook, lost);
    const show = lostCell === undefined || isInFront(kernel.notebook) ? [] : [vscode.l10n.t("Show Cell")];
    const actions = [...remedies, ...show, showLog];
    const chosen = end === "shutDown" ? await showWarning(text, ...actions) : await showError(text, ...actions);
    try {
      if (chosen === showLog) {
        log.show();
      } else if (lostCell !== undefined && chosen !== undefined && show.includes(chosen)) {
        await showCell(lostCell);
      } else if (chosen === restart) {
        await kernel.connection?.restart();
      } else if (chosen === start && !kernel.notebook.isClosed) {
        await kernel.connected();
      }
    } catch (error) {
      if (!(error instanceof vscode.CancellationError)) {
        await this.#services.showError(error, kernel.controller.address);
      }
    }
  }
}
