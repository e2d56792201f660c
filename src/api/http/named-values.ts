/** The replacement for a secret. */
export const redacted = "[redacted]";

const secretWord = /token|secret|password|credential/i;
const secretWholeName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i;

/** True for a name whose value is a secret. */
export function isSecretName(name: string): boolean {
  return secretWord.test(name) || secretWholeName.test(name);
}

/** True if the text may contain the name of a secret. */
export function mayNameSecret(text: string): boolean {
  return secretHint.test(text);
}

// Scans a text once, from left to right. The expressions below never scan a character twice, so the time is linear.
// Quotes can be escaped any number of times, as in JSON within JSON.

const secretHint = /token|secret|password|credential|authorization|cookie/i;
const mark = /\\+"?|["?&#=]|\s+|token|secret|password|credential/gi;
const quoteMark = /\\+"?|"/g;
// Line breaks can be escaped, too.
const valueStart = /(?:\s|\\+[nrt])*:(?:\s|\\+[nrt])*(\[(?:\s|\\+[nrt])*)?(\\*")/y;
const nextItem = /(?:\s|\\+[nrt])*,(?:\s|\\+[nrt])*(\\*")/y;
const parameterValue = /[^&\s"\\]+/y;

/** Number of characters that are scanned before yielding. Scanning them takes a few milliseconds. */
export const charactersPerTurn = 64 * 1024;

/** Redacts the values of JSON members and query parameters whose names suggest a secret. Yields while it works. */
export function* withoutNamedValues(text: string): Generator<void, string> {
  let turnEnds = charactersPerTurn;
  const shown: string[] = [];
  /**
   * The results of earlier turns, each joined to one string, because a million short strings would need more memory.
   */
  const turns: string[] = [];
  let copied = 0;
  /** Start of the last word of a secret, and of the name of the current query parameter. */
  let word = -1;
  let parameter = -1;
  const quotes = new QuotePositions();
  const isSecret = (from: number, to: number): boolean =>
    word >= from || secretWholeName.test(text.slice(from, Math.min(to, from + 30)));
  const hide = (from: number, to: number): void => {
    shown.push(text.slice(copied, from), redacted);
    copied = to;
  };
  const endTurn = (position: number): void => {
    turnEnds = position + charactersPerTurn;
    turns.push(shown.join(""));
    shown.length = 0;
  };

  /** Redacts the string, or the strings of a list, that begins at the quote that was just found. Returns the end. */
  function* hideStrings(firstQuote: string, isList: boolean, from: number): Generator<void, number> {
    let quote = firstQuote;
    for (let start = from; ; ) {
      if (start > turnEnds) {
        endTurn(start);
        yield;
      }
      const end = yield* closingQuote(text, quote, start);
      hide(start, end.contentEnd);
      quotes.add(quote, end.next);
      nextItem.lastIndex = end.next;
      const next = isList ? nextItem.exec(text) : null;
      if (next === null) {
        return end.next;
      }
      quote = next[1] ?? quote;
      start = nextItem.lastIndex;
    }
  }

  mark.lastIndex = 0;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const [found] = match;
    const after = mark.lastIndex;
    if (after > turnEnds) {
      endTurn(after);
      yield;
      // Another text may have been scanned meanwhile.
      mark.lastIndex = after;
    }
    if (found.endsWith('"')) {
      const name = quotes.lastBefore(found);
      quotes.add(found, after);
      parameter = -1;
      valueStart.lastIndex = after;
      const value = isSecret(name, match.index) ? valueStart.exec(text) : null;
      // A less escaped quote ends the string around the name.
      if (value !== null && levelOf(value[2] ?? "") >= levelOf(found)) {
        mark.lastIndex = yield* hideStrings(value[2] ?? "", value[1] !== undefined, valueStart.lastIndex);
      }
    } else if (found === "?" || found === "&" || found === "#") {
      parameter = after;
    } else if (found === "=") {
      parameterValue.lastIndex = after;
      if (parameter >= 0 && isSecret(parameter, match.index) && parameterValue.test(text)) {
        hide(after, parameterValue.lastIndex);
        mark.lastIndex = parameterValue.lastIndex;
      }
      parameter = -1;
    } else if (secretWord.test(found)) {
      word = match.index;
    } else {
      parameter = -1;
    }
  }
  return copied === 0 ? text : [...turns, ...shown, text.slice(copied)].join("");
}

/** Finds the end of the string that began with `quote`: its closing quote, or that of a string around it. */
function* closingQuote(
  text: string,
  quote: string,
  from: number,
): Generator<void, { readonly contentEnd: number; readonly next: number }> {
  let turnEnds = from + charactersPerTurn;
  quoteMark.lastIndex = from;
  for (let match = quoteMark.exec(text); match !== null; match = quoteMark.exec(text)) {
    const [found] = match;
    const after = quoteMark.lastIndex;
    if (after > turnEnds) {
      turnEnds = after + charactersPerTurn;
      yield;
      quoteMark.lastIndex = after;
    }
    if (found.endsWith('"') && levelOf(found) <= levelOf(quote)) {
      // Backslashes before those of the closing quote belong to the string.
      return { contentEnd: after - 2 ** levelOf(found), next: after };
    }
  }
  return { contentEnd: text.length, next: text.length };
}

/** The number of strings around the quote. It has 0, 1, 3, or 7 backslashes before it, plus pairs of escaped ones. */
function levelOf(quote: string): number {
  let level = 0;
  for (let backslashes = quote.length - 1; backslashes % 2 === 1; backslashes = (backslashes - 1) / 2) {
    level += 1;
  }
  return level;
}

/** The position after the last quote of each level. */
class QuotePositions {
  readonly #positions: number[] = [];

  add(quote: string, position: number): void {
    this.#positions[levelOf(quote)] = position;
  }

  /** The start of the string that this quote would close; 0 if none is open. */
  lastBefore(quote: string): number {
    const outer = this.#positions.slice(0, levelOf(quote) + 1);
    return outer.reduce((last, position) => Math.max(last, position), 0);
  }
}
