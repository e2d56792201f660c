import { nextTurn } from "../turns.ts";
import { isRawNumber } from "./json.ts";

/** What is shown in place of a secret. */
export const redacted = "[redacted]";

/** Removes given secrets, and the values of names that look like a secret's, in time that is linear in the input. */
export interface Redaction {
  text(text: string): string;
  /** The same value where it has no secret in it, else a copy. Names of members are cleaned, too. */
  value(value: unknown): unknown;
  /** As `value`, in turns where there is much to scan. */
  valueInTurns(value: unknown): Promise<unknown>;
}

/** Deeper than any real answer goes, nothing is shown. */
const deepest = 1000;

interface ShownName {
  readonly name: string;
  readonly isSecret: boolean;
}

const mostKnownNames = 1000;

/** `given` removes the secrets themselves alone, as in a person's own file; `named` also what only looks like one. */
export function createRedaction(secrets: readonly string[], scope: "given" | "named"): Redaction {
  const forms = formsOf(secrets);
  const withoutGiven = (text: string): string =>
    forms.reduce((cleaned, form) => cleaned.replaceAll(form, redacted), text);
  /** Long texts that were scanned already. */
  const scanned = new Map<string, string>();
  function cleanText(text: string): string {
    const cleaned = withoutGiven(text);
    return scope === "named" && secretHint.test(cleaned)
      ? (scanned.get(text) ?? toTheEnd(withoutNamedValues(cleaned)))
      : cleaned;
  }

  const hasNumber = forms.some((form) => Number.isFinite(Number(form)));
  /** The same few names stand in all items of a list. */
  const knownNames = new Map<string, ShownName>();
  function shownName(name: string): ShownName {
    const known = knownNames.get(name);
    if (known !== undefined) {
      return known;
    }
    const shown = { name: withoutGiven(name), isSecret: scope === "named" && isSecretName(name) };
    if (knownNames.size < mostKnownNames) {
      knownNames.set(name, shown);
    }
    return shown;
  }

  function clean(value: unknown, isNamed: boolean, depth: number): unknown {
    if (typeof value === "string") {
      return isNamed ? redacted : cleanText(value);
    }
    if (typeof value === "number" || isRawNumber(value)) {
      const digits = hasNumber ? JSON.stringify(value) : "";
      return withoutGiven(digits) === digits ? value : redacted;
    }
    if (typeof value !== "object" || value === null) {
      return value;
    }
    if (depth > deepest) {
      return redacted;
    }
    return Array.isArray(value) ? cleanItems(value, isNamed, depth) : cleanMembers(value, depth);
  }

  function cleanItems(items: readonly unknown[], isNamed: boolean, depth: number): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (const [index, item] of items.entries()) {
      const cleaned = clean(item, isNamed, depth + 1);
      if (cleaned !== item) {
        copy ??= [...items];
        copy[index] = cleaned;
      }
    }
    return copy ?? items;
  }

  function cleanMembers(value: object, depth: number): object {
    const members = Object.entries(value);
    let isChanged = false;
    for (const member of members) {
      const [name, given] = member;
      const shown = shownName(name);
      member[0] = shown.name;
      member[1] = clean(given, shown.isSecret, depth + 1);
      isChanged ||= member[1] !== given || member[0] !== name;
    }
    return isChanged ? Object.fromEntries(members) : value;
  }

  async function scanInTurns(value: unknown): Promise<void> {
    let sinceTurn = 0;
    for (const text of scope === "named" ? hintedTexts(value) : []) {
      const scan = withoutNamedValues(withoutGiven(text));
      let step = scan.next();
      for (; step.done !== true; step = scan.next()) {
        sinceTurn = 0;
        await nextTurn();
      }
      scanned.set(text, step.value);
      sinceTurn += text.length;
      if (sinceTurn > charactersPerTurn) {
        sinceTurn = 0;
        await nextTurn();
      }
    }
  }

  return {
    text: cleanText,
    value: (value) => clean(value, false, 0),
    async valueInTurns(value) {
      await scanInTurns(value);
      const cleaned = clean(value, false, 0);
      scanned.clear();
      return cleaned;
    },
  };
}

/** Headers with the values of secret ones removed, and the given secret from all others. */
export function withoutSecretHeaders(
  headers: Readonly<Record<string, string>>,
  secret: string,
): Record<string, string> {
  const { text } = createRedaction([secret], "named");
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? redacted : text(value)]),
  );
}

/**
 * The beginning of a body as text without secrets: at most so many characters, none of them of a secret cut in two. In
 * the scope `given`, values that are only named like a secret stay.
 */
