import * as vscode from "vscode";
import type { Text } from "../api/phrase.ts";
import { type Translate, translated, translatedError } from "../api/translation.ts";

/** What an error says, in the editor's language. The log keeps the English message. */
export function errorText(error: unknown): string {
  return withoutLinks(translatedError(error, translate));
}

/** A text of the API layer in the editor's language. */
export function localizedText(text: Text): string {
  return withoutLinks(translated(text, translate));
}

/** A text with names or words from a server for a message: of `[label](address)` the editor makes a link, also to a command. */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}

/** `vscode.l10n.t` for messages that come from phrases. The bundle has them: the generator finds the phrases themselves. */
const translate: Translate = vscode.l10n.t;
