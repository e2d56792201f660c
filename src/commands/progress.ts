import * as vscode from "vscode";

/** How far a long work is: a few words, and its part from 0 to 1 where that is known. */
export type ReportProgress = (message: string, part?: number) => void;

/** Does long work with a notification that shows how far it is and cancels it. */
export async function withCancellableProgress<Result>(
  title: string,
  work: (signal: AbortSignal, report: ReportProgress) => Promise<Result>,
): Promise<Result> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, cancellation) => {
      const abort = new AbortController();
      cancellation.onCancellationRequested(() => abort.abort());
      let reached = 0;
      return work(abort.signal, (message, part = reached) => {
        progress.report({ message, increment: Math.max(0, part - reached) * 100 });
        reached = Math.max(reached, part);
      });
    },
  );
}
