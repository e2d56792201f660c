import * as vscode from "vscode";
import { cleanPastedSecret } from "../../api/http/credentials.ts";
import { localizedText } from "../../tenants/error-text.ts";
import { showWarning, withoutLinks } from "../../tenants/messages.ts";
import {
  type CheckedText,
  type InputButton,
  listenForChecked,
  type ParsedText,
  type TextCheck,
} from "./checked-text.ts";
import { showInput, unlessCanceled } from "./show-input.ts";

/** The result of checking a secret. */
export type SecretCheck<T> = TextCheck<T>;

interface SecretInputOptions<T> {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly buttons?: readonly InputButton[];
  /** Tests the cleaned secret with a real request. Errors that it throws close the box. */
  readonly check: (secret: string, signal: AbortSignal) => Promise<SecretCheck<T>>;
}

/**
 * Asks for a secret in a password box that stays open until the server accepts the secret or the user cancels
 * (undefined). The user can switch to the browser meanwhile. The prompt stays visible because it explains where to get
 * the secret.
 */
export async function askForSecret<T>({
  title,
  placeholder,
  ...options
}: SecretInputOptions<T>): Promise<T | undefined> {
  const input = vscode.window.createInputBox();
  input.password = true;
  input.ignoreFocusOut = true;
  input.title = title;
  input.prompt = withoutLinks(options.prompt);
  input.placeholder = placeholder;
  input.buttons = [...(options.buttons ?? [])];
  const result = showInput<CheckedText<T>>(input, (end) =>
    listenForChecked(input, { ...options, keepsPrompt: true, read: readSecret }, end),
  );
  return (await unlessCanceled(result))?.value;
}

/** Parses a pasted secret and removes anything that was copied with it. */
export function readSecret(text: string): ParsedText<string> {
  const pasted = cleanPastedSecret(text);
  return pasted.valid ? { valid: true, value: pasted.secret } : { valid: false, reason: localizedText(pasted.reason) };
}

let hasWarned = false;

/** Warns once that the editor's secret storage doesn't persist secrets (a machine without a keyring). */
export function warnThatSecretsAreNotStored(): void {
  if (!hasWarned) {
    hasWarned = true;
    void showWarning(
      vscode.l10n.t(
        "The secret storage of this computer didn't save the credential, and it isn't stored anywhere else. Set up a keyring for the editor, then sign in again.",
      ),
    );
  }
}
