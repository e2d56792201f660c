import type * as vscode from "vscode";

/** A signal that aborts when the token is canceled. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) {
    abort.abort();
  }
  token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}
