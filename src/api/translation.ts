import { PlatformError } from "./http/errors.ts";
import { Phrase, type Text } from "./phrase.ts";
import { WordedError } from "./worded-error.ts";

/** Gives the text in the user's language, with its values in place of `{0}`, `{1}`: `vscode.l10n.t` is one. */
export type Translate = (text: string, ...values: string[]) => string;

/** A text in the user's language. */
export function translated(text: Text, translate: Translate): string {
  return text instanceof Phrase
    ? translate(messageOf(text), ...text.values.map((value) => translated(asText(value), translate)))
    : text;
}

/** What an error says in the user's language. An error of another kind has only its message. */
export function translatedError(error: unknown, translate: Translate): string {
  if (error instanceof PlatformError || error instanceof WordedError) {
    return translated(error.text, translate);
  }
  return error instanceof Error ? error.message : String(error);
}

/** The message that stands for a phrase in bundles: its words, with the numbers of the values between them. */
export function messageOf({ words }: Pick<Phrase, "words">): string {
  return words.reduce((text, word, index) => `${text}{${index - 1}}${word}`);
}

function asText(value: unknown): Text {
  return value instanceof Phrase ? value : String(value);
}
