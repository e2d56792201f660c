/**
 * English words with values between them, written as a template: `` phrase`${path} does not exist.` ``. It reads as English
 * wherever a text is wanted, and keeps its parts, so that what shows it can translate it (`translation.ts`).
 */
export class Phrase {
  /** The words around the values: one more than there are values. */
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

/** Words for people: a Phrase, or what is not translated because it came from a server, a library, or the user. */
export type Text = string | Phrase;

/** The tag of templates that become messages. The generator of the bundle collects them from the sources by this name. */
export function phrase(words: TemplateStringsArray, ...values: readonly (Text | number)[]): Phrase {
  return new Phrase(words, values);
}
