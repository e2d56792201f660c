/** Maximum number of characters that wait before reading from the server pauses. */
const maxWaiting = 1_048_576;
/** Number of characters that are displayed after the user has interrupted a program. */
const maxKeptAfterInterrupt = 16_384;
/** Less waiting output is displayed at once, so an interrupt does not need to discard it. */
const minDiscarded = 65_536;
/** Maximum number of characters that are passed on together. */
const maxChunk = 32_768;
/** A sequence that the filter has passed is not longer. */
const maxSequenceLength = 2400;

/**
 * Output on its way to a display that is slower than the server. When the user interrupts a program, its waiting output
 * is discarded, like a local terminal discards it.
 */
export class OutputQueue {
  #parts: string[] = [];
  #length = 0;
  #isDiscarding = false;

  /** True if nothing more should be read until there is room. */
  get isFull(): boolean {
    return !this.#isDiscarding && this.#length >= maxWaiting;
  }

  get isEmpty(): boolean {
    return this.#isDiscarding || this.#length === 0;
  }

  /** True if so much output waits that an interrupt should discard it. */
  get isBehind(): boolean {
    return this.#length >= minDiscarded;
  }

  add(text: string): void {
    if (text === "") {
      return;
    }
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#isDiscarding && this.#length > 2 * maxKeptAfterInterrupt) {
      this.#shorten();
    }
  }

  /** Discards what waits and what is added until `keep`, except for the end. */
  discard(): void {
    this.#isDiscarding = true;
    this.#shorten();
  }

  /** Displays the rest of what was discarded, and what is added from now on. */
  keep(): void {
    this.#isDiscarding = false;
  }

  /** Takes the next characters, which never end within a sequence. Undefined if none wait. */
  take(): string | undefined {
    if (this.isEmpty) {
      return undefined;
    }
    let [text = ""] = this.#parts;
    let count = 1;
    for (; text.length < maxChunk && count < this.#parts.length; count += 1) {
      text += this.#parts[count] ?? "";
    }
    const end = text.length <= maxChunk ? text.length : cutBefore(text, maxChunk);
    this.#parts.splice(0, count, ...(end < text.length ? [text.slice(end)] : []));
    this.#length -= end;
    return text.slice(0, end);
  }

  /** Keeps whole lines at the end. */
  #shorten(): void {
    const text = this.#parts.join("");
    const end = text.slice(-maxKeptAfterInterrupt);
    const rest = end.length < text.length ? `\u001b]8;;\u001b\\\u001b[0m\r\n${end.slice(end.indexOf("\n") + 1)}` : end;
    this.#parts = [rest];
    this.#length = rest.length;
  }
}

/** An index at which neither a sequence nor a character is split. */
function cutBefore(text: string, index: number): number {
  const start = text.lastIndexOf("\u001b", index - 1);
  if (start > 0 && index - start < maxSequenceLength) {
    return start;
  }
  return isHighSurrogate(text.charCodeAt(index - 1)) ? index - 1 : index;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
