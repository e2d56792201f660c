/** A statement of Python, without what is indented below it. */
interface Statement {
  /** The end of its last line. */
  readonly end: number;
  /** The end of its code: the beginning of the comment in its last line, or the end. */
  readonly codeEnd: number;
}

/**
 * The statement that begins at a position. It goes on in the next line in a string with three quotes, in brackets, and
 * after a backslash, as in Python. A command of IPython, such as `%cd` or `!ls`, is one line.
 */
export function statementAt(source: string, start: number): Statement {
  if (/[!%?]/.test(source[start] ?? "")) {
    const end = endOfLine(source, start);
    return { end, codeEnd: end };
  }
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const character = source[at] ?? "";
    if (character === "#") {
      const end = endOfLine(source, at);
      if (depth === 0) {
        return { end, codeEnd: at };
      }
      at = end;
    } else if (character === '"' || character === "'") {
      const triple = character.repeat(3);
      const quote = source.startsWith(triple, at) ? triple : character;
      at = endOfString(source, at + quote.length, quote) - 1;
    } else if (character === "\\") {
      at += source.startsWith("\r\n", at + 1) ? 2 : 1;
    } else if ("([{".includes(character)) {
      depth += 1;
    } else if (")]}".includes(character)) {
      depth = Math.max(0, depth - 1);
    } else if (character === "\n" && depth === 0) {
      return { end: at, codeEnd: at };
    }
  }
  return { end: source.length, codeEnd: source.length };
}

/** The position of the next line end, or the end of the text. */
export function endOfLine(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end < 0 ? source.length : end;
}

/** The position after the closing quote. A string with one quote that isn't closed ends with its line. */
function endOfString(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === "\\") {
      at += 1;
    } else if (source.startsWith(quote, at)) {
      return at + quote.length;
    } else if (source[at] === "\n" && quote.length === 1) {
      return at;
    }
  }
  return source.length;
}
