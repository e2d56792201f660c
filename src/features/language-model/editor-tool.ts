import type * as vscode from "vscode";

interface Confirmation {
  readonly title: string;
  /** Text in Markdown. */
  readonly message: string;
}

/** A language-model tool: its confirmation, its progress message, and its work. */
export interface EditorTool<Input> {
  /** The question to the user: a short title, and what the tool affects. */
  confirmation(input: Input): Confirmation | Promise<Confirmation>;
  /** The message while the tool runs, as plain text. */
  progress(input: Input): string;
  /** The result for the model, which is sent as JSON. Throws an Error with a message that the model can use. */
  run(input: Input, token: vscode.CancellationToken): Promise<unknown>;
}
