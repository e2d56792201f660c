import * as vscode from "vscode";
import type { Text } from "../api/phrase.ts";
import { type Translate, translated, translatedError } from "../api/translation.ts";
import { withoutLinks } from "./messages.ts";

/** The message of an error in the editor's language. The log contains it in English. */
export function errorText(error: unknown): string {
  return withoutLinks(translatedError(error, translate));
}

/** A text of the API layer in the editor's language. */
export function localizedText(text: Text): string {
  return withoutLinks(translated(text, translate));
}

/** Removes the prefix that the editor adds to an error message, such as "NoPermissions (FileSystemError)". */
export function withoutName(error: vscode.FileSystemError): vscode.FileSystemError {
  error.name = "";
  return error;
}

/** `vscode.l10n.t` for messages from phrases. They are in the bundle, because its generator collects the phrases. */
const translate: Translate = vscode.l10n.t;
