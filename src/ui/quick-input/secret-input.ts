import * as vscode from "vscode";
import { cleanPastedSecret } from "../../api/http/credentials.ts";
import { localizedText } from "../../tenants/error-text.ts";
import { type InputEnd, showInput } from "./show-input.ts";

/** What trying a secret gave: a value to go on with, or why it cannot be used, in the server's words. */
export type SecretCheck<T> =
  | { readonly accepted: true; readonly value: T }
  | { readonly accepted: false; readonly reason: string };

interface SecretInputOptions<T> {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly buttons?: readonly SecretInputButton[];
  /** Tries the cleaned secret with a real request. What it throws closes the box. */
  readonly check: (secret: string, signal: AbortSignal) => Promise<SecretCheck<T>>;
}

interface SecretInputButton extends vscode.QuickInputButton {
  readonly run: () => unknown;
}

/**
 * Asks for a secret in a password box that stays until the server took it or the person gives up (undefined). The
 * person may go to the browser meanwhile.
 */
export function askForSecret<T>(options: SecretInputOptions<T>): Promise<T | undefined> {
  const input = vscode.window.createInputBox();
  input.password = true;
  input.ignoreFocusOut = true;
  input.title = options.title;
  input.prompt = options.prompt;
  input.placeholder = options.placeholder;
  input.buttons = [...(options.buttons ?? [])];
  const check = async ({ signal, finish }: InputEnd<T>): Promise<void> => {
    const pasted = cleanPastedSecret(input.value);
    if (!pasted.valid) {
      input.validationMessage = localizedText(pasted.reason);
      return;
    }
    input.busy = true;
    input.enabled = false;
    const result = await options.check(pasted.secret, signal);
    if (result.accepted) {
      finish(result.value);
      return;
    }
    input.busy = false;
    input.enabled = true;
    input.validationMessage = result.reason;
  };
  const entered = showInput<T>(input, (end) => {
    input.onDidChangeValue((value) => {
      const pasted = cleanPastedSecret(value);
      input.validationMessage = pasted.valid || value === "" ? undefined : localizedText(pasted.reason);
    });
    input.onDidTriggerButton((button) => options.buttons?.find((own) => own === button)?.run());
    input.onDidAccept(() => {
      check(end).catch(end.fail);
    });
  });
  return entered.catch((error: unknown) => {
    if (error instanceof vscode.CancellationError) {
      return undefined;
    }
    throw error;
  });
}

let hasWarned = false;

/** Says once that the editor's secret storage forgets what it is given (a machine without a keyring). */
export function warnThatSecretsAreNotKept(): void {
  if (!hasWarned) {
    hasWarned = true;
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "The secret storage of this computer did not save the credential, and it is not stored anywhere else. Set up a keyring for the editor, then sign in again.",
      ),
    );
  }
}
