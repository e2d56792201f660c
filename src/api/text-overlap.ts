/** Number of characters at the beginning of `text` with which `shown` ends. Takes time proportional to their lengths. */
export function overlapOf(shown: string, text: string): number {
  const matcher = new PrefixMatcher(text.slice(0, shown.length));
  let matched = 0;
  for (let index = 0; index < shown.length; index += 1) {
    matched = matcher.next(shown.charCodeAt(index));
  }
  return matched;
}

/** The index in `text` after the first occurrence of `part`; 0 if there is none. Takes time like `overlapOf`. */
export function endOf(part: string, text: string): number {
  const matcher = new PrefixMatcher(part);
  for (let index = 0; index < text.length; index += 1) {
    if (matcher.next(text.charCodeAt(index)) === part.length) {
      return index + 1;
    }
  }
  return 0;
}

/** Tracks how many characters at the beginning of a pattern a growing text ends with, as Knuth, Morris, and Pratt do. */
class PrefixMatcher {
  readonly #pattern: string;
  /** For each prefix of the pattern: the length of its longest shorter prefix that is also its end. */
  readonly #borders: Int32Array;
  #matched = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#borders = new Int32Array(pattern.length);
    for (let index = 1, border = 0; index < pattern.length; index += 1) {
      border = this.#extended(border, pattern.charCodeAt(index));
      this.#borders[index] = border;
    }
  }

  /** Adds a code unit to the text. Returns the number of matched characters. */
  next(unit: number): number {
    this.#matched = this.#extended(this.#matched, unit);
    return this.#matched;
  }

  #extended(matched: number, unit: number): number {
    let length = matched === this.#pattern.length ? this.#borderOf(matched) : matched;
    while (length > 0 && this.#pattern.charCodeAt(length) !== unit) {
      length = this.#borderOf(length);
    }
    return this.#pattern.charCodeAt(length) === unit ? length + 1 : length;
  }

  #borderOf(length: number): number {
    return length === 0 ? 0 : (this.#borders[length - 1] ?? 0);
  }
}
