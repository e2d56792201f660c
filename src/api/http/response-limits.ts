import { type Phrase, phrase } from "../phrase.ts";

/** Limits for a response. Without them, an untrusted server could exhaust this process's memory. */
export interface ResponseLimits {
  /** Maximum size of a JSON response, in bytes. */
  readonly jsonBytes: number;
  /** Maximum size of a binary response in memory, in bytes. A receiver has its own limits. */
  readonly bytes: number;
  /** Maximum number of JSON values. For example, `[{},{},…]` needs 20 times its length in memory. */
  readonly values: number;
  /** Maximum nesting of JSON arrays and objects, in levels. */
  readonly depth: number;
}

export type ResponseLimit = keyof ResponseLimits;

const megabyte = 1024 * 1024;

/** Limits for a program with a single user. Larger files and folders fail elsewhere. */
export const singleUserLimits: ResponseLimits = {
  jsonBytes: 512 * megabyte,
  bytes: 2048 * megabyte,
  values: 4_000_000,
  depth: 500,
};

/** Maximum size of an error response, in bytes. The rest is not read. */
export const maxErrorBytes = megabyte;

/**
 * The limit that a JSON text exceeds, if any. Scans the text once without parsing it. The result for invalid JSON is
 * unspecified.
 */
export function exceededLimit(
  json: Uint8Array,
  { values, depth }: Pick<ResponseLimits, "values" | "depth">,
): "values" | "depth" | undefined {
  let level = 0;
  let count = 0;
  for (let position = 0; position < json.length; position += 1) {
    switch (json[position]) {
      case codes.quote:
        position = endOfJsonString(json, position);
        break;
      case codes.openObject:
      case codes.openArray:
        level += 1;
        count += 1;
        break;
      case codes.comma:
        count += 1;
        break;
      case codes.closeObject:
      case codes.closeArray:
        level -= 1;
        break;
      default:
        continue;
    }
    if (level > depth) {
      return "depth";
    }
    if (count > values) {
      return "values";
    }
  }
  return undefined;
}

/**
 * Number of bytes of a string that are checked one by one before a search for its end begins. A search is slow to start
 * but fast for long strings. The number doubles with each escaped quote that a search finds, because many escaped
 * quotes need many searches.
 */
const shortString = 64;

/** The position of the quote that ends the string at `start`, or the end of the text if there is none. */
export function endOfJsonString(json: Uint8Array, start: number): number {
  let position = start + 1;
  for (let short = shortString; position < json.length; short *= 2) {
    for (const searched = position + short; position < searched && position < json.length; position += 1) {
      const code = json[position];
      if (code === codes.quote) {
        return position;
      }
      if (code === codes.backslash) {
        position += 1;
      }
    }
    const quote = json.indexOf(codes.quote, position);
    if (quote < 0) {
      return json.length;
    }
    let before = quote;
    while (before > position && json[before - 1] === codes.backslash) {
      before -= 1;
    }
    if ((quote - before) % 2 === 0) {
      return quote;
    }
    position = quote + 1;
  }
  return json.length;
}

const codes = {
  quote: 0x22,
  comma: 0x2c,
  backslash: 0x5c,
  openObject: 0x7b,
  closeObject: 0x7d,
  openArray: 0x5b,
  closeArray: 0x5d,
};

/** Describes an exceeded limit in messages, for example `more than 8 MB`. */
export function limitText(limit: ResponseLimit, max: number): Phrase {
  switch (limit) {
    case "jsonBytes":
    case "bytes":
      return max >= megabyte ? phrase`more than ${max / megabyte} MB` : phrase`more than ${max} bytes`;
    case "values":
      return phrase`more than ${max} values`;
    case "depth":
      return phrase`more than ${max} nested levels`;
  }
}