export function beginningOf(
  body: Uint8Array,
  length: number,
  secret: string,
  scope: "given" | "named" = "named",
): string {
  const spare = Math.max(0, ...formsOf([secret]).map((form) => form.length));
  const isCut = body.byteLength > length + spare;
  const text = createRedaction([secret], scope).text(new TextDecoder().decode(body.subarray(0, length + spare)));
  // Only the last characters before the cut can be the beginning of a secret.
  return text.slice(0, isCut ? Math.min(length, Math.max(0, text.length - spare)) : length);
}

/** A text that may repeat what was sent, without the given secret and without the values of secret-looking names. */
export function withoutSecrets(text: string, secret: string): string {
  return createRedaction([secret], "named").text(text);
}

/** A secret of these alone is the same text within JSON and within an address. */
const plainSecret = /^[A-Za-z0-9_.~-]*$/;

/** A secret as it is, within JSON and within an address; longer ones first, for one may begin with another. */
function formsOf(secrets: readonly string[]): readonly string[] {
  const [only = "", ...others] = secrets;
  if (others.length === 0 && plainSecret.test(only)) {
    return redacted.includes(only) ? [] : [only];
  }
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return [...new Set(forms)]
    .filter((form) => !redacted.includes(form))
    .toSorted((one, other) => other.length - one.length);
}

const secretHeader = /authorization|cookie|token|secret|password|credential|developer/i;
const secretWord = /token|secret|password|credential/i;
const secretWholeName = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i;

function isSecretName(name: string): boolean {
  return secretWord.test(name) || secretWholeName.test(name);
}

// A text is read once, from left to right: no expression below looks for a thing that another expression has to look for
// again from the next character. Its quotes may be escaped any number of times, as in JSON within JSON.

const secretHint = /token|secret|password|credential|authorization|cookie/i;
const mark = /\\+"?|["?&#=]|\s+|token|secret|password|credential/gi;
const quoteMark = /\\+"?|"/g;
// Line breaks may be escaped, too.
const valueStart = /(?:\s|\\+[nrt])*:(?:\s|\\+[nrt])*(\[(?:\s|\\+[nrt])*)?(\\*")/y;
const nextItem = /(?:\s|\\+[nrt])*,(?:\s|\\+[nrt])*(\\*")/y;
const parameterValue = /[^&\s"\\]+/y;

/** Characters that are scanned in one turn: a few milliseconds of work. */
const charactersPerTurn = 64 * 1024;

/** The texts within a value that may have a secret's name in them, when they are too long together for one turn. */
function hintedTexts(value: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  let length = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === "string" && secretHint.test(one)) {
      texts.add(one);
      length += one.length;
    } else if (typeof one === "object" && one !== null) {
      for (const inner of Object.values(one)) {
        waiting.push(inner);
      }
    }
  }
  return length > charactersPerTurn ? texts : new Set();
}

function toTheEnd<Result>(work: Generator<void, Result>): Result {
  let step = work.next();
  while (step.done !== true) {
    step = work.next();
  }
  return step.value;
}

/** The text without the values of secret-looking JSON members and query parameters; yields when a turn is over. */
function* withoutNamedValues(text: string): Generator<void, string> {
  let turnEnds = charactersPerTurn;
  const shown: string[] = [];
  /** What was shown in the turns before, each in one text: a million short pieces take more memory than the text itself. */
  const turns: string[] = [];
  let copied = 0;
  /** Where the last secret word and the name of the current query parameter begin. */
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

  /** Hides the string, or the strings of the list, from the quote on that was just found. Gives the end. */
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
      // A quote that is escaped less closes the string around the name.
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

/** Where the string that began with `quote` ends: before its closing quote, or that of a string around it. */
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
      // Backslashes before the closing quote's own belong to the string.
      return { contentEnd: after - 2 ** levelOf(found), next: after };
    }
  }
  return { contentEnd: text.length, next: text.length };
}

/** In how many strings the quote stands: 0, 1, 3, 7 backslashes before it, and pairs of what they escape. */
function levelOf(quote: string): number {
  let level = 0;
  for (let backslashes = quote.length - 1; backslashes % 2 === 1; backslashes = (backslashes - 1) / 2) {
    level += 1;
  }
  return level;
}

/** Where the text after the last quote of each level begins. */
class QuotePositions {
  readonly #positions: number[] = [];

  add(quote: string, position: number): void {
    this.#positions[levelOf(quote)] = position;
  }

  /** Where the string begins that this quote would close; 0 where none is open. */
  lastBefore(quote: string): number {
    const outer = this.#positions.slice(0, levelOf(quote) + 1);
    return outer.reduce((last, position) => Math.max(last, position), 0);
  }
}
