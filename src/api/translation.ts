import { errorMessage } from "./error-message.ts";
import { PlatformError } from "./http/errors.ts";
import { Phrase, type Text } from "./phrase.ts";
import { WordedError } from "./worded-error.ts";

/** Returns the text in the user's language, with the values in place of `{0}`, `{1}`. For example, `vscode.l10n.t`. */
export type Translate = (text: string, ...values: string[]) => string;

/** The text in the user's language. */
export function translated(text: Text, translate: Translate): string {
  return text instanceof Phrase
    ? translate(messageOf(text), ...text.values.map((value) => translated(asText(value), translate)))
    : text;
}

/** An error's message in the user's language. Other errors have only an untranslated message. */
export function translatedError(error: unknown, translate: Translate): string {
  if (error instanceof PlatformError || error instanceof WordedError) {
    return translated(error.text, translate);
  }
  return errorMessage(error);
}

/** A phrase's key in the message bundles: its words, with numbered placeholders for the values. */
export function messageOf({ words }: Pick<Phrase, "words">): string {
  return words.reduce((text, word, index) => `${text}{${index - 1}}${word}`);
}

function asText(value: unknown): Text {
  return value instanceof Phrase ? value : String(value);
}
