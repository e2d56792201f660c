import type { Text } from "./phrase.ts";

/** An error with a message for users. The message is in English, and its text can be translated. */
export class WordedError extends Error {
  readonly text: Text;

  constructor(text: Text) {
    super(String(text));
    this.text = text;
  }
}
