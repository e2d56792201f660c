import { endOfJsonString } from "../../http/response-limits.ts";
import { phrase } from "../../phrase.ts";
import { MessageError } from "./kernel-message.ts";

/** A text of more bytes is read in parts. */
const minLongBytes = 1_000_000;
/** Approximate size of a part, in bytes. */
const partBytes = 65_536;

/** A JSON text without the value of one of its strings, which is too long to hold in memory a second time. */
export interface LongText {
  /** The JSON text with an empty string instead. */
  readonly rest: Buffer;
  /** The string in order, in parts of about 64 KB. Throws a MessageError if it isn't valid JSON. */
  readonly parts: () => Iterable<string>;
}

/** The string at this path of member names in a JSON object; undefined if it is short, or not there. */
export function longTextAt(json: Buffer, path: readonly string[]): LongText | undefined {
  const place = json.length < minLongBytes ? undefined : stringAt(json, path);
  if (place === undefined || place.end - place.start < minLongBytes) {
    return undefined;
  }
  const { start, end } = place;
  const text = json.subarray(start, end);
  return {
    rest: Buffer.concat([json.subarray(0, start), json.subarray(end)]),
    parts: () => partsOf(text),
  };
}

/** Where a string is, without its quotes. */
interface Place {
  readonly start: number;
  readonly end: number;
}

function stringAt(json: Buffer, path: readonly string[]): Place | undefined {
  /** Number of names of the path that lead to the current position. */
  let found = 0;
  let level = 0;
  for (let position = 0; position < json.length; position += 1) {
    const code = json[position];
    if (code === codes.openObject || code === codes.openArray) {
      level += 1;
    } else if (code === codes.closeObject || code === codes.closeArray) {
      level -= 1;
      if (level <= found) {
        found = Math.max(0, level - 1);
      }
    } else if (code === codes.quote) {
      const end = endOfJsonString(json, position);
      const value = startOfValue(json, end + 1);
      const name = path[found];
      if (value !== undefined && level === found + 1 && name !== undefined && isText(json, position + 1, end, name)) {
        if (found + 1 < path.length && json[value] === codes.openObject) {
          found += 1;
        } else if (found + 1 === path.length && json[value] === codes.quote) {
          return { start: value + 1, end: endOfJsonString(json, value) };
        }
      }
      position = end;
    }
  }
  return undefined;
}

/** The position of a member's value after the end of its name; undefined if no colon follows. */
function startOfValue(json: Buffer, nameEnd: number): number | undefined {
  const colon = afterSpace(json, nameEnd);
  return json[colon] === codes.colon ? afterSpace(json, colon + 1) : undefined;
}

function afterSpace(json: Buffer, start: number): number {
  let position = start;
  while (spaces.has(json[position] ?? 0)) {
    position += 1;
  }
  return position;
}

function isText(json: Buffer, start: number, end: number, text: string): boolean {
  return end - start === text.length && json.toString("latin1", start, end) === text;
}

function* partsOf(text: Buffer): Generator<string> {
  // One for all parts, because each part in quotes would be another copy of the text.
  const json = Buffer.alloc(partBytes + 2, codes.quote);
  for (let start = 0; start < text.length; ) {
    const end = endOfPart(text, start);
    const length = text.copy(json, 1, start, end);
    json[length + 1] = codes.quote;
    yield textOfJson(json.toString("utf8", 0, length + 2));
    start = end;
  }
}

function textOfJson(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    throw new MessageError(phrase`a part of the message isn't valid JSON`);
  }
}

/** The end of a part. No character and no escape sequence is divided, nor a pair of escaped surrogates. */
function endOfPart(text: Buffer, start: number): number {
  let end = start + partBytes;
  if (end >= text.length) {
    return text.length;
  }
  while (end > start + 1 && isContinuation(text[end])) {
    end -= 1;
  }
  const divided = escapeBefore(text, start, end);
  if (divided !== undefined && divided.end > end) {
    end = divided.start;
  }
  const last = escapeBefore(text, start, end);
  const isHighSurrogate = last?.end === end && highSurrogate.test(text.toString("latin1", last.start, last.end));
  return isHighSurrogate ? last.start : end;
}

/** The last escape sequence that begins in the 6 bytes before `end`; undefined if there is none. */
function escapeBefore(text: Buffer, start: number, end: number): Place | undefined {
  for (let position = end - 1; position >= Math.max(start, end - 6); position -= 1) {
    if (text[position] === codes.backslash) {
      let first = position;
      while (first > start && text[first - 1] === codes.backslash) {
        first -= 1;
      }
      // An even number of them are escaped backslashes.
      const begin = (position - first) % 2 === 0 ? position : position - 1;
      return { start: begin, end: begin + (text[begin + 1] === codes.unicode ? 6 : 2) };
    }
  }
  return undefined;
}

function isContinuation(byte: number | undefined): boolean {
  return ((byte ?? 0) & 0xc0) === 0x80;
}

const highSurrogate = /^\\u[dD][89abAB][0-9a-fA-F]{2}$/;
const codes = {
  quote: 0x22,
  colon: 0x3a,
  backslash: 0x5c,
  unicode: 0x75,
  openObject: 0x7b,
  closeObject: 0x7d,
  openArray: 0x5b,
  closeArray: 0x5d,
};
const spaces: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
