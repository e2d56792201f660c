import * as vscode from "vscode";
import { causeOf } from "../../api/http/errors.ts";
import type { KernelEvent } from "../../api/kernels/connection/connection.ts";
import type { ConnectionState } from "../../api/kernels/connection/connection-state.ts";
import { AccessError } from "../../tenants/access-error.ts";
import type { KernelServices, WorkspaceAddress } from "./kernel-services.ts";
import type { NotebookKernel } from "./notebook-kernel.ts";

/** What a person is asked when a kernel cannot be reached, and what follows from their answer. */
export class ConnectionTrouble {
  readonly #services: KernelServices;
  /** Workspaces whose new token is being asked for. */
  readonly #asking = new Set<string>();

  constructor(services: KernelServices) {
    this.#services = services;
  }

  /**
   * Does the work; where the workspace does not run, or its token is missing or no longer valid, the person is asked, and
   * the work is done again. Giving up throws a CancellationError.
   */
  async overcome<Result>(address: WorkspaceAddress, work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        switch (hindranceOf(error)) {
          case "notRunning":
            await this.#start(address);
            break;
          case "noToken":
            await this.#enterToken(address);
            break;
          case undefined:
            throw error;
        }
      }
    }
  }

  /** A token that is refused while cells run is asked for once; the cells go on in the kernel meanwhile. */
  reportState(kernel: NotebookKernel, state: ConnectionState): void {
    const { tenantId, workspaceId } = kernel.controller.address;
    const key = `${tenantId}/${workspaceId}`;
    if (state.type !== "credentialRejected" || this.#asking.has(key)) {
      return;
    }
    this.#asking.add(key);
    const enter = vscode.l10n.t("Enter New Token");
    void vscode.window
      .showWarningMessage(
        vscode.l10n.t(
          "The notebook token for {0} is no longer valid. Running cells continue; their output shows after you enter a new token.",
          this.#nameOf(kernel.controller.address),
        ),
        enter,
      )
      .then(async (chosen) => {
        if (chosen === enter) {
          await vscode.commands.executeCommand("platformWorkbench.setNotebookToken", { tenantId, workspaceId });
        }
      })
      .then(() => this.#asking.delete(key));
  }

  /** Says that a kernel ended, with what ran in it, and offers a restart. */
  async reportEnd(kernel: NotebookKernel, event: KernelEvent, text: string): Promise<void> {
    const { log } = this.#services;
    log.warn(text);
    const restart = vscode.l10n.t("Restart Kernel");
    const showLog = vscode.l10n.t("Show Log");
    const canRestart = event.type === "ended" && event.end === "died" && !kernel.isFollowing;
    const actions = canRestart ? [restart, showLog] : [showLog];
    const chosen = await vscode.window.showErrorMessage(text, ...actions);
    if (chosen === showLog) {
      log.show();
    } else if (chosen === restart) {
      try {
        await kernel.connection?.restart();
      } catch (error) {
        await this.#services.showError(error, kernel.controller.address);
      }
    }
  }

  async #start({ tenantId, workspaceId }: WorkspaceAddress): Promise<void> {
    const start = vscode.l10n.t("Start and Run");
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t("{0} is not running. To run cells, start it.", this.#nameOf({ tenantId, workspaceId })),
      start,
    );
    if (chosen !== start || !(await this.#services.lifecycle.startAndWait(tenantId, workspaceId))) {
      throw new vscode.CancellationError();
    }
  }

  async #enterToken(address: WorkspaceAddress): Promise<void> {
    const enter = vscode.l10n.t("Enter Notebook Token");
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t("To run cells in {0}, enter a valid notebook token.", this.#nameOf(address)),
      enter,
    );
    const { tenantId, workspaceId } = address;
    const isEntered =
      chosen === enter &&
      (await vscode.commands.executeCommand<unknown>("platformWorkbench.setNotebookToken", { tenantId, workspaceId }));
    if (isEntered !== true) {
      throw new vscode.CancellationError();
    }
  }

  #nameOf({ tenantId, workspaceId }: WorkspaceAddress): string {
    return this.#services.connections.nameOf(tenantId, workspaceId);
  }
}

function hindranceOf(error: unknown): "notRunning" | "noToken" | undefined {
  const problem = error instanceof AccessError ? error.problem.type : undefined;
  const cause = causeOf(error)?.type;
  if (problem === "notRunning" || cause === "workspaceNotRunning") {
    return "notRunning";
  }
  return problem === "noToken" || cause === "tokenRefused" ? "noToken" : undefined;
}
