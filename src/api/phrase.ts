/**
 * An English message with values, written as a template: `` phrase`${path} doesn't exist.` ``. Can be used wherever a
 * Text is expected. Keeps its parts, so that it can be translated when it is shown (`translation.ts`).
 */
export class Phrase {
  /** The words around the values, with one more element than there are values. */
  readonly words: readonly string[];
  readonly values: readonly unknown[];

  constructor(words: readonly string[], values: readonly unknown[] = []) {
    this.words = words;
    this.values = values;
  }

  toString(): string {
    return String.raw({ raw: this.words }, ...this.values);
  }

  toJSON(): string {
    return this.toString();
  }
}

/** Text for users: a Phrase, or untranslated text from a server, a library, or the user. */
export type Text = string | Phrase;

/** The tag for message templates. The generator of the message bundle searches the sources for this name. */
export function phrase(words: TemplateStringsArray, ...values: readonly (Text | number)[]): Phrase {
  return new Phrase(words, values);
}
