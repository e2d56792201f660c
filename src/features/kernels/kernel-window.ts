import * as vscode from "vscode";
import { CellInputs } from "./cells/cell-inputs.ts";
import { CellStatus } from "./cells/cell-status.ts";
import { KernelAccess } from "./kernel-access.ts";
import { KernelNotifications } from "./kernel-notifications.ts";
import { KernelRenames } from "./kernel-renames.ts";
import type { KernelServices } from "./kernel-services.ts";
import { KernelStatus } from "./kernel-status.ts";
import { NotebookKernels } from "./notebook-kernels.ts";
import { PrintedAddresses } from "./output/printed-addresses.ts";
import { PublishedKernels } from "./published-kernels.ts";
import { RunNotifications } from "./run-notifications.ts";
import { WidgetPages } from "./widgets/widget-pages.ts";

/** The open notebooks with their kernels, what the window shows about them, and what changes outside affects them. */
export class KernelWindow implements vscode.Disposable {
  readonly kernels: NotebookKernels;
  readonly inputs: CellInputs;
  readonly widgetPages: WidgetPages;
  readonly #disposables: vscode.Disposable;

  constructor(services: KernelServices, messaging: vscode.NotebookRendererMessaging) {
    const kernels = new NotebookKernels(services);
    this.kernels = kernels;
    this.inputs = new CellInputs(kernels);
    this.widgetPages = new WidgetPages(kernels, messaging, services.log);
    this.#disposables = vscode.Disposable.from(
      this.inputs,
      this.widgetPages,
      new KernelStatus(kernels),
      new CellStatus(kernels),
      new KernelNotifications(kernels, services),
      new RunNotifications(kernels, services.log),
      new PublishedKernels(kernels, services.openKernels),
      new PrintedAddresses(kernels, services),
      new KernelRenames(kernels, services),
      new KernelAccess(kernels, services),
      kernels.onEvent(({ kernel, event }) => {
        if (event.type === "ended") {
          const { tenantId, workspaceId } = kernel.workspace.address;
          services.files.workspace(tenantId, workspaceId).events.cellEnded();
        }
      }),
      kernels,
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
