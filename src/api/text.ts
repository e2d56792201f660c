/** The text without a repeated character at its end: slashes of an address, padding of base64. */
export function withoutEnding(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) {
    end -= 1;
  }
  return text.slice(0, end);
}

/** The text without a repeated character at both of its ends. */
export function withoutOuter(text: string, character: string): string {
  let start = 0;
  while (start < text.length && text[start] === character) {
    start += 1;
  }
  return withoutEnding(text.slice(start), character);
}

/** At most about so many characters of a text: both ends of a long one, and how many characters the whole has. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) {
    return text;
  }
  const half = Math.floor(most / 2);
  // Half of a character of two code units is not text.
  const start = text.slice(0, half).toWellFormed();
  const end = text.slice(text.length - half).toWellFormed();
  return `${start}…${end} (${text.length} characters)`;
}

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The text on one line: control characters, line breaks, and characters that change the direction of text, as codes. */
export function onOneLine(text: string): string {
  return text.replace(invisible, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    return `\\u{${code}}`;
  });
}
