import * as vscode from "vscode";
import { nameOf } from "../../api/catalogue/content-path.ts";
import { errorMessage } from "../../api/error-message.ts";
import { showInformation, showWarning } from "../../tenants/messages.ts";
import { duration } from "../../ui/format/quantities.ts";
import type { CellRun } from "./cells/cell-run.ts";
import { outcomeText } from "./cells/cell-status.ts";
import { isInFront, showCell } from "./cells/show-cell.ts";
import type { KernelServices } from "./kernel-services.ts";
import type { NotebookKernel } from "./notebook-kernel.ts";
import type { NotebookKernels } from "./notebook-kernels.ts";
import { isExpectedToFail } from "./notebook-metadata.ts";
import { type EndedCell, type RunReport, reportOf } from "./run-report.ts";

const section = "platformWorkbench.kernels";
const setting = "notifyAfter";
const defaultSeconds = 30;

/**
 * Reports runs that failed or took long while the user did something else: one message for all cells that were run
 * together. Runs of other clients, which this window only follows, are not reported.
 */
export class RunNotifications implements vscode.Disposable {
  readonly #log: KernelServices["log"];
  readonly #listener: vscode.Disposable;
  /** The cells of each notebook that have ended since its kernel was idle. */
  readonly #ended = new WeakMap<NotebookKernel, EndedCell<vscode.NotebookCell>[]>();

  constructor(kernels: Pick<NotebookKernels, "onEvent">, log: KernelServices["log"]) {
    this.#log = log;
    this.#listener = kernels.onEvent(({ kernel, event }) => {
      if (event.type === "ended") {
        this.#take(kernel, event.run);
      }
    });
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #take(kernel: NotebookKernel, run: CellRun): void {
    const cells = [...(this.#ended.get(kernel) ?? []), endedCell(run)];
    if (kernel.hasUnreportedRuns) {
      this.#ended.set(kernel, cells);
      return;
    }
    this.#ended.delete(kernel);
    const { notebook } = kernel;
    const seconds = vscode.workspace.getConfiguration(section, notebook.uri).get<number>(setting, defaultSeconds);
    const report = kernel.isFollowing
      ? undefined
      : reportOf(cells, { isInFront: isInFront(notebook), thresholdMs: seconds * 1000 });
    if (report !== undefined) {
      this.#show(report).catch((error: unknown) => this.#log.error(`kernels: ${errorMessage(error)}`));
    }
  }

  async #show(report: RunReport<vscode.NotebookCell>): Promise<void> {
    const { cell } = report.ended;
    const action = vscode.l10n.t("Show Cell");
    const text = reportText(report);
    const chosen = await (report.type === "finished" ? showInformation(text, action) : showWarning(text, action));
    // The cell of a closed or changed notebook has no number.
    if (chosen === action && !cell.notebook.isClosed && cell.index >= 0) {
      await showCell(cell);
    }
  }
}

function endedCell({ cell, outcome, durationMs }: CellRun): EndedCell<vscode.NotebookCell> {
  const type = outcome?.type ?? "dropped";
  return { cell, outcome: type === "error" && isExpectedToFail(cell) ? "ok" : type, durationMs };
}

function reportText(report: RunReport<vscode.NotebookCell>): string {
  const { cell, durationMs = 0, outcome } = report.ended;
  const number = cell.index + 1;
  const name = nameOf(cell.notebook.uri.path);
  const time = duration(durationMs, vscode.env.language);
  switch (report.type) {
    case "failed":
      return report.isAborted
        ? vscode.l10n.t("Cell {0} of {1} failed after {2}. The cells after it were not run.", number, name, time)
        : vscode.l10n.t("Cell {0} of {1} failed after {2}.", number, name, time);
    case "uncertain":
      return vscode.l10n.t("Cell {0} of {1}: {2}", number, name, outcomeText({ type: outcome }) ?? "");
    case "finished":
      return report.count === 1
        ? vscode.l10n.t("Cell {0} of {1} finished after {2}.", number, name, time)
        : vscode.l10n.t("All cells that ran in {0} finished. The last one was cell {1}.", name, number);
  }
}
