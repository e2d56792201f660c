import { setTimeout as pause } from "node:timers/promises";
import * as vscode from "vscode";

/** How far a long work is: a few words, and its part from 0 to 1 where that is known. */
export type ReportProgress = (message: string, part?: number) => void;

/** Milliseconds: what ends before shows nothing. */
const delay = 300;

/** Does work with a notification, once it takes long, that shows how far it is and cancels it. */
export async function withCancellableProgress<Result>(
  title: string,
  work: (signal: AbortSignal, report: ReportProgress) => Promise<Result>,
): Promise<Result> {
  const abort = new AbortController();
  let reached: { readonly message?: string; readonly part: number } = { part: 0 };
  let show: () => void = () => undefined;
  const working = work(abort.signal, (message, part = reached.part) => {
    reached = { message, part };
    show();
  });
  const isQuick = await Promise.race([
    working.then(
      () => true,
      () => true,
    ),
    pause(delay, false),
  ]);
  if (isQuick) {
    return working;
  }
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, cancellation) => {
      cancellation.onCancellationRequested(() => abort.abort());
      let shown = 0;
      show = () => {
        const { message, part } = reached;
        progress.report({ ...(message === undefined ? {} : { message }), increment: Math.max(0, part - shown) * 100 });
        shown = Math.max(shown, part);
      };
      show();
      return working;
    },
  );
}
