import * as vscode from "vscode";
import { displayedTooltip } from "../../../api/displayed-text.ts";
import type { ConnectionState } from "../../../api/kernels/connection/connection-state.ts";
import type { ExecutionOutcome } from "../../../api/kernels/executions/executions.ts";
import type { NotebookKernel } from "../notebook-kernel.ts";
import type { NotebookKernels } from "../notebook-kernels.ts";
import { notebookType } from "../notebook-metadata.ts";
import { rendererHint } from "../output/renderers.ts";
import type { MissingOutput } from "./cell-run.ts";

/** The status bar items of cells about their runs. */
export class CellStatus implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable;

  constructor(kernels: NotebookKernels) {
    this.#disposables = vscode.Disposable.from(
      this.#changed,
      kernels.onEvent(({ event }) => (event.type === "status" ? this.#changed.fire() : undefined)),
      vscode.notebooks.registerNotebookCellStatusBarItemProvider(notebookType, {
        onDidChangeCellStatusBarItems: this.#changed.event,
        provideCellStatusBarItems: (cell) => {
          const kernel = kernels.find(cell.notebook);
          return kernel === undefined ? [] : itemsOf(kernel, cell);
        },
      }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function itemsOf(kernel: NotebookKernel, cell: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
  const run = kernel.runOf(cell);
  if (run === undefined) {
    return [];
  }
  const items: vscode.NotebookCellStatusBarItem[] = [];
  const { state } = kernel.connection ?? {};
  if (run.input !== undefined) {
    items.push(
      item(
        `$(edit) ${vscode.l10n.t("Enter input…")}`,
        vscode.l10n.t("The cell is waiting for input: {0}", run.input.prompt),
        {
          command: "platformWorkbench.enterCellInput",
          title: vscode.l10n.t("Enter Input"),
          arguments: [cell],
        },
      ),
    );
  }
  if (!run.isEnded && state !== undefined && state.type !== "connected") {
    const explanation =
      state.type === "serverStopped"
        ? vscode.l10n.t("The kernel ends with its workspace. The cell says so when the workspace runs again.")
        : vscode.l10n.t("The cell keeps running in the kernel.");
    items.push(item(`$(debug-disconnect) ${stateText(state)}`, explanation));
  }
  const outcome = run.outcome === undefined ? undefined : outcomeText(run.outcome);
  if (run.isEnded && outcome !== undefined) {
    items.push(item(`$(warning) ${outcome}`, outcome));
  }
  if (run.gap !== undefined) {
    items.push(item(`$(warning) ${vscode.l10n.t("Output may be missing")}`, gapText(run.gap)));
  }
  if (run.fullOutput !== undefined) {
    items.push(
      item(
        `$(output) ${vscode.l10n.t("Open full output")}`,
        vscode.l10n.t("The cell shows only the beginning and the end of its output."),
        {
          command: "platformWorkbench.openFullOutput",
          title: vscode.l10n.t("Open Full Output"),
          arguments: [cell],
        },
      ),
    );
  }
  const hint = run.isEnded ? rendererHint(cell.outputs) : undefined;
  if (hint !== undefined) {
    items.push(item(`$(info) ${hint.text}`, hint.tooltip));
  }
  return items;
}

function item(text: string, tooltip: string, command?: vscode.Command): vscode.NotebookCellStatusBarItem {
  const created = new vscode.NotebookCellStatusBarItem(text, vscode.NotebookCellStatusBarAlignment.Left);
  created.tooltip = displayedTooltip(tooltip);
  if (command !== undefined) {
    created.command = command;
  }
  return created;
}

/** A short text for the state of a connection. */
export function stateText(state: ConnectionState): string {
  switch (state.type) {
    case "connecting":
      return vscode.l10n.t("Connecting…");
    case "connected":
      return vscode.l10n.t("Connected");
    case "resting":
      return vscode.l10n.t("Idle");
    case "waiting":
      return vscode.l10n.t("Waiting for the connection");
    case "serverStopped":
      return vscode.l10n.t("The workspace isn't running");
    case "credentialRejected":
      return vscode.l10n.t("The notebook token is no longer valid");
    case "kernelDead":
      return vscode.l10n.t("The kernel has ended");
    case "disposed":
      return vscode.l10n.t("Not connected");
  }
}

/** The text for a run that did not end normally; undefined if the cell itself shows the outcome. */
export function outcomeText({ type }: ExecutionOutcome): string | undefined {
  switch (type) {
    case "notReceived":
      return vscode.l10n.t("Not run: the connection was lost before the kernel received the cell. Run it again.");
    case "unknown":
      return vscode.l10n.t("The connection was lost. The cell may not have finished.");
    case "kernelEnded":
      return vscode.l10n.t("The kernel ended before the cell finished.");
    case "ok":
    case "error":
    case "aborted":
    case "dropped":
      return undefined;
  }
}

function gapText(reason: MissingOutput): string {
  switch (reason.type) {
    case "connectionLost":
      return vscode.l10n.t("The connection was lost while the cell was running, and this kernel doesn't keep output.");
    case "notFollowed":
      return vscode.l10n.t("This window stopped receiving the output of this run.");
    case "rateLimit":
      return vscode.l10n.t("The server limits how fast it sends output, and dropped some of it.");
    case "notDelivered":
      return vscode.l10n.t("Some output was lost between the kernel and the server.");
    case "recorderFull":
      return vscode.l10n.t(
        "The kernel's output buffer was full while the connection was lost. Earlier output was dropped.",
      );
  }
}
