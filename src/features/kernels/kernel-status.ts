import * as vscode from "vscode";
import { nameWithoutIcons } from "../../api/displayed-text.ts";
import type { KernelActivity } from "../../api/kernels/connection/connection-state.ts";
import type { RunningKernel } from "../../api/kernels/models.ts";
import { stateText } from "./cells/cell-status.ts";
import type { NotebookKernel } from "./notebook-kernel.ts";
import type { NotebookKernels } from "./notebook-kernels.ts";

/** The status bar item for the kernel of the active notebook. */
export class KernelStatus implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("platformWorkbench.kernel", vscode.StatusBarAlignment.Right, 100);
  readonly #kernels: NotebookKernels;
  readonly #listeners: vscode.Disposable;

  constructor(kernels: NotebookKernels) {
    this.#kernels = kernels;
    this.#item.name = vscode.l10n.t("Notebook Kernel");
    this.#item.command = "platformWorkbench.showKernelActions";
    this.#listeners = vscode.Disposable.from(
      vscode.window.onDidChangeActiveNotebookEditor(() => this.#update()),
      kernels.onEvent(({ event }) => (event.type === "status" ? this.#update() : undefined)),
    );
  }

  #update(): void {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    const kernel = notebook === undefined ? undefined : this.#kernels.find(notebook);
    const status = kernel === undefined ? undefined : statusOf(kernel);
    if (status === undefined) {
      this.#item.hide();
      return;
    }
    this.#item.text = status.text;
    this.#item.tooltip = status.tooltip;
    this.#item.accessibilityInformation = { label: status.label };
    this.#item.show();
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#item.dispose();
  }
}

/** The status bar text of a kernel; undefined if there is nothing to show. */
export function statusOf(
  kernel: Pick<NotebookKernel, "connection" | "controller" | "found" | "isConnecting" | "isFollowing">,
): { readonly text: string; readonly label: string; readonly tooltip: string } | undefined {
  const text = kernelText(kernel);
  const displayName = nameWithoutIcons(kernel.controller.spec.displayName);
  return text === undefined
    ? undefined
    : {
        text: `$(${text.icon}) ${vscode.l10n.t("{0}: {1}", displayName, text.words)}`,
        label: vscode.l10n.t("Notebook kernel {0}: {1}", displayName, text.words),
        tooltip: kernel.isFollowing
          ? vscode.l10n.t(
              "This window is following a kernel that JupyterLab or another window uses. Select to take it over.",
            )
          : vscode.l10n.t("Kernel of this notebook. Select to show actions."),
      };
}

function kernelText(
  kernel: Pick<NotebookKernel, "connection" | "found" | "isConnecting" | "isFollowing">,
): { readonly icon: string; readonly words: string } | undefined {
  const { connection } = kernel;
  if (connection === undefined) {
    if (kernel.isConnecting) {
      return { icon: "loading~spin", words: vscode.l10n.t("Connecting…") };
    }
    return kernel.found === undefined ? undefined : foundText(kernel.found);
  }
  const { state } = connection;
  switch (state.type) {
    case "connected":
      return kernel.isFollowing
        ? { icon: "eye", words: vscode.l10n.t("Following") }
        : activityText(connection.activity);
    case "connecting":
      return { icon: "loading~spin", words: stateText(state) };
    case "resting":
      return { icon: "circle-outline", words: stateText(state) };
    case "waiting":
    case "serverStopped":
      return { icon: "debug-disconnect", words: stateText(state) };
    case "credentialRejected":
      return { icon: "key", words: stateText(state) };
    case "kernelDead":
      return { icon: "error", words: stateText(state) };
    case "disposed":
      return undefined;
  }
}

/** The text for a kernel that the notebook is not connected to. */
function foundText({ executionState }: RunningKernel): { readonly icon: string; readonly words: string } {
  switch (executionState) {
    case "busy":
    case "idle":
    case "starting":
    case "restarting":
      return activityText(executionState);
    default:
      return { icon: "circle-outline", words: vscode.l10n.t("Running") };
  }
}

function activityText(activity: KernelActivity): { readonly icon: string; readonly words: string } {
  switch (activity) {
    case "busy":
      return { icon: "circle-filled", words: vscode.l10n.t("Busy") };
    case "idle":
      return { icon: "circle-outline", words: vscode.l10n.t("Idle") };
    case "starting":
      return { icon: "loading~spin", words: vscode.l10n.t("Starting…") };
    case "restarting":
      return { icon: "loading~spin", words: vscode.l10n.t("Restarting…") };
    case "dead":
      return { icon: "error", words: vscode.l10n.t("The kernel has ended") };
    case "unknown":
      return { icon: "circle-outline", words: vscode.l10n.t("Connected") };
  }
}
