/**
 * An English message with values, written as a template: `` phrase`${path} doesn't exist.` ``. It can be used wherever
 * a text is expected, and keeps its parts so that it can be translated when it is shown (`translation.ts`).
 */
export class Phrase {
  /** The words around the values: one element more than there are values. */
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

/** A text for users: a Phrase, or text from a server, a library, or the user, which is not translated. */
export type Text = string | Phrase;

/** The tag of message templates. The generator of the message bundle finds them in the sources by this name. */
export function phrase(words: TemplateStringsArray, ...values: readonly (Text | number)[]): Phrase {
  return new Phrase(words, values);
}
