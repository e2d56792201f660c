/** Bytes and items that an answer of the store may have. The longest is that of INFO, of about 7 KB. */
const most = { lineBytes: 1024, textBytes: 65_536, items: 16 } as const;

/**
 * Checks the store's bytes before the client's parser gets them. The parser believes every length that it is told: a list
 * of 99,999,999,999 items ends the process, and a text of a gigabyte is kept until it is complete.
 */
export class ReplyGuard {
  #line = "";
  /** Bytes of a text that are still to come, with its line break. */
  #textLeft = 0;
  /** Items of a list that are still to come. */
  #itemsLeft = 0;

  /** False where the bytes are not an answer within the limits; nothing that follows may be read then. */
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
      if (this.#line.length + next - at > most.lineBytes) {
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

  /** Judges the first line of an answer or of an item. */
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
        return size >= -1 && size <= most.textBytes;
      case "*":
        this.#itemsLeft = Math.max(0, size);
        // Nothing that is asked for has a list within a list; the parser would recurse for each.
        return !isItem && size >= -1 && size <= most.items;
      default:
        return false;
    }
  }
}
