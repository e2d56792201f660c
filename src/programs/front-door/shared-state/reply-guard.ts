/** Limits for a reply of the store, in bytes and items. The longest reply is that of INFO, with about 7 KB. */
const max = { lineBytes: 1024, textBytes: 65_536, items: 16 } as const;

/**
 * Checks the store's bytes before the client parses them. The parser trusts every length: a list of 99,999,999,999
 * items crashes the process, and a string of a gigabyte is buffered until it is complete.
 */
export class ReplyGuard {
  #line = "";
  /** Remaining bytes of a string, including its line break. */
  #textLeft = 0;
  /** Remaining items of a list. */
  #itemsLeft = 0;

  /** Returns false if the bytes are not a valid reply within the limits. Nothing may be parsed after that. */
  accepts(part: Buffer): boolean {
    let at = 0;
    while (at < part.length) {
      if (this.#textLeft > 0) {
        const skipped = Math.min(this.#textLeft, part.length - at);
        this.#textLeft -= skipped;
        at += skipped;
        continue;
      }
      const end = part.indexOf("\n", at);
      const next = end === -1 ? part.length : end + 1;
      if (this.#line.length + next - at > max.lineBytes) {
        return false;
      }
      this.#line += part.toString("latin1", at, next);
      at = next;
      if (end !== -1) {
        const line = this.#line;
        this.#line = "";
        if (!this.#takes(line)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Checks the first line of a reply or an item. */
  #takes(line: string): boolean {
    const isItem = this.#itemsLeft > 0;
    if (isItem) {
      this.#itemsLeft -= 1;
    }
    const size = /^[$*]-?\d{1,6}\r\n$/.test(line) ? Number(line.slice(1)) : Number.NaN;
    switch (line[0]) {
      case "+":
      case "-":
      case ":":
        return true;
      case "$":
        this.#textLeft = size >= 0 ? size + 2 : 0;
        return size >= -1 && size <= max.textBytes;
      case "*":
        this.#itemsLeft = Math.max(0, size);
        // No command returns nested lists, which would make the parser recurse.
        return !isItem && size >= -1 && size <= max.items;
      default:
        return false;
    }
  }
}
