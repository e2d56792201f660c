/** Maximum nesting of a literal. Python itself allows about 100. */
const maxDepth = 50;
/** The program that runs the notebook accepts no longer ones. */
const maxLiteralLength = 20_000;

/** The name of a literal's type in Python. */
export type LiteralType = "str" | "bytes" | "int" | "float" | "bool" | "None" | "list" | "tuple" | "set" | "dict";

/** A literal at the beginning of a text, up to `end`. */
interface FoundLiteral {
  readonly type: LiteralType;
  readonly end: number;
}

/** The type of a text that is exactly one Python literal. Undefined if it isn't. */
export function literalType(text: string): LiteralType | undefined {
  if (text.length > maxLiteralLength) {
    return undefined;
  }
  const found = literalAt(text, 0);
  return found !== undefined && blankEnd(text, found.end) === text.length ? found.type : undefined;
}

/**
 * The literal at a position of a text: a number, a string, `True`, `False`, `None`, or a list, tuple, set, or dictionary
 * of them. Undefined for anything else, such as an expression.
 */
export function literalAt(text: string, start: number, depth = 0): FoundLiteral | undefined {
  const at = depth === 0 ? spaceEnd(text, start) : blankEnd(text, start);
  const first = text[at] ?? "";
  if (depth > maxDepth) {
    return undefined;
  }
  switch (first) {
    case "[":
      return itemsAt(text, at, "]", "list", depth);
    case "(":
      return itemsAt(text, at, ")", "tuple", depth);
    case "{":
      return itemsAt(text, at, "}", "dict", depth);
    default:
      return stringAt(text, at) ?? wordAt(text, at);
  }
}

const constants: Readonly<Record<string, LiteralType>> = { True: "bool", False: "bool", None: "None" };
const integer = /^(?:0(?:_?0)*|[1-9](?:_?\d)*|0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+)$/;
const exponent = /^(?:\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)$/;
const fraction = /^(?:\d(?:_?\d)*)?\.(?:\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?$/;

/** A number or a constant. */
function wordAt(text: string, at: number): FoundLiteral | undefined {
  const isSigned = text[at] === "+" || text[at] === "-";
  const start = isSigned ? spaceEnd(text, at + 1) : at;
  let end = start;
  // The sign of an exponent is part of a number.
  while (
    /[\w.]/.test(text[end] ?? "") ||
    (/[+-]/.test(text[end] ?? "") && /^[\d._]+e$/i.test(text.slice(start, end)))
  ) {
    end += 1;
  }
  const word = text.slice(start, end);
  const constant = isSigned ? undefined : Object.hasOwn(constants, word) ? constants[word] : undefined;
  if (constant !== undefined) {
    return { type: constant, end };
  }
  if (integer.test(word)) {
    return { type: "int", end };
  }
  return (fraction.test(word) && /\d/.test(word[0] === "." ? (word[1] ?? "") : (word[0] ?? ""))) || exponent.test(word)
    ? { type: "float", end }
    : undefined;
}

const stringStart = /(?:[rR]?[bB]|[bB][rR]|[rRuU])?("""|'''|"|')/y;

/** A string, or several that follow each other. */
function stringAt(text: string, at: number): FoundLiteral | undefined {
  let found: FoundLiteral | undefined;
  for (let from = at; ; ) {
    stringStart.lastIndex = from;
    const start = stringStart.exec(text);
    if (start === null) {
      return found;
    }
    const [opening, quote = ""] = start;
    const end = stringEnd(text, from + opening.length, quote);
    const type = /^[^'"]*[bB]/.test(opening) ? "bytes" : "str";
    if (end === undefined || (found !== undefined && found.type !== type)) {
      return undefined;
    }
    found = { type, end };
    from = spaceEnd(text, end);
  }
}

/** The position after the closing quote. */
function stringEnd(text: string, from: number, quote: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") {
      at += 1;
    } else if (character === "\n" && quote.length === 1) {
      return undefined;
    } else if (text.startsWith(quote, at)) {
      return at + quote.length;
    }
  }
  return undefined;
}

/** Items in brackets. A `{}` without colons is a set, and `(1)` is a number. */
function itemsAt(
  text: string,
  open: number,
  close: string,
  given: "list" | "tuple" | "dict",
  depth: number,
): FoundLiteral | undefined {
  let at = blankEnd(text, open + 1);
  let count = 0;
  let hasComma = false;
  let pairs: boolean | undefined;
  let only: LiteralType | undefined;
  while (text[at] !== close) {
    if (count > 0 && !hasComma) {
      return undefined;
    }
    const item = literalAt(text, at, depth + 1);
    if (item === undefined) {
      return undefined;
    }
    at = blankEnd(text, item.end);
    only = item.type;
    if (given === "dict") {
      const isPair = text[at] === ":";
      const value = isPair ? literalAt(text, at + 1, depth + 1) : item;
      if (value === undefined || (pairs !== undefined && pairs !== isPair) || !isHashable(item.type)) {
        return undefined;
      }
      pairs = isPair;
      at = blankEnd(text, value.end);
    }
    count += 1;
    hasComma = text[at] === ",";
    if (hasComma) {
      at = blankEnd(text, at + 1);
    }
  }
  const end = at + 1;
  if (given === "tuple" && count === 1 && !hasComma && only !== undefined) {
    return { type: only, end };
  }
  return { type: given === "dict" && pairs === false ? "set" : given, end };
}

function isHashable(type: LiteralType): boolean {
  return type !== "list" && type !== "dict" && type !== "set";
}

/** The end of spaces in a line. */
function spaceEnd(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") {
    at += 1;
  }
  return at;
}

/** The end of spaces, line ends, and comments, as they are allowed in brackets. */
export function blankEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const character = text[at];
    if (character === "#") {
      const line = text.indexOf("\n", at);
      at = line < 0 ? text.length : line;
    } else if (character === " " || character === "\t" || character === "\n" || character === "\r") {
      at += 1;
    } else {
      return at;
    }
  }
}
