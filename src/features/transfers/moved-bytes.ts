import * as vscode from "vscode";
import type { TransferControl } from "../../file-system/transfer/long-transfers.ts";
import type { ReportProgress } from "../../ui/commands/progress.ts";
import { sizeText } from "../../ui/format/quantities.ts";

/** Reports of one transfer at most, because each is sent to the window. */
const maxReports = 500;

/** Adds up the bytes of files that are transferred at the same time, and reports them. */
export class MovedBytes {
  readonly #total: number;
  readonly #files: number;
  readonly #report: ReportProgress;
  readonly #signal: AbortSignal;
  #moved = 0;
  #endedFiles = 0;
  #reported = 0;

  constructor(files: readonly { readonly size: number }[], report: ReportProgress, signal: AbortSignal) {
    this.#total = files.reduce((sum, { size }) => sum + size, 0);
    this.#files = files.length;
    this.#report = report;
    this.#signal = signal;
  }

  /** Transfers one file of this size. */
  async file<T>(size: number, work: (control: TransferControl) => PromiseLike<T>): Promise<T> {
    let moved = 0;
    const onMoved = (share: number): void => {
      const now = Math.min(share, 1) * size;
      this.#moved += now - moved;
      moved = now;
      if (Math.abs(this.#moved - this.#reported) >= this.#total / maxReports) {
        this.#show();
      }
    };
    try {
      return await work({ signal: this.#signal, onMoved });
    } finally {
      this.#endedFiles += 1;
      onMoved(1);
      this.#show();
    }
  }

  #show(): void {
    this.#reported = this.#moved;
    const message = vscode.l10n.t(
      "{0} of {1}",
      sizeText(this.#moved, vscode.env.language),
      sizeText(this.#total, vscode.env.language),
    );
    this.#report(message, this.#total === 0 ? this.#endedFiles / this.#files : this.#moved / this.#total);
  }
}
