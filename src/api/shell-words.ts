import { phrase } from "./phrase.ts";
import { WordedError } from "./worded-error.ts";

/** Words that no shell reads in another way than literally. */
const plainWord = /^[\w@%+:,./-][\w@%+:,./=-]*$/;

/** A word for a POSIX shell, in single quotes. */
export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A command for a POSIX shell from its words, which are quoted where that is needed. Throws for control characters,
 * which would be keys in a terminal.
 */
export function shellCommand(words: readonly string[]): string {
  if (words.some((word) => /\p{Cc}/u.test(word))) {
    throw new WordedError(phrase`Can't run the command: a word of it has control characters.`);
  }
  return words.map((word) => (plainWord.test(word) ? word : quotedWord(word))).join(" ");
}
