import type { Text } from "./phrase.ts";

/** An error that says something to people. Its message is English, and its text can be translated. */
export class WordedError extends Error {
  readonly text: Text;

  constructor(text: Text) {
    super(String(text));
    this.text = text;
  }
}
