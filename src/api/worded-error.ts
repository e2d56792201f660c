import type { Text } from "./phrase.ts";

/** An error for users. Its message is in English, and its text can be translated. */
export class WordedError extends Error {
  readonly text: Text;

  constructor(text: Text) {
    super(String(text));
    this.text = text;
  }
}
