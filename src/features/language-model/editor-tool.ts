import type * as vscode from "vscode";

interface Confirmation {
  readonly title: string;
  /** Markdown. */
  readonly message: string;
}

/** What a tool says before it runs, and what it does. */
export interface EditorTool<Input> {
  /** What the person is asked: a few words, then what will be touched. */
  confirmation(input: Input): Confirmation | Promise<Confirmation>;
  /** What shows while it runs. */
  progress(input: Input): string;
  /** Gives what the model reads, as JSON. Throws an Error whose message the model can use. */
  run(input: Input, token: vscode.CancellationToken): Promise<unknown>;
}

/** A signal that ends with the token. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const abort = new AbortController();
  if (token.isCancellationRequested) {
    abort.abort();
  }
  token.onCancellationRequested(() => abort.abort());
  return abort.signal;
}
