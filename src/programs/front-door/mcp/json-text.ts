import { escapedJson } from "../../../api/displayed-text.ts";
import { nextTurn } from "../../../api/turns.ts";

/** Number of characters that are written before yielding to other work. Writing them takes a few milliseconds. */
const charactersPerTurn = 256 * 1024;
/** Length of the pieces of a long text, in characters. */
const pieceLength = 64 * 1024;

/**
 * The JSON text of a value for a client, which may print it in a terminal: control characters and changes of the text
 * direction are escaped.
 */
export function jsonTextOf(value: unknown): string {
  return escapedJson(JSON.stringify(value));
}

/** The same as `JSON.stringify` for a value from JSON, but yields to other work if the text is long. */
export async function jsonTextInTurns(value: unknown): Promise<string> {
  const pieces: string[] = [];
  let sinceTurn = 0;
  for (const piece of piecesOf(value)) {
    pieces.push(piece);
    sinceTurn += piece.length;
    if (sinceTurn > charactersPerTurn) {
      sinceTurn = 0;
      await nextTurn();
    }
  }
  return pieces.join("");
}

function* piecesOf(value: unknown): Generator<string> {
  if (leastLength(value, pieceLength) <= pieceLength) {
    yield JSON.stringify(value ?? null);
  } else if (typeof value === "string") {
    yield* textPieces(value);
  } else if (Array.isArray(value)) {
    yield* listPieces(value);
  } else if (typeof value === "object" && value !== null) {
    yield* memberPieces(value);
  }
}

function* textPieces(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    const end = wholeCharacters(text, start + pieceLength);
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

function* listPieces(items: readonly unknown[]): Generator<string> {
  yield "[";
  for (const [index, item] of items.entries()) {
    yield index === 0 ? "" : ",";
    yield* piecesOf(item);
  }
  yield "]";
}

function* memberPieces(value: object): Generator<string> {
  yield "{";
  let separator = "";
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) {
      yield `${separator}${JSON.stringify(name)}:`;
      yield* piecesOf(member);
      separator = ",";
    }
  }
  yield "}";
}

/**
 * The end of the longest part of a text, from a position, whose JSON string fits into a number of characters without its
 * quotes. A part has at least one character.
 */
export function endOfFitting(text: string, from: number, characters: number): number {
  let room = characters;
  let end = from;
  while (end < text.length) {
    room -= writtenLength(text.charCodeAt(end));
    if (room < 0) {
      break;
    }
    end += 1;
  }
  const whole = wholeCharacters(text, Math.max(end, from + 1));
  return Math.min(text.length, whole > from ? whole : from + 2);
}

/** The length of a UTF-16 code unit in a JSON string. */
function writtenLength(code: number): number {
  if (code === 0x22 || code === 0x5c || code === 0x0a || code === 0x0d || code === 0x09) {
    return 2;
  }
  // Lone surrogates are escaped, too. Pairs are as well counted so: they are few, and a part may be shorter.
  if (code < 0x20 || (code >= 0xd800 && code < 0xe000)) {
    return 6;
  }
  // The other characters that can be escaped are in these two blocks.
  const isCandidate = (code > 0x7e && code < 0x100) || (code >= 0x2000 && code < 0x2100);
  return isCandidate ? escapedJson(String.fromCharCode(code)).length : 1;
}

/** The position itself, or the one before it if it is within a surrogate pair. */
function wholeCharacters(text: string, position: number): number {
  const isHigh = /[\ud800-\udbff]/.test(text.charAt(position - 1));
  return isHigh && position < text.length ? position - 1 : position;
}

/**
 * A lower bound for the length of a value's JSON text. Stops above `enough`, because serializing a long text is slow.
 */
export function leastLength(value: unknown, enough: number): number {
  let length = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && length <= enough) {
    const one = waiting.pop();
    length += typeof one === "string" ? one.length + 2 : 1;
    if (typeof one === "object" && one !== null) {
      for (const inner of Object.values(one)) {
        waiting.push(inner);
      }
    }
  }
  return length;
}
