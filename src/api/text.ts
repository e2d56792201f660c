/** Removes a repeated character at the end of a text, such as the slashes of an address or the padding of base64. */
export function withoutEnding(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) {
    end -= 1;
  }
  return text.slice(0, end);
}

/** Removes a repeated character at both ends of a text. */
export function withoutOuter(text: string, character: string): string {
  let start = 0;
  while (start < text.length && text[start] === character) {
    start += 1;
  }
  return withoutEnding(text.slice(start), character);
}

/** A copy of a part of a text. Without a copy, the part would keep the whole text in memory. */
export function detached(part: string): string {
  return structuredClone(part);
}

/** Shortens a text to about this number of characters. Keeps both ends, and adds the total length. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const half = Math.floor(max / 2);
  // Half of a surrogate pair is not valid text.
  const start = text.slice(0, half).toWellFormed();
  const end = text.slice(text.length - half).toWellFormed();
  return detached(`${start}…${end} (${text.length} characters)`);
}

/** The length of the longest run of backticks in a text, 0 if there are none. A longer fence encloses it in Markdown. */
export function maxBacktickRun(text: string): number {
  let maxRun = 0;
  for (const [run] of text.matchAll(/`+/g)) {
    maxRun = Math.max(maxRun, run.length);
  }
  return maxRun;
}
